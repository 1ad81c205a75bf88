// ICC profiles, which a library reads: it finds a way from their colours to sRGB, or says why not.
#include "fuzz/fuzz.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/image/profile.hpp"

#include <array>
#include <string>

using namespace glproc;

namespace {

void check_colours(std::span<const std::byte> icc, bool is_grey) {
    const auto& colours = colour_management();
    const modules::ProfileFault fault = colours.check(icc, is_grey);
    const bool is_sound = fault.kind == modules::ProfileFault::Kind::none;
    fuzz::require(is_sound || !fault.what.empty(), "every fault of a profile is named");
    const std::vector<std::byte> srgb = colours.standard({.is_grey = is_grey});
    for (const bool is_source : {false, true}) {
        std::string problem;
        const auto way = colours.begin({.from = is_source ? icc : std::span<const std::byte>(srgb),
                                        .to = is_source ? std::span<const std::byte>(srgb) : icc,
                                        .is_grey = is_grey,
                                        .black_points = true},
                                       problem);
        fuzz::require(way != nullptr || !problem.empty(), "where there is no way, it says why");
        if (way != nullptr) {
            const std::array<float, 6> from{0, 0.5F, 1, -1, 2, 0.25F};
            std::array<float, 6> to{};
            way->convert(from.data(), to.data(), 2);
        }
    }
}

void check_inks(std::span<const std::byte> icc) {
    std::string problem;
    const auto way = colour_management().inks(icc, problem);
    fuzz::require(way != nullptr || !problem.empty(), "where inks have no way, it says why");
    if (way != nullptr) {
        const std::array<std::uint16_t, 8> from{0, 1, 32768, 65535, 65535, 65535, 65535, 65535};
        std::array<std::uint16_t, 6> to{};
        way->convert(from.data(), to.data(), 2);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Cost cost(size, std::uint64_t{1} << 20U);
    const auto icc = fuzz::as_file(data, size);
    static_cast<void>(profile_name(icc));
    static_cast<void>(names_srgb(icc));
    check_colours(icc, !fits_channels(icc, 3));
    check_inks(icc);
    return 0;
}
