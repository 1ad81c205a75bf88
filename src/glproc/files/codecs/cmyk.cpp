#include "glproc/files/codecs/cmyk.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/colour_management.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::codecs {

namespace {

/// ICC.1, 7.2: the colour space stands in bytes 16 to 19, and "acsp" in 36 to 39.
bool is_of_ink(std::span<const std::byte> profile) {
    const auto has = [&](std::size_t at, std::string_view text) {
        return profile.size() >= 128 &&
               std::equal(text.begin(), text.end(), profile.begin() + static_cast<std::ptrdiff_t>(at),
                          [](char c, std::byte b) {
                              return static_cast<unsigned char>(c) == std::to_integer<unsigned char>(b);
                          });
    };
    return has(16, "CMYK") && has(36, "acsp");
}

/// Null, with the reason, where it cannot be used.
std::unique_ptr<modules::InkConversion> conversion_by(std::span<const std::byte> profile,
                                                      std::string& problem) {
    try {
        return colour_management().inks(profile, problem);
    } catch (const Error& error) { // no such library here
        problem = error.what();
        return nullptr;
    }
}

} // namespace

std::shared_ptr<const InkColours> InkColours::of(const Source& source, Metadata& metadata) {
    const std::vector<std::byte> profile = std::exchange(metadata.icc, {});
    if (!is_of_ink(profile)) {
        note(source, "CMYK becomes RGB by a plain formula; its ICC profile, if any, is left out");
        return nullptr;
    }
    std::string problem;
    auto conversion = conversion_by(profile, problem);
    if (conversion == nullptr) {
        note(source, fmt::format("CMYK becomes RGB by a plain formula, as its ICC profile cannot be used: {}",
                                 problem));
        return nullptr;
    }
    note(source, "CMYK becomes sRGB by its ICC profile");
    return std::make_shared<const InkColours>(std::move(conversion));
}

namespace {

constexpr std::size_t pixels_at_once = 4096;

/// Calls `work` with the inks of some pixels and where their colours go, on all cores.
template <class T, class Work>
void in_parts(std::span<const T> inks, T* rgb, const Work& work) {
    const std::size_t pixels = inks.size() / 4;
    parallel_for(covering(pixels, pixels_at_once), [&](std::size_t i) {
        const std::size_t first = i * pixels_at_once;
        const std::size_t count = std::min(pixels_at_once, pixels - first);
        work(inks.subspan(4 * first, 4 * count), rgb + 3 * first);
    });
}

} // namespace

void InkColours::convert(std::span<const std::uint8_t> inks, std::uint8_t* rgb) const {
    in_parts(inks, rgb, [this](std::span<const std::uint8_t> some, std::uint8_t* to) {
        std::array<std::uint16_t, 4 * pixels_at_once> wide{};  // GCC 14 warns where only its begin is filled
        std::array<std::uint16_t, 3 * pixels_at_once> colours; // NOLINT: filled below
        std::transform(some.begin(), some.end(), wide.begin(),
                       [](std::uint8_t v) { return static_cast<std::uint16_t>(v * 257); });
        conversion_->convert(wide.data(), colours.data(), some.size() / 4);
        std::transform(colours.begin(), colours.begin() + static_cast<std::ptrdiff_t>(some.size() / 4 * 3),
                       to, [](std::uint16_t v) { return static_cast<std::uint8_t>((v + 128U) / 257U); });
    });
}

void InkColours::convert(std::span<const std::uint16_t> inks, std::uint16_t* rgb) const {
    in_parts(inks, rgb, [this](std::span<const std::uint16_t> some, std::uint16_t* to) {
        conversion_->convert(some.data(), to, some.size() / 4);
    });
}

} // namespace glproc::codecs
