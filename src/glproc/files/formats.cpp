#include "glproc/files/formats.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/output.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {
namespace codecs {
namespace {

constexpr std::array all_readers{
    Reader{Format::png, "png", "PNG", decode_png, inspect_png, png_rows},
    Reader{Format::jpeg, "jpg", "JPEG", decode_jpeg, inspect_jpeg, jpeg_rows, salvage_jpeg},
    Reader{Format::pnm, "pnm", "PNM", decode_pnm, inspect_pnm, pnm_rows},
    Reader{Format::pfm, "pfm", "PFM", decode_pfm, inspect_pfm, pfm_rows},
    Reader{Format::bmp, "bmp", "BMP", decode_bmp, inspect_bmp},
    Reader{Format::tga, "tga", "TGA", decode_tga, inspect_tga},
    Reader{Format::hdr, "hdr", "Radiance HDR", decode_hdr, inspect_hdr},
    Reader{Format::gif, "gif", "GIF", decode_gif, inspect_gif},
    Reader{Format::psd, "psd", "PSD", decode_psd, inspect_psd},
    Reader{Format::pic, "pic", "Softimage PIC", decode_pic, inspect_decoded<decode_pic>},
#ifdef GLPROC_WITH_TIFF
    Reader{Format::tiff, "tif", "TIFF", decode_tiff, inspect_tiff, tiff_rows},
#else
    Reader{Format::tiff, "tif", "TIFF", decode_module<tiff_module>, inspect_module<tiff_module>, nullptr,
           nullptr, &tiff_module},
#endif
    Reader{Format::webp, "webp", "WebP", decode_webp, inspect_module<webp_module>, nullptr, nullptr,
           &webp_module},
    Reader{Format::exr, "exr", "OpenEXR", decode_exr, inspect_module<exr_module>, nullptr, nullptr,
           &exr_module},
    Reader{Format::jxl, "jxl", "JPEG XL", decode_jxl, inspect_module<jxl_module>, nullptr, nullptr,
           &jxl_module},
    Reader{Format::heic, "heic", "HEIF", decode_heif, inspect_module<heif_module>, nullptr, nullptr,
           &heif_module},
    Reader{Format::avif, "avif", "AVIF", decode_heif, inspect_module<heif_module>, nullptr, nullptr,
           &heif_module},
};

constexpr std::array all_writers{
    Writer{"png", "PNG", "1234", "bw", encode_png, png_writer},
    Writer{"jpg", "JPEG", "13", "b", encode_jpeg, jpeg_writer},
    Writer{"jpeg", "JPEG", "13", "b", encode_jpeg, jpeg_writer},
    Writer{"pgm", "PGM", "1", "bw", encode_pnm, pnm_writer},
    Writer{"ppm", "PPM", "3", "bw", encode_pnm, pnm_writer},
    Writer{"pnm", "PNM", "1234", "bw", encode_pnm, pnm_writer},
    Writer{"pam", "PAM", "1234", "bw", encode_pnm, pnm_writer},
    Writer{"pfm", "PFM", "13", "f", encode_pfm, pfm_writer},
    Writer{"bmp", "BMP", "134", "b", encode_bmp},
    Writer{"tga", "TGA", "1234", "b", encode_tga},
    Writer{"hdr", "Radiance HDR", "3", "f", encode_hdr},
    Writer{"gif", "GIF", "34", "b", encode_gif},
    Writer{"apng", "APNG", "1234", "bw", encode_png, png_writer},
#ifdef GLPROC_WITH_TIFF
    Writer{"tif", "TIFF", "1234", "bwf", encode_tiff, tiff_writer},
    Writer{"tiff", "TIFF", "1234", "bwf", encode_tiff, tiff_writer},
#else
    Writer{"tif", "TIFF", "1234", "bwf", encode_module<tiff_module>, nullptr, &tiff_module},
    Writer{"tiff", "TIFF", "1234", "bwf", encode_module<tiff_module>, nullptr, &tiff_module},
#endif
    Writer{"webp", "WebP", "34", "b", encode_module<webp_module>, nullptr, &webp_module},
    Writer{"exr", "OpenEXR", "1234", "f", encode_module<exr_module>, nullptr, &exr_module},
    Writer{"jxl", "JPEG XL", "1234", "bwf", encode_module<jxl_module>, nullptr, &jxl_module},
    Writer{"heic", "HEIC", "34", "b", encode_module<heif_module>, nullptr, &heif_module},
    Writer{"avif", "AVIF", "34", "bw", encode_module<heif_module>, nullptr, &heif_module},
};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

bool starts_with(std::span<const std::byte> bytes, std::string_view start) {
    return bytes.size() >= start.size() &&
           std::equal(start.begin(), start.end(), bytes.begin(),
                      [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

bool is_pnm(std::span<const std::byte> bytes) {
    return bytes.size() > 2 && bytes[0] == std::byte{'P'} && bytes[1] >= std::byte{'1'} &&
           bytes[1] <= std::byte{'7'} &&
           std::string_view(" \t\r\n#").find(std::to_integer<char>(bytes[2])) != std::string_view::npos;
}

bool is_pfm(std::span<const std::byte> bytes) {
    return (starts_with(bytes, "PF") || starts_with(bytes, "Pf")) && bytes.size() > 2 &&
           std::string_view(" \t\r\n#").find(std::to_integer<char>(bytes[2])) != std::string_view::npos;
}

bool is_webp(std::span<const std::byte> bytes) {
    return starts_with(bytes, "RIFF") && bytes.size() >= 12 && starts_with(bytes.subspan(8), "WEBP");
}

/// HEIF or AVIF, by the major brand of a file of the ISO base media format.
std::optional<Format> heif_kind(std::span<const std::byte> bytes) {
    if (bytes.size() < 12 || !starts_with(bytes.subspan(4), "ftyp"))
        return std::nullopt;
    for (const std::string_view brand : {"avif", "avis"}) {
        if (starts_with(bytes.subspan(8), brand))
            return Format::avif;
    }
    for (const std::string_view brand : {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"}) {
        if (starts_with(bytes.subspan(8), brand))
            return Format::heic;
    }
    return std::nullopt;
}

} // namespace

std::span<const Reader> readers() {
    return all_readers;
}

std::span<const Writer> writers() {
    return all_writers;
}

const Reader& reader_of(Format format) {
    return *std::ranges::find(all_readers, format, &Reader::format);
}

bool ends_as_tga(std::span<const std::byte> bytes) {
    return bytes.size() > tga_footer_bytes && starts_with(bytes.last(tga_signature.size()), tga_signature);
}

namespace {

/// Of a file of which only the start may be in memory.
bool has_tga_footer(const Source& source) {
    std::array<std::byte, tga_footer_bytes + 1> end{};
    const std::uint64_t size = source.size();
    return size >= end.size() && source.read_at(size - end.size(), end) == end.size() && ends_as_tga(end);
}

} // namespace

const Reader& reader_for(const Source& source, std::span<const std::byte> start, Parsing parsing) {
    if (start.empty())
        fail(source, "empty file");
    auto format = sniff(start);
    if (!format && (format_of(source.name) == Format::tga || has_tga_footer(source)))
        format = Format::tga;
    if (!format) {
        std::vector<std::string_view> known;
        for (const Reader& reader : all_readers) {
            if (is_there(reader))
                known.push_back(reader.extension);
        }
        throw Error(ErrorCode::input, fmt::format("{}: unknown image format", source.name),
                    fmt::format("formats that can be read: {}", fmt::join(known, ", ")));
    }
    check_admitted(*format, parsing, source.name);
    return reader_of(*format);
}

std::string extension_in(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    const std::string_view file = slash == std::string_view::npos ? name : name.substr(slash + 1);
    const std::size_t dot = file.rfind('.');
    if (dot != std::string_view::npos)
        return lower(file.substr(dot + 1));
    return slash == std::string_view::npos ? lower(file) : std::string();
}

} // namespace codecs

std::optional<Format> sniff(std::span<const std::byte> bytes) {
    struct Signature {
        std::string_view start;
        Format format;
    };
    using namespace std::string_view_literals;
    constexpr std::array signatures{
        Signature{"\x89PNG\r\n\x1a\n", Format::png},
        Signature{"\xff\xd8\xff", Format::jpeg},
        Signature{"BM", Format::bmp},
        Signature{"#?RADIANCE\n", Format::hdr},
        Signature{"#?RGBE\n", Format::hdr},
        Signature{"GIF87a", Format::gif},
        Signature{"GIF89a", Format::gif},
        Signature{"8BPS", Format::psd},
        Signature{"\x53\x80\xf6\x34", Format::pic},
        Signature{"II*\0"sv, Format::tiff},
        Signature{"MM\0*"sv, Format::tiff},
        Signature{"II+\0"sv, Format::tiff},
        Signature{"MM\0+"sv, Format::tiff},
        Signature{"\x76\x2f\x31\x01", Format::exr},
        Signature{"\xff\x0a", Format::jxl},
        Signature{"\0\0\0\x0cJXL \r\n\x87\n"sv, Format::jxl},
    };
    for (const auto& [start, format] : signatures) {
        if (codecs::starts_with(bytes, start))
            return format;
    }
    if (codecs::is_webp(bytes))
        return Format::webp;
    if (const auto kind = codecs::heif_kind(bytes))
        return kind;
    if (codecs::is_pfm(bytes))
        return Format::pfm;
    if (codecs::is_pnm(bytes))
        return Format::pnm;
    return codecs::ends_as_tga(bytes) ? std::optional(Format::tga) : std::nullopt;
}

std::optional<Format> format_of(std::string_view extension) {
    const std::string name = codecs::extension_in(extension);
    for (const codecs::Reader& reader : codecs::readers()) {
        if (reader.extension == name)
            return reader.format;
    }
    struct Alias {
        std::string_view name;
        Format format;
    };
    constexpr std::array aliases{Alias{"jpeg", Format::jpeg}, Alias{"tiff", Format::tiff},
                                 Alias{"apng", Format::png},  Alias{"heif", Format::heic},
                                 Alias{"pbm", Format::pnm},   Alias{"pgm", Format::pnm},
                                 Alias{"ppm", Format::pnm},   Alias{"pam", Format::pnm}};
    for (const Alias& alias : aliases) {
        if (alias.name == name)
            return alias.format;
    }
    return std::nullopt;
}

std::string_view extension_of(Format format) {
    return codecs::reader_of(format).extension;
}

std::string_view title_of(Format format) {
    return codecs::reader_of(format).title;
}

} // namespace glproc
