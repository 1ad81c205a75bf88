#include "glproc/image/codec.hpp"

#include "glproc/error.hpp"
#include "glproc/image/codecs.hpp"
#include "glproc/image/file.hpp"
#include "glproc/image/output.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {
namespace {

using namespace std::string_view_literals;
using codecs::Job;
using codecs::RowJob;
using codecs::Source;

struct Reader {
    Format format;
    std::string_view extension; ///< the usual one
    Image (*decode)(const Source&);
    std::unique_ptr<RowReader> (*rows)(const Source&) = nullptr; ///< null where it only comes as a whole
};

constexpr std::array readers{
    Reader{Format::png, "png", codecs::decode_png, codecs::png_rows},
    Reader{Format::jpeg, "jpg", codecs::decode_jpeg},
    Reader{Format::pnm, "pnm", codecs::decode_pnm, codecs::pnm_rows},
    Reader{Format::pfm, "pfm", codecs::decode_pfm, codecs::pfm_rows},
    Reader{Format::bmp, "bmp", codecs::decode_bmp},
    Reader{Format::tga, "tga", codecs::decode_tga},
    Reader{Format::hdr, "hdr", codecs::decode_hdr},
    Reader{Format::gif, "gif", codecs::decode_gif},
    Reader{Format::psd, "psd", codecs::decode_psd},
#ifdef GLPROC_WITH_TIFF
    Reader{Format::tiff, "tif", codecs::decode_tiff, codecs::tiff_rows},
#endif
};

/// One extension that can be written, and exactly what it holds.
struct Writer {
    std::string_view extension;
    std::string_view title;
    std::string_view channels; ///< each digit a channel count
    std::string_view depths;   ///< each letter a depth: b(yte), w(ord), f(loat)
    std::vector<std::byte> (*encode)(const Job&);
    std::unique_ptr<RowWriter> (*rows)(RowJob, codecs::Output&) = nullptr; ///< null: only as a whole
};

constexpr std::array writers{
    Writer{"png", "PNG", "1234", "bw", codecs::encode_png, codecs::png_writer},
    Writer{"jpg", "JPEG", "13", "b", codecs::encode_jpeg},
    Writer{"jpeg", "JPEG", "13", "b", codecs::encode_jpeg},
    Writer{"pgm", "PGM", "1", "bw", codecs::encode_pnm, codecs::pnm_writer},
    Writer{"ppm", "PPM", "3", "bw", codecs::encode_pnm, codecs::pnm_writer},
    Writer{"pnm", "PNM", "1234", "bw", codecs::encode_pnm, codecs::pnm_writer},
    Writer{"pam", "PAM", "1234", "bw", codecs::encode_pnm, codecs::pnm_writer},
    Writer{"pfm", "PFM", "13", "f", codecs::encode_pfm, codecs::pfm_writer},
    Writer{"bmp", "BMP", "134", "b", codecs::encode_bmp},
    Writer{"tga", "TGA", "1234", "b", codecs::encode_tga},
    Writer{"hdr", "Radiance HDR", "3", "f", codecs::encode_hdr},
#ifdef GLPROC_WITH_TIFF
    Writer{"tif", "TIFF", "1234", "bwf", codecs::encode_tiff, codecs::tiff_writer},
    Writer{"tiff", "TIFF", "1234", "bwf", codecs::encode_tiff, codecs::tiff_writer},
#endif
};

bool holds_channels(const Writer& writer, int channels) {
    return writer.channels.find(static_cast<char>('0' + channels)) != std::string_view::npos;
}

bool holds_depth(const Writer& writer, Depth depth) {
    const char letter = depth == Depth::u8 ? 'b' : depth == Depth::u16 ? 'w' : 'f';
    return writer.depths.find(letter) != std::string_view::npos;
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

/// "png" of "a.b/out.PNG", ".png" and "png"; empty where a path has none.
std::string extension_in(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    const std::string_view file = slash == std::string_view::npos ? name : name.substr(slash + 1);
    const std::size_t dot = file.rfind('.');
    if (dot != std::string_view::npos)
        return lower(file.substr(dot + 1));
    return slash == std::string_view::npos ? lower(file) : std::string();
}

const Writer& writer_of(std::string_view name) {
    const std::string extension = extension_in(name);
    for (const Writer& writer : writers) {
        if (writer.extension == extension)
            return writer;
    }
    const std::string known = fmt::format("(known: {})", fmt::join(writable_extensions(), ", "));
    if (extension.empty() || name.find('.') == std::string_view::npos) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: no extension tells the output format {}", name, known));
    }
    throw Error(ErrorCode::usage, fmt::format("{}: unknown output format '.{}' {}", name, extension, known));
}

std::string_view words_for(int channels) {
    constexpr std::array<std::string_view, 4> words{"a grey image", "grey with alpha", "colour (RGB)",
                                                    "an alpha channel"};
    return words.at(static_cast<std::size_t>(channels - 1));
}

std::string_view words_for(Depth depth) {
    return depth == Depth::u8 ? "8-bit values" : depth == Depth::u16 ? "16-bit values" : "float values";
}

/// "write png, pam or tga instead", or what to do where nothing fits.
std::string hint_for(int channels, Depth depth) {
    std::vector<std::string_view> fitting;
    for (const Writer& writer : writers) {
        if (holds_channels(writer, channels) && holds_depth(writer, depth))
            fitting.push_back(writer.extension);
    }
    if (fitting.empty()) {
        return fmt::format("no output format holds {} with {} channels: convert it first", words_for(depth),
                           channels);
    }
    return fmt::format("formats that hold it: {}", fmt::join(fitting, ", "));
}

/// As it is to be looked at.
Image turned(Image image) {
    const int orientation = orientation_of(image.metadata().exif);
    if (orientation == 1)
        return image;
    Metadata metadata = image.metadata();
    reset_orientation(metadata);
    image.set_metadata(std::move(metadata));
    return upright(std::move(image), orientation);
}

Image decode_as(Format format, const Source& source) {
    const auto* reader =
        std::find_if(readers.begin(), readers.end(), [&](const Reader& r) { return r.format == format; });
    if (reader == readers.end())
        codecs::fail(source, "this build reads no TIFF");
    try {
        return turned(reader->decode(source));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::operation, fmt::format("{}: not enough memory for this image", source.name));
    }
}

bool starts_with(std::span<const std::byte> bytes, std::string_view start) {
    return bytes.size() >= start.size() &&
           std::equal(start.begin(), start.end(), bytes.begin(),
                      [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

} // namespace

std::optional<Format> sniff(std::span<const std::byte> bytes) {
    if (starts_with(bytes, "\x89PNG\r\n\x1a\n"))
        return Format::png;
    if (starts_with(bytes, "\xff\xd8\xff"))
        return Format::jpeg;
    if (bytes.size() > 2 && bytes[0] == std::byte{'P'} && bytes[1] >= std::byte{'1'} &&
        bytes[1] <= std::byte{'7'} &&
        std::string_view(" \t\r\n#").find(std::to_integer<char>(bytes[2])) != std::string_view::npos)
        return Format::pnm;
    if (starts_with(bytes, "PF\n") || starts_with(bytes, "Pf\n"))
        return Format::pfm;
    if (starts_with(bytes, "BM"))
        return Format::bmp;
    if (starts_with(bytes, "#?RADIANCE\n") || starts_with(bytes, "#?RGBE\n"))
        return Format::hdr;
    if (starts_with(bytes, "GIF87a") || starts_with(bytes, "GIF89a"))
        return Format::gif;
    if (starts_with(bytes, "8BPS"))
        return Format::psd;
    for (const std::string_view start : {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv}) {
        if (starts_with(bytes, start))
            return Format::tiff;
    }
    return std::nullopt;
}

std::optional<Format> format_of(std::string_view extension) {
    const std::string name = extension_in(extension);
    for (const Reader& reader : readers) {
        if (reader.extension == name)
            return reader.format;
    }
    if (name == "jpeg")
        return Format::jpeg;
#ifdef GLPROC_WITH_TIFF
    if (name == "tiff")
        return Format::tiff;
#endif
    if (name == "pbm" || name == "pgm" || name == "ppm" || name == "pam")
        return Format::pnm;
    return std::nullopt;
}

std::string_view extension_of(Format format) {
    return std::find_if(readers.begin(), readers.end(), [&](const Reader& r) { return r.format == format; })
        ->extension;
}

std::vector<std::string> writable_extensions() {
    std::vector<std::string> result;
    result.reserve(writers.size());
    for (const Writer& writer : writers)
        result.emplace_back(writer.extension);
    return result;
}

void check_encodable(std::string_view name) {
    writer_of(name);
}

void check_encodable(std::string_view name, int channels, Depth depth) {
    const Writer& writer = writer_of(name);
    if (!holds_channels(writer, channels)) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} cannot hold {}", name, writer.title, words_for(channels)),
                    hint_for(channels, depth));
    }
    if (!holds_depth(writer, depth)) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: {} cannot hold {}", name, writer.title, words_for(depth)),
                    hint_for(channels, depth));
    }
}

Image decode(std::span<const std::byte> bytes, std::string_view name, const DecodeOptions& options) {
    const Source source{bytes, name, options.max_pixels, options.notes};
    if (bytes.empty())
        codecs::fail(source, "empty file");
    if (const auto format = sniff(bytes))
        return decode_as(*format, source);
    if (format_of(name) == Format::tga)
        return decode_as(Format::tga, source);
    std::vector<std::string_view> known;
    known.reserve(readers.size());
    for (const Reader& reader : readers)
        known.push_back(reader.extension);
    throw Error(ErrorCode::input, fmt::format("{}: unknown image format", name),
                fmt::format("formats that can be read: {}", fmt::join(known, ", ")));
}

namespace {

void check_options(const EncodeOptions& options) {
    if (options.quality < 1 || options.quality > 100)
        throw Error(ErrorCode::usage, fmt::format("quality {} is outside 1 to 100", options.quality));
    if (options.png_level < 0 || options.png_level > 12)
        throw Error(ErrorCode::usage, fmt::format("PNG level {} is outside 0 to 12", options.png_level));
}

} // namespace

std::vector<std::byte> encode(const Image& image, std::string_view name, const EncodeOptions& options) {
    check_encodable(name, image.channels(), image.depth());
    check_options(options);
    const Writer& writer = writer_of(name);
    return writer.encode({image, name, writer.extension, options});
}

Image load(const std::filesystem::path& path, const DecodeOptions& options) {
    return decode(read_file(path), path.native(), options);
}

void save(const Image& image, const std::filesystem::path& path, const EncodeOptions& options) {
    write_file(path, encode(image, path.native(), options));
}

namespace codecs {

void fail(const Source& source, std::string_view reason) {
    throw Error(ErrorCode::input, fmt::format("{}: {}", source.name, reason));
}

void fail(const Job& job, std::string_view reason) {
    fail_output(job.name, reason);
}

void fail_output(std::string_view name, std::string_view reason) {
    throw Error(ErrorCode::output, fmt::format("{}: {}", name, reason));
}

std::size_t Source::read_at(std::uint64_t offset, std::span<std::byte> out) const {
    if (file != nullptr)
        return file->read_at(offset, out);
    const auto rest = bytes.subspan(std::min<std::uint64_t>(offset, bytes.size()));
    const std::size_t count = std::min(rest.size(), out.size());
    std::copy_n(rest.begin(), count, out.begin());
    return count;
}

void note(const Source& source, std::string_view what) {
    if (source.notes != nullptr)
        source.notes->push_back(fmt::format("{}: {}", source.name, what));
}

void note(const Job& job, std::string_view what) {
    if (job.options.notes != nullptr)
        job.options.notes->push_back(fmt::format("{}: {}", job.name, what));
}

void check_size(const Source& source, std::uint64_t width, std::uint64_t height, double max_pixels_per_byte) {
    constexpr std::uint64_t max_side = 0x7fffffff;
    if (width == 0 || height == 0 || width > max_side || height > max_side)
        fail(source, fmt::format("impossible size {}x{}", width, height));
    if (width * height > source.max_pixels) {
        fail(source,
             fmt::format("{}x{} pixels are more than the limit of {}", width, height, source.max_pixels));
    }
    if (static_cast<double>(width * height) > max_pixels_per_byte * static_cast<double>(source.size())) {
        fail(source,
             fmt::format("truncated: {} bytes cannot hold {}x{} pixels", source.size(), width, height));
    }
}

std::unique_ptr<RowReader> rows_of(Format format, const Source& source) {
    const auto* reader =
        std::find_if(readers.begin(), readers.end(), [&](const Reader& r) { return r.format == format; });
    return reader == readers.end() || reader->rows == nullptr ? nullptr : reader->rows(source);
}

std::unique_ptr<RowWriter> row_writer(RowJob job, const std::function<Output&()>& open) {
    check_encodable(job.name, job.form.channels, job.form.depth);
    check_options(job.options);
    const Writer& writer = writer_of(job.name);
    job.extension = writer.extension;
    return writer.rows == nullptr ? nullptr : writer.rows(std::move(job), open());
}

Image read_all(RowReader& rows) {
    Image image(rows.form());
    rows.read(image.bytes());
    image.set_metadata(rows.metadata());
    return image;
}

std::vector<std::byte> encode_rows(const Job& job, std::unique_ptr<RowWriter> (*writer)(RowJob, Output&)) {
    std::vector<std::byte> file;
    file.reserve(job.image.bytes().size() + 256);
    const auto output = memory_output(file);
    const auto rows = writer({.form = job.image.form(),
                              .metadata = job.image.metadata(),
                              .name = std::string(job.name),
                              .extension = std::string(job.extension),
                              .options = job.options},
                             *output);
    rows->write(job.image.bytes());
    rows->finish();
    return file;
}

Image allocate(const Source& source, std::uint64_t width, std::uint64_t height, int channels, Depth depth,
               double max_pixels_per_byte) {
    check_size(source, width, height, max_pixels_per_byte);
    return {static_cast<int>(width), static_cast<int>(height), channels, depth};
}

} // namespace codecs
} // namespace glproc
