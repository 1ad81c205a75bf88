// The one face of all image formats: pictures from bytes and files, and back.
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// The formats that can be read. GIF (first frame) and PSD (flattened picture) cannot be written; TIFF
/// (first picture) is there in builds with GLPROC_TIFF.
enum class Format { png, jpeg, pnm, pfm, bmp, tga, hdr, gif, psd, tiff };

/// What is odd about a file but no reason to refuse it, "name: what".
using Notes = std::vector<std::string>;

struct DecodeOptions {
    std::uint64_t max_pixels = std::uint64_t{1} << 32U; ///< width × height; more is refused unallocated
    Notes* notes = nullptr;                             ///< gets what is odd
};

/// Of a JPEG whose source tells none.
constexpr int default_quality = 90;

struct EncodeOptions {
    std::optional<int> quality{};             ///< JPEG, 1-100; unset: that of a JPEG the picture comes from, or 90
    std::optional<Subsampling> subsampling{}; ///< JPEG; unset: as of quality, else 4:4:4 from quality 90 on
    bool progressive = false;                 ///< JPEG
    int png_level =
        1; ///< effort of the PNG compressor, 0 (none) to 12 (smallest); the pixels are always exact
    Notes* notes = nullptr; ///< gets what of the metadata did not fit
};

/// The format of a file's content, or nothing. TGA has no signature and is never recognised here.
std::optional<Format> sniff(std::span<const std::byte> bytes);

/// The format that an extension names, upper or lower case, with or without its dot: "png", ".JPG", "pgm".
std::optional<Format> format_of(std::string_view extension);

/// The extension a file of this format usually has, without a dot: "png", "jpg", "pnm".
std::string_view extension_of(Format format);

/// What encode() and save() accept, without dots: "png", "jpg", "jpeg", "pgm", …
std::vector<std::string> writable_extensions();

/// Throws Error(usage) unless the extension of `name` (a path, or an extension alone) is one that can be
/// written.
void check_encodable(std::string_view name);

/// Throws Error(usage), with a hint naming the formats that fit, unless the format that the extension of
/// `name` asks for holds such images exactly: depth and number of channels are never changed to fit a format.
void check_encodable(std::string_view name, int channels, Depth depth);

/// The picture in `bytes`, with the file's own depth and channel count: palettes are expanded, 1-, 2- and
/// 4-bit grey becomes 8-bit, GIF has an alpha channel only where a pixel is transparent. The picture is
/// upright: where EXIF says how to turn it, that is done and the metadata say so no more. The format is
/// recognised by content; `name` is for messages, and its extension tells TGA. Throws Error(input), "name:
/// reason", for anything that is not a whole picture.
Image decode(std::span<const std::byte> bytes, std::string_view name, const DecodeOptions& options = {});

/// A file, with the image's metadata as far as the format has a place for them, in the format that the
/// extension of `name` (a path, or an extension alone) asks for. Throws Error(usage) as check_encodable()
/// does and for options out of range, Error(output) for values or sizes the format cannot hold.
std::vector<std::byte> encode(const Image& image, std::string_view name, const EncodeOptions& options = {});

/// decode() of a file. Throws Error(input), "x.png: no such file".
Image load(const std::filesystem::path& path, const DecodeOptions& options = {});

/// encode() into a file, which is replaced in one step or not at all (AtomicFile). Throws as encode(), and
/// Error(output) where the file cannot be written.
void save(const Image& image, const std::filesystem::path& path, const EncodeOptions& options = {});

} // namespace glproc
