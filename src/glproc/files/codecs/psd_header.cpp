#include "glproc/base/counted.hpp"
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/iptc.hpp"
#include "glproc/files/codecs/psd.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

std::uint64_t colours_of(PsdMode mode) {
    return mode == PsdMode::cmyk ? 4 : mode == PsdMode::rgb ? 3 : 1;
}

void check(const Source& source, const PsdHeader& header, std::uint64_t mode) {
    if (mode == 7 || mode == 9 || mode > 9 || mode == 5 || mode == 6) {
        fail(source, fmt::format("unsupported PSD: {}", mode == 9   ? "Lab colours"
                                                        : mode == 7 ? "multichannel"
                                                                    : "unknown colours"));
    }
    const bool whole = header.bits == 8 || header.bits == 16;
    const bool fits = header.mode == PsdMode::bitmap    ? header.bits == 1
                      : header.mode == PsdMode::indexed ? header.bits == 8
                      : header.mode == PsdMode::cmyk    ? whole
                                                        : whole || header.bits == 32;
    if (!fits)
        fail(source, fmt::format("unsupported PSD: {} a value", counted(header.bits, "bit")));
    if (header.stored_channels < colours_of(header.mode) || header.stored_channels > 56)
        fail(source, fmt::format("corrupt PSD: {}", counted(header.stored_channels, "channel")));
}

PsdHeader read_start(const Source& source, PsdScanner& scanner) {
    if (!begins_with(scanner.take(4), "8BPS"))
        fail(source, "corrupt PSD");
    const std::uint64_t version = scanner.number(2);
    if (version != 1 && version != 2)
        fail(source, "unsupported PSD: neither of version 1 nor of version 2 (PSB)");
    scanner.take(6);
    PsdHeader header{.big = version == 2};
    header.stored_channels = scanner.number(2);
    header.height = scanner.number(4);
    header.width = scanner.number(4);
    header.bits = scanner.number(2);
    const std::uint64_t mode = scanner.number(2);
    header.mode = static_cast<PsdMode>(mode);
    check(source, header, mode);
    return header;
}

std::optional<Density> density_of(std::span<const std::byte> resolution) {
    const Density density{static_cast<double>(big_number(resolution, 4)) / 65536,
                          static_cast<double>(big_number(resolution.subspan(8), 4)) / 65536,
                          Density::Unit::inch};
    return density.x > 0 && density.y > 0 ? std::optional(density) : std::nullopt;
}

std::vector<std::byte> bytes_of(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
}

/// What belongs to the whole file: profile, EXIF and the like, each with its number.
void read_resources(const Source& source, std::span<const std::byte> bytes, PsdHeader& header) {
    constexpr std::uint64_t resolution = 1005;
    constexpr std::uint64_t icc = 1039;
    constexpr std::uint64_t transparent_index = 1047;
    constexpr std::uint64_t alpha_identifiers = 1053;
    constexpr std::uint64_t version_info = 1057;
    constexpr std::uint64_t exif = 1058;
    constexpr std::uint64_t xmp = 1060;
    PsdScanner scanner(source, bytes);
    while (scanner.left() >= 12) { // less is padding
        scanner.take(4);           // "8BIM", or another program's
        const std::uint64_t id = scanner.number(2);
        const std::uint64_t name = scanner.number(1);
        scanner.take(name + (name + 1) % 2);
        const std::uint64_t size = scanner.number(4);
        const auto data = scanner.take(size);
        if (size % 2 != 0 && scanner.left() > 0)
            scanner.take(1);
        if (id == resolution && size >= 16) { // fixed point, on an inch whatever unit is shown
            header.metadata.density = density_of(data);
        } else if (id == icc) {
            header.metadata.icc = bytes_of(data);
        } else if (id == iptc_resource) {
            header.metadata.iptc = iptc_in(data);
        } else if (id == exif) {
            header.metadata.exif = bytes_of(data);
        } else if (id == xmp) {
            header.metadata.xmp = bytes_of(data);
        } else if (id == transparent_index && size >= 2 && header.mode == PsdMode::indexed) {
            header.transparent_index = big_number(data, 2);
        } else if (id == alpha_identifiers) {
            for (std::size_t i = 0; i + 4 <= data.size(); i += 4) // 0 is that of the whole picture
                header.transparent = header.transparent || big_number(data.subspan(i), 4) == 0;
        } else if (id == version_info && size >= 5 && data[4] == std::byte{0}) {
            fail(source, "PSD without a flattened image: save it with maximum compatibility");
        }
    }
    header.metadata = sound(source, std::move(header.metadata));
}

bool is_negative(std::uint64_t count) {
    return count >= 0x8000;
}

/// Whether blocks behind the layers say that the first channel after the colours is how transparent the
/// picture is: with 16 and 32 bits the layers stand in one of them, and in the end a block without content
/// may say it.
bool blocks_say_transparent(PsdScanner& scanner, bool big) {
    constexpr std::array<std::string_view, 13> wide{"LMsk", "Lr16", "Lr32", "Layr", "Mt16", "Mt32", "Mtrn",
                                                    "Alph", "FMsk", "lnk2", "FEid", "FXid", "PxSD"};
    while (scanner.left() >= 12) {
        scanner.take(4);
        const auto key = scanner.take(4);
        const auto is = [key](std::string_view name) { return begins_with(key, name); };
        if (is("Mtrn") || is("Mt16") || is("Mt32"))
            return true;
        const bool is_wide = big && std::ranges::any_of(wide, is);
        if (is_wide && scanner.left() < 8)
            return false;
        const std::uint64_t size = scanner.number(is_wide ? 8 : 4);
        const auto data = scanner.take(std::min<std::uint64_t>((size + 3) / 4 * 4, scanner.left()));
        if ((is("Lr16") || is("Lr32")) && data.size() >= 2 && is_negative(big_number(data, 2)))
            return true;
    }
    return false;
}

/// Whether the first channel after the colours is how transparent the picture is. It is where the number of
/// layers is negative, or a block says so; other channels are selections that were saved.
bool says_transparent(const Source& source, std::span<const std::byte> bytes, bool big) {
    const std::size_t length = big ? 8 : 4;
    if (bytes.size() < length)
        return false;
    PsdScanner scanner(source, bytes);
    const auto layers = scanner.section(length);
    if (layers.size() >= 2 && is_negative(big_number(layers, 2)))
        return true;
    if (scanner.left() >= 4)
        scanner.section(); // the mask
    return blocks_say_transparent(scanner, big);
}

} // namespace

std::span<const std::byte> PsdScanner::take(std::uint64_t count) {
    if (count > bytes_.size())
        fail(source_, "truncated PSD");
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
}

std::uint64_t PsdScanner::number(std::size_t size) {
    return big_number(take(size), size);
}

Form PsdHeader::form() const {
    const int colours = mode == PsdMode::rgb || mode == PsdMode::cmyk || mode == PsdMode::indexed ? 3 : 1;
    const bool alpha = transparent || transparent_index < 256;
    return {static_cast<int>(width), static_cast<int>(height), colours + (alpha ? 1 : 0),
            bits == 32   ? Depth::f32
            : bits == 16 ? Depth::u16
                         : Depth::u8};
}

PsdHeader read_psd_header(const Source& source, PsdScanner& scanner) {
    PsdHeader header = read_start(source, scanner);
    header.palette = scanner.section();
    if (header.mode == PsdMode::indexed && header.palette.size() < 768)
        fail(source, "corrupt PSD: no palette");
    read_resources(source, scanner.section(), header);
    const auto layers = scanner.section(header.big ? 8 : 4);
    const bool spare = header.stored_channels > colours_of(header.mode);
    header.transparent = spare && header.mode != PsdMode::indexed && header.mode != PsdMode::bitmap &&
                         (header.transparent || says_transparent(source, layers, header.big));
    check_size(source, header.width, header.height, 64 * 8);
    if (header.mode == PsdMode::cmyk)
        header.inks = InkColours::of(source, header.metadata);
    return header;
}

} // namespace glproc::codecs
