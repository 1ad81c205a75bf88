// The chunks of a PNG file that hold metadata: iCCP, eXIf, pHYs, and those of png_text.cpp.
// https://www.w3.org/TR/png-3/
#include "glproc/files/codecs/png/deflate.hpp"
#include "glproc/files/codecs/png/layout.hpp"
#include "glproc/files/codecs/png/text.hpp"
#include "glproc/image/exif.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

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

void read_png_metadata(const Source& source, const PngChunks& chunks, const PngChunk& chunk,
                       Metadata& metadata, PngBudget& budget) {
    if (chunk.type() == "iCCP" && metadata.icc.empty()) {
        metadata.icc = read_icc(source, chunks.read(chunk), budget);
    } else if (chunk.type() == "eXIf" && metadata.exif.empty()) {
        metadata.exif = chunks.read(chunk);
    } else if (chunk.type() == "pHYs" && !metadata.density) {
        metadata.density = read_density(chunks.read(chunk));
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
    const auto density = glproc::density_of(metadata.exif);
    const bool told = density && density->unit != Density::Unit::none;
    if (told && (!metadata.density || metadata.density->unit == Density::Unit::none))
        metadata.density = density;
    return metadata;
}

} // namespace glproc::codecs
