// The chunks of a PNG file that hold metadata: iCCP, eXIf, and iTXt for XMP. https://www.w3.org/TR/png-3/;
// XMP specification part 3, 1.1.5.
#include "glproc/image/deflate.hpp"
#include "glproc/image/png_layout.hpp"

#include <optional>

namespace glproc::codecs {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view xmp_keyword = "XML:com.adobe.xmp\0"sv;
constexpr std::size_t max_inflated = std::size_t{1} << 26U; ///< nothing honest is larger

/// What a zlib stream holds, if it is whole and not too large.
std::optional<std::vector<std::byte>> inflate(ByteView packed) {
    const Decompressor decompressor = make_decompressor();
    for (std::size_t room = std::min(packed.size() * 4 + 4096, max_inflated);;
         room = std::min(room * 4, max_inflated)) {
        std::vector<std::byte> out(room);
        std::size_t size = 0;
        const libdeflate_result result = libdeflate_zlib_decompress(decompressor.get(), packed.data(),
                                                                    packed.size(), out.data(), room, &size);
        if (result == LIBDEFLATE_SUCCESS) {
            out.resize(size);
            return out;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE || room == max_inflated)
            return std::nullopt;
    }
}

std::vector<std::byte> deflate(ByteView bytes) {
    const Compressor compressor = make_compressor(6);
    std::vector<std::byte> out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()));
    out.resize(
        libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
    return out;
}

/// What follows the next zero byte, which ends a text; nothing where there is none.
std::optional<ByteView> behind_text(ByteView bytes) {
    const auto end = std::ranges::find(bytes, std::byte{0});
    if (end == bytes.end())
        return std::nullopt;
    return bytes.subspan(static_cast<std::size_t>(end - bytes.begin()) + 1);
}

/// Name, method, zlib stream.
std::vector<std::byte> read_icc(const Source& source, ByteView chunk) {
    const auto rest = behind_text(chunk);
    if (rest && !rest->empty()) {
        if (auto profile = inflate(rest->subspan(1)))
            return std::move(*profile);
    }
    note(source, "the ICC profile cannot be unpacked; it is left out");
    return {};
}

/// Keyword, compressed?, method, language, translated keyword, text.
std::vector<std::byte> read_xmp(const Source& source, ByteView chunk) {
    const ByteView flags = chunk.subspan(xmp_keyword.size());
    auto text = flags.size() < 2 ? std::nullopt : behind_text(flags.subspan(2));
    text = text ? behind_text(*text) : text;
    if (text && flags[0] == std::byte{0})
        return copy_of(*text);
    if (text) {
        if (auto inflated = inflate(*text))
            return std::move(*inflated);
    }
    note(source, "XMP cannot be unpacked; it is left out");
    return {};
}

} // namespace

void read_png_metadata(const Source& source, const PngChunks& chunks, const PngChunk& chunk,
                       Metadata& metadata) {
    if (chunk.type() == "iCCP" && metadata.icc.empty()) {
        metadata.icc = read_icc(source, chunks.read(chunk));
    } else if (chunk.type() == "eXIf" && metadata.exif.empty()) {
        metadata.exif = chunks.read(chunk);
    } else if (chunk.type() == "iTXt" && metadata.xmp.empty()) {
        const std::vector<std::byte> data = chunks.read(chunk);
        if (begins_with(data, xmp_keyword))
            metadata.xmp = read_xmp(source, data);
    }
}

std::vector<std::byte> png_metadata(const Metadata& metadata) {
    std::vector<std::byte> out;
    if (!metadata.icc.empty()) {
        std::vector<std::byte> chunk;
        put(chunk, "ICC profile\0\0"sv);
        put(chunk, deflate(metadata.icc));
        put_chunk(out, "iCCP", chunk);
    }
    if (!metadata.exif.empty())
        put_chunk(out, "eXIf", metadata.exif);
    if (!metadata.xmp.empty()) {
        std::vector<std::byte> chunk;
        put(chunk, xmp_keyword);
        put(chunk, "\0\0\0\0"sv);
        put(chunk, metadata.xmp);
        put_chunk(out, "iTXt", chunk);
    }
    return out;
}

Metadata sound(const Source& source, Metadata metadata) {
    constexpr std::size_t icc_header = 128;
    const auto& icc = metadata.icc;
    if (!icc.empty() && (icc.size() < icc_header || !begins_with(ByteView(icc).subspan(36), "acsp"))) {
        note(source, "the ICC profile is none; it is left out");
        metadata.icc.clear();
    }
    const auto& exif = metadata.exif;
    if (!exif.empty() &&
        (exif.size() < 8 || !(begins_with(exif, "II*\0"sv) || begins_with(exif, "MM\0*"sv)))) {
        note(source, "the EXIF data are none; they are left out");
        metadata.exif.clear();
    }
    return metadata;
}

} // namespace glproc::codecs
