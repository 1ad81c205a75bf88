// The chunks of a PNG file that hold metadata: iCCP, eXIf, pHYs, and those of text.cpp.
// https://www.w3.org/TR/png-3/
#include "glproc/files/codecs/png/deflate.hpp"
#include "glproc/files/codecs/png/layout.hpp"
#include "glproc/files/codecs/png/text.hpp"
#include "glproc/image/exif.hpp"
#include "glproc/image/made_profile.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t max_inflated = std::size_t{1} << 26U; ///< nothing honest is larger

std::vector<std::byte> deflate(ByteView bytes) {
    const Compressor compressor = make_compressor(6);
    std::vector<std::byte> out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
    out.resize(
        libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
    return out;
}

/// Name, method, zlib stream.
std::vector<std::byte> read_icc(const Source& source, ByteView chunk, PngBudget& budget) {
    const auto name_end = std::ranges::find(chunk, std::byte{0});
    if (chunk.end() - name_end > 2) {
        if (auto profile = inflate_block(
                chunk.subspan(static_cast<std::size_t>(name_end - chunk.begin()) + 2), max_inflated, budget))
            return std::move(*profile);
    }
    note(source, "the ICC profile cannot be unpacked; it is left out");
    return {};
}

/// Pixels on a metre, or in proportion.
std::optional<Density> read_density(ByteView chunk) {
    if (chunk.size() != 9 || big_number(chunk, 4) == 0 || big_number(chunk.subspan(4), 4) == 0)
        return std::nullopt;
    return Density{static_cast<double>(big_number(chunk, 4)),
                   static_cast<double>(big_number(chunk.subspan(4), 4)),
                   chunk[8] == std::byte{1} ? Density::Unit::metre : Density::Unit::none};
}

void put_density(std::vector<std::byte>& out, const Density& density) {
    const Density metric = density.whole().in(Density::Unit::metre);
    std::vector<std::byte> data;
    for (const double value : {metric.x, metric.y})
        put_big(data, static_cast<std::uint64_t>(std::clamp(std::round(value), 1.0, 2147483647.0)), 4);
    put_big(data, metric.unit == Density::Unit::metre ? 1 : 0, 1);
    put_chunk(out, "pHYs", data);
}

} // namespace

bool PngColours::take(std::string_view type, ByteView data) {
    const auto number = [&](std::size_t i) { return static_cast<double>(big_number(data.subspan(4 * i), 4)); };
    if (type == "gAMA" && data.size() == 4 && number(0) > 0) {
        gamma = 100000 / number(0);
    } else if (type == "cHRM" && data.size() == 32) {
        Chromaticities read{};
        for (std::size_t i = 0; i < 8; ++i) // white comes first
            read.at((i + 6) % 8) = number(i) / 100000;
        chromaticities = read;
    } else if (type == "cICP" && data.size() == 4) {
        numbers = {std::to_integer<int>(data[0]), std::to_integer<int>(data[1])};
    } else if (type == "sRGB") {
        is_srgb = true;
    } else {
        return false;
    }
    return true;
}

namespace {

/// Of the numbers of ITU-T H.273 those that a profile of a curve and three primaries can say.
std::optional<ProfileColours> colours_of(const std::array<int, 2>& numbers) {
    const auto [primaries, transfer] = numbers;
    ProfileColours colours{.name = "By cICP"};
    switch (primaries) {
    case 1:
        break;
    case 9:
        colours.chromaticities = {0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290};
        break;
    case 12:
        colours.chromaticities = {0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290};
        break;
    default:
        return std::nullopt;
    }
    switch (transfer) {
    case 4:
        colours.gamma = 2.2;
        break;
    case 5:
        colours.gamma = 2.8;
        break;
    case 8:
        colours.gamma = 1;
        break;
    case 13:
        break;
    default:
        return std::nullopt;
    }
    return colours;
}

bool is_near(const Chromaticities& a, const Chromaticities& b) {
    constexpr double fine = 0.0015; // of values that others round to three digits
    return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return std::abs(x - y) < fine; });
}

} // namespace

std::vector<std::byte> PngColours::profile(const Source& source, bool is_grey) const {
    ProfileColours said{.name = "By gAMA and cHRM"};
    if (numbers) {
        const std::optional<ProfileColours> known = colours_of(*numbers);
        if (!known) {
            note(source, fmt::format("its colours are number {}, {} of cICP, which is left out: they change",
                                     numbers->at(0), numbers->at(1)));
            return {};
        }
        said = *known;
    } else if (!is_srgb) {
        const bool is_usual = !gamma || std::abs(*gamma - 2.2) < 0.05;
        said.gamma = is_usual ? 0 : *gamma;
        said.chromaticities = chromaticities.value_or(srgb_chromaticities);
    }
    said.is_grey = is_grey;
    const bool is_srgb_anyway =
        said.gamma == 0 && (is_grey || is_near(said.chromaticities, srgb_chromaticities));
    return is_srgb_anyway ? std::vector<std::byte>{} : made_profile(said);
}

void read_png_metadata(const Source& source, const PngChunks& chunks, const PngChunk& chunk,
                       Metadata& metadata, PngColours& colours, PngBudget& budget) {
    if (chunk.type() == "iCCP" && metadata.icc.empty()) {
        metadata.icc = read_icc(source, chunks.read(chunk), budget);
    } else if (chunk.type() == "eXIf" && metadata.exif.empty()) {
        metadata.exif = chunks.read(chunk);
    } else if (chunk.type() == "pHYs" && !metadata.density) {
        metadata.density = read_density(chunks.read(chunk));
    } else if (colours.take(chunk.type(), chunk.size <= 32 ? chunks.read(chunk) : std::vector<std::byte>{})) {
        return;
    } else if (is_png_text(chunk.type())) {
        read_png_text(source, chunk.type(), chunks.read(chunk), metadata, budget);
    }
}

std::vector<std::byte> png_metadata(const Metadata& metadata) {
    std::vector<std::byte> out;
    if (!metadata.icc.empty()) {
        std::vector<std::byte> chunk = copy_of(std::as_bytes(std::span("ICC profile\0\0"sv)));
        put(chunk, deflate(metadata.icc));
        put_chunk(out, "iCCP", chunk);
    }
    if (!metadata.exif.empty())
        put_chunk(out, "eXIf", exif_that_agrees(metadata));
    if (metadata.density && metadata.density->possible())
        put_density(out, *metadata.density);
    put_png_texts(out, metadata);
    return out;
}

Metadata sound(const Source& source, Metadata metadata) {
    constexpr std::size_t icc_header = 128;
    const auto& icc = metadata.icc;
    if (!icc.empty() && (icc.size() < icc_header || !begins_with(ByteView(icc).subspan(36), "acsp"))) {
        note(source, "the ICC profile is invalid; it is left out");
        metadata.icc.clear();
    }
    const auto& exif = metadata.exif;
    if (!exif.empty() &&
        (exif.size() < 8 || !(begins_with(exif, "II*\0"sv) || begins_with(exif, "MM\0*"sv)))) {
        note(source, "the EXIF data are invalid; they are left out");
        metadata.exif.clear();
    }
    if (metadata.icc.empty() && says_adobe_rgb(metadata.exif))
        metadata.icc = made_profile({.name = "Compatible with Adobe RGB (1998)",
                                     .chromaticities = adobe_rgb_chromaticities,
                                     .gamma = 563.0 / 256});
    const auto density = glproc::density_of(metadata.exif);
    const bool told = density && density->unit != Density::Unit::none;
    if (told && (!metadata.density || metadata.density->unit == Density::Unit::none))
        metadata.density = density;
    return metadata;
}

} // namespace glproc::codecs
