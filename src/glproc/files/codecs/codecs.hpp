// What the codecs share with codec.cpp and no other file. Each codec has a file of its own.
#pragma once

#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/module_file.hpp"
#include "glproc/files/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::codecs {

/// A file to decode: in memory, or open, which only the codecs know that give rows.
/// Where a page of a TIFF is.
struct TiffPlace {
    std::uint64_t directory = 0;
    /// Of a page without a directory of its own: how far its pixels lie behind those of this one.
    std::uint64_t shift = 0;
};

struct Source {
    std::span<const std::byte> bytes;
    std::string_view name; ///< for messages
    std::uint64_t max_pixels;
    Notes* notes = nullptr;
    const OpenFile* file = nullptr; ///< then `bytes` are empty
    bool alone = false;             ///< as DecodeOptions has it
    bool salvages = false;          ///< known to be broken: what comes before the damage is wanted
    bool keep_partial = false;      ///< as DecodeOptions has it
    bool frames_told = false;       ///< PNG: what there is to say of its frames was said
    std::optional<Extent> box{};    ///< as DecodeOptions has it
    std::optional<TiffPlace> page{}; ///< TIFF; unset: the first one

    std::uint64_t size() const { return file == nullptr ? bytes.size() : file->size(); }

    /// Fills `out` from `offset` on. Returns how many bytes there were. Throws Error(input).
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) const;
};

/// Throws Error(input), "name: reason".
[[noreturn]] void fail(const Source& source, std::string_view reason);

/// Reports what is odd about the file, if the caller asked for notes.
void note(const Source& source, std::string_view what);

/// What a header promises, checked before anything is allocated: sizes of 0, beyond max_pixels, and more
/// pixels than `max_pixels_per_byte` × the file's size are refused. A lying header must not cost memory.
void check_size(const Source& source, std::uint64_t width, std::uint64_t height, double max_pixels_per_byte);

/// check_size(), then a zero-filled image.
Image allocate(const Source& source, std::uint64_t width, std::uint64_t height, int channels, Depth depth,
               double max_pixels_per_byte);

/// One image by the decoder of its format, upright; with `keep_partial`, what comes before the damage in a
/// broken one.
Image decode_still(Format format, const Source& source);

/// Whether a file ends as TGAs of version 2.0 do: what they begin with says nothing.
bool ends_as_tga(std::span<const std::byte> bytes);
inline constexpr std::size_t tga_footer_bytes = 26;
inline constexpr std::string_view tga_signature("TRUEVISION-XFILE.\0", 18); ///< at its end

/// A picture to encode; its depth and channel count are known to fit the format.
struct Job {
    const Image& image;
    std::string_view name;      ///< for messages
    std::string_view extension; ///< lower case, without its dot
    const EncodeOptions& options;
};

/// Throws Error(output), "name: reason".
[[noreturn]] void fail(const Job& job, std::string_view reason);
[[noreturn]] void fail_output(std::string_view name, std::string_view reason);
void note(const Job& job, std::string_view what);

/// The metadata with what is broken left out, and noted. Where the file itself states no density, that of its
/// EXIF.
Metadata sound(const Source& source, Metadata metadata);

/// Of a file that has been decoded.
Metadata read_jpeg_metadata(const Source& source);

/// The chunks or segments that hold the image's metadata.
std::vector<std::byte> png_metadata(const Metadata& metadata);
std::vector<std::byte> jpeg_metadata(const Job& job);

/// The picture as rows, the header read and checked. Nothing where it cannot come in rows, or not upright.
/// The decoders below read their whole pictures through the same readers.
std::unique_ptr<RowReader> png_rows(const Source& source);
std::unique_ptr<RowReader> pnm_rows(const Source& source);
std::unique_ptr<RowReader> pfm_rows(const Source& source);
std::unique_ptr<RowReader> tiff_rows(const Source& source);
std::unique_ptr<RowReader> jpeg_rows(const Source& source);

/// By the format's reader of rows; nothing where it has none, or that gives none.
std::unique_ptr<RowReader> rows_of(Format format, const Source& source);

/// The whole picture of a reader that is at row 0.
Image read_all(RowReader& rows);

/// What a file says before its pixels.
struct Summary {
    Form form; ///< as stored: not turned yet
    Metadata metadata{};
    int orientation = 1; ///< where the format has a place of its own for it, other than EXIF
    int frames = 1;
};

Summary summary_of(const RowReader& rows);

Summary inspect_png(const Source& source);
Summary inspect_jpeg(const Source& source);
Summary inspect_pnm(const Source& source);
Summary inspect_pfm(const Source& source);
Summary inspect_bmp(const Source& source);
Summary inspect_tga(const Source& source);
Summary inspect_hdr(const Source& source);
Summary inspect_psd(const Source& source);
Summary inspect_gif(const Source& source);
Summary inspect_tiff(const Source& source);

/// Of a format whose header says too little. Even who wants no limit gets one here.
template <Image (*decode)(const Source&)>
Summary inspect_decoded(const Source& source) {
    Source limited = source;
    limited.max_pixels = std::min(source.max_pixels, DecodeOptions{}.max_pixels);
    const Image image = decode(limited);
    return {.form = image.form(), .metadata = image.metadata()};
}

/// What could be read of a broken picture.
struct Salvage {
    Image image;
    int rows = 0;          ///< that came before the damage, from the first on
    bool is_rough = false; ///< all of them came, without what later passes over the picture would have added
};

/// Throws Error(input) where the file has no sound header.
Salvage salvage_jpeg(const Source& source);

Image decode_png(const Source& source);
Image decode_jpeg(const Source& source);
Image decode_pnm(const Source& source);
Image decode_pfm(const Source& source);
Image decode_bmp(const Source& source);
Image decode_tga(const Source& source);
Image decode_hdr(const Source& source);
Image decode_gif(const Source& source);
Image decode_psd(const Source& source);
Image decode_pic(const Source& source);
Image decode_tiff(const Source& source);

/// All of them throw Error where the module or its library is missing, with a hint which to install.
Image decode_by_module(const ModuleInfo& info, const Source& source);
Summary inspect_by_module(const ModuleInfo& info, const Source& source);
std::vector<std::byte> encode_by_module(const ModuleInfo& info, const Job& job);
void check_module(const ModuleInfo& info, std::string_view name);

/// decode_webp() and so on.
template <const ModuleInfo& info>
Image decode_module(const Source& source) {
    return decode_by_module(info, source);
}
template <const ModuleInfo& info>
Summary inspect_module(const Source& source) {
    return inspect_by_module(info, source);
}
template <const ModuleInfo& info>
std::vector<std::byte> encode_module(const Job& job) {
    return encode_by_module(info, job);
}
inline constexpr auto decode_webp = decode_module<webp_module>;
inline constexpr auto decode_exr = decode_module<exr_module>;
inline constexpr auto decode_jxl = decode_module<jxl_module>;
inline constexpr auto decode_heif = decode_module<heif_module>;

/// Of pages, in order: of pictures that are no small version or mask of another.
struct TiffDirectories {
    std::vector<TiffPlace> places;
    std::string damage; ///< what is wrong behind the last of them, "truncated TIFF"; empty where nothing is
};
TiffDirectories tiff_directories(const Source& source);

/// Of a file that begins like a GIF: how many frames stand in it, up to what is no block of a GIF.
int count_gif_frames(std::span<const std::byte> file);

class Output;

/// A picture to encode row by row.
struct RowJob {
    Form form;
    Metadata metadata;
    std::string name;      ///< for messages
    std::string extension; ///< lower case, without its dot
    EncodeOptions options;
};

/// Encoders that write to `output`, which must outlive them, and finish it.
std::unique_ptr<RowWriter> png_writer(RowJob job, Output& output);
std::unique_ptr<RowWriter> pnm_writer(RowJob job, Output& output);
std::unique_ptr<RowWriter> pfm_writer(RowJob job, Output& output);
std::unique_ptr<RowWriter> tiff_writer(RowJob job, Output& output);
std::unique_ptr<RowWriter> jpeg_writer(RowJob job, Output& output);

/// The encoder of rows that the job's name asks for; null, and nothing opened, where there is none. Throws
/// Error(usage) as encode().
std::unique_ptr<RowWriter> row_writer(RowJob job, const std::function<Output&()>& open);

/// A whole picture in memory, by an encoder of rows.
std::vector<std::byte> encode_rows(const Job& job,
                                   const std::function<std::unique_ptr<RowWriter>(RowJob, Output&)>& writer);

std::vector<std::byte> encode_png(const Job& job);
std::vector<std::byte> encode_jpeg(const Job& job);
std::vector<std::byte> encode_pnm(const Job& job);
std::vector<std::byte> encode_pfm(const Job& job);
std::vector<std::byte> encode_bmp(const Job& job);
std::vector<std::byte> encode_gif(const Job& job);
std::vector<std::byte> encode_tga(const Job& job);
std::vector<std::byte> encode_hdr(const Job& job);
std::vector<std::byte> encode_tiff(const Job& job);

} // namespace glproc::codecs
