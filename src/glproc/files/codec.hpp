// Reading and writing pictures in every format, from and to bytes and files.
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

/// Faults of a file that are no reason to refuse it, "name: what".
using Notes = std::vector<std::string>;

struct DecodeOptions {
    std::uint64_t max_pixels = std::uint64_t{1} << 30U; ///< width × height; more is refused unallocated
    Notes* notes = nullptr;                             ///< receives them
    bool alone = false; ///< Netpbm: more data after the picture, another one perhaps, is refused
    bool keep_partial = false; ///< of a broken file the rows before the damage, with a note; see keeps_partial()
    /// The picture is to be shrunk into this box, a side of 0 sets no limit: where that costs less it may come at a fraction of its
    /// size that is_enough() for it, as Metadata::fraction then says. Upright, as the picture is.
    std::optional<Extent> box{};
    int page = 0; ///< of a file of several pictures this one, counted from 1; 0: the first, with a note
};

/// How the pixels of a TIFF are packed; all but `none` without loss, `g4` with 1 bit a pixel.
enum class TiffCompression { none, deflate, lzw, packbits, g4 };

/// Of a JPEG whose source is not a JPEG.
constexpr int default_quality = 90;

struct EncodeOptions {
    std::optional<int> quality{}; ///< lossy formats, 1-100; unset: 90, or for JPEG that of a JPEG source
    Subsampling subsampling = Subsampling::automatic; ///< JPEG
    bool progressive = false;                         ///< JPEG
    bool optimize = true; ///< JPEG: Huffman tables that fit the picture; progressive files always have them
    int png_level =
        1; ///< effort of the PNG compressor, 0 (none) to 12 (smallest); the pixels are always exact
    /// PNG of one image and GIF: a palette of at most so many, 2 to 256, dithered where the image has more.
    std::optional<int> colours{};
    TiffCompression compression = TiffCompression::deflate; ///< TIFF; g4: of images that are black and white
    bool lossless = false;  ///< WebP and JPEG XL: every pixel exactly, in a larger file
    Notes* notes = nullptr; ///< receives what metadata was left out

    int quality_or_default() const { return quality.value_or(default_quality); }
};

/// The format, recognised by the content, or nothing. TGA only where its footer ends the bytes.
std::optional<Format> sniff(std::span<const std::byte> bytes);

/// The format that an extension names, upper or lower case, with or without its dot: "png", ".JPG", "pgm".
std::optional<Format> format_of(std::string_view extension);

/// Whether decode() can keep the sound part of a broken file of this format: of JPEG, and of those that come in
/// rows from the top.
bool keeps_partial(Format format);

/// The extension a file of this format usually has, without a dot: "png", "jpg", "pnm".
std::string_view extension_of(Format format);

/// With what quality encode() writes this format unless told, where the source was such a JPEG, if any; nothing for a
/// format that has none.
std::optional<int> usual_quality(Format format, const std::optional<JpegPacking>& source = {});

/// Its name for people: "PNG", "JPEG XL".
std::string_view title_of(Format format);

/// The extensions that encode() and save() accept, without dots: "png", "jpg", "jpeg", "pgm", …
std::vector<std::string> writable_extensions();

/// Throws Error(usage) unless the extension of `name` (a path, or just an extension) can be written.
void check_encodable(std::string_view name);

/// Throws Error(usage), with a hint that names suitable formats, unless the format of the extension of `name`
/// can hold such images exactly. Depth and channels are never changed to fit a format.
void check_encodable(std::string_view name, int channels, Depth depth);

/// The picture in `bytes`, with the file's own depth and channel count: palettes are expanded, 1-, 2- and
/// 4-bit grey becomes 8-bit, GIF has an alpha channel only where a pixel is transparent. The picture is
/// upright: the orientation in EXIF is applied, and reset in the metadata. The format is recognised by
/// content; `name` is for messages, and its extension identifies TGA. Throws Error(input), "name: reason",
/// for anything that is not a complete picture.
Image decode(std::span<const std::byte> bytes, std::string_view name, const DecodeOptions& options = {});

/// The image as a file in the format of the extension of `name` (a path, or just an extension), with the
/// metadata that the format has a place for. Throws Error(usage) as check_encodable() does and for options
/// out of range, Error(output) for values or sizes that the format cannot hold.
std::vector<std::byte> encode(const Image& image, std::string_view name, const EncodeOptions& options = {});

/// decode() of a file. Throws Error(input), "x.png: no such file".
Image load(const std::filesystem::path& path, const DecodeOptions& options = {});

/// encode() into a file, which is replaced in one step or not at all (AtomicFile). Throws what encode()
/// throws, and Error(output) if the file cannot be written.
void save(const Image& image, const std::filesystem::path& path, const EncodeOptions& options = {});

} // namespace glproc
