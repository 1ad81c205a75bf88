#include "glproc/files/codec.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/formats.hpp"
#include "glproc/files/output.hpp"
#include "glproc/files/page_reader.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/series/parts.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {
namespace {

using codecs::Job;
using codecs::RowJob;
using codecs::Source;
using codecs::Writer;

bool holds_channels(const Writer& writer, int channels) {
    return writer.channels.find(static_cast<char>('0' + channels)) != std::string_view::npos;
}

bool holds_depth(const Writer& writer, Depth depth) {
    const char letter = depth == Depth::u8 ? 'b' : depth == Depth::u16 ? 'w' : 'f';
    return writer.depths.find(letter) != std::string_view::npos;
}

const Writer& writer_of(std::string_view name) {
    const std::string extension = codecs::extension_in(name);
    for (const Writer& writer : codecs::writers()) {
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
    for (const Writer& writer : codecs::writers()) {
        if (is_there(writer) && holds_channels(writer, channels) && holds_depth(writer, depth))
            fitting.push_back(writer.extension);
    }
    if (fitting.empty()) {
        return fmt::format("no output format holds {} with {}: convert it first", words_for(depth),
                           counted(channels, "channel"));
    }
    return fmt::format("formats that hold it: {}", fmt::join(fitting, ", "));
}

/// As it is to be looked at, with the format that it comes from.
Image decoded(Image image, Format format) {
    Metadata metadata = image.metadata();
    metadata.format = format;
    const int orientation = orientation_of(metadata.exif);
    if (orientation != 1)
        reset_orientation(metadata, orientation);
    image.set_metadata(std::move(metadata));
    return orientation == 1 ? std::move(image) : upright(std::move(image), orientation);
}

Image decode_by(const codecs::Reader& reader, const Source& source) {
    try {
        return decoded(reader.decode(source), reader.format);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::operation, fmt::format("{}: not enough memory for this image", source.name));
    }
}

} // namespace

std::optional<int> usual_quality(Format format, const std::optional<JpegPacking>& source) {
    switch (format) {
    case Format::jpeg:
        return source ? source->quality : default_quality;
    case Format::webp:
    case Format::jxl:
    case Format::heic:
    case Format::avif:
        return default_quality;
    default:
        return std::nullopt;
    }
}

std::vector<std::string> writable_extensions() {
    std::vector<std::string> result;
    result.reserve(codecs::writers().size());
    for (const Writer& writer : codecs::writers()) {
        if (is_there(writer))
            result.emplace_back(writer.extension);
    }
    return result;
}

void check_encodable(std::string_view name) {
    if (const Writer& writer = writer_of(name); writer.module != nullptr)
        codecs::check_module(*writer.module, name);
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

bool keeps_partial(Format format) {
    const codecs::Reader& reader = codecs::reader_of(format);
    return format != Format::pfm && (reader.rows != nullptr || reader.salvage != nullptr);
}

namespace {

/// Row by row, up to the first that cannot be read.
codecs::Salvage salvage_rows(RowReader& rows) {
    codecs::Salvage part{.image = Image(rows.form())};
    part.image.set_metadata(rows.metadata());
    try {
        for (; part.rows < part.image.height(); ++part.rows)
            rows.read({part.image.row(part.rows), part.image.row_bytes()});
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): it is the one that is known
    }
    return part;
}

/// What comes before the damage that `error` tells of; nothing where that is not a row.
std::optional<Image> sound_part(const codecs::Reader& reader, Source source, const Error& error) {
    const bool can = keeps_partial(reader.format);
    source.salvages = true;
    codecs::Salvage part;
    try {
        const bool by_rows = can && reader.salvage == nullptr && reader.rows != nullptr;
        const auto rows = by_rows ? reader.rows(source) : nullptr;
        part = rows != nullptr             ? salvage_rows(*rows)
               : reader.salvage != nullptr ? reader.salvage(source)
                                           : codecs::Salvage{};
    } catch (const Error&) {
        return std::nullopt; // not even the header
    }
    if (part.rows == 0)
        return std::nullopt;
    std::string_view what = error.what();
    what.remove_prefix(what.starts_with(source.name) ? source.name.size() + 2 : 0);
    const int height = part.image.height();
    // Damage is not always noticed where it is.
    const std::string_view doubt = what.starts_with("truncated") ? "" : ", and the last of them may be wrong";
    codecs::note(source,
                 part.is_rough
                     ? fmt::format("{}; all {} rows were read, not in full detail", what, height)
                     : fmt::format("{}; the first {} of {} rows were read{}", what, part.rows, height, doubt));
    return decoded(std::move(part.image), reader.format);
}

} // namespace

namespace {

/// Of an animated PNG in front of which stands an image that is none of its frames. Nothing where the image in front is to be
/// shown: as the first frame, or because the animation is broken, which is noted.
std::optional<Image> first_frame(const Source& source, const DecodeOptions& options) {
    std::string reason = "is broken";
    try {
        if (!codecs::hides_first_image(source)) {
            if (codecs::has_broken_frames(source))
                codecs::note(source, "its animation is broken; the first image is used");
            return std::nullopt;
        }
        if (const auto series = codecs::open_frames(source.bytes, source.name, options)) {
            Image frame = series->at(1, source.name, nullptr);
            if (const int count = series->info().count; count > 1)
                codecs::note(source, fmt::format("has {} frames; the first one is used", count));
            return frame;
        }
    } catch (const Error& error) {
        reason = fmt::format("cannot be read ({})", error.what());
    }
    codecs::note(source, fmt::format("its animation {}; the image in front of it is used", reason));
    return std::nullopt;
}

} // namespace

Image codecs::decode_still(Format format, const Source& source) {
    const Reader& reader = reader_of(format);
    const std::size_t noted = source.notes == nullptr ? 0 : source.notes->size();
    try {
        return decode_by(reader, source);
    } catch (const Error& error) {
        if (!source.keep_partial || error.code() != ErrorCode::input)
            throw;
        if (source.notes != nullptr)
            source.notes->resize(noted); // they come again
        if (std::optional<Image> part = sound_part(reader, source, error))
            return std::move(*part);
        throw;
    }
}

Image decode(std::span<const std::byte> bytes, std::string_view name, const DecodeOptions& options) {
    if (options.page != 0)
        return PageReader(bytes, options).read(options.page, name, options.notes);
    Source source{.bytes = bytes,
                  .name = name,
                  .max_pixels = options.max_pixels,
                  .notes = options.notes,
                  .alone = options.alone,
                  .keep_partial = options.keep_partial,
                  .box = options.box};
    const codecs::Reader& reader = codecs::reader_for(source, bytes, Parsing::pixels);
    const auto count = [&] { return options.notes == nullptr ? 0 : options.notes->size(); };
    if (reader.format == Format::png && codecs::begins_as_apng(source)) {
        const std::size_t before = count();
        if (std::optional<Image> frame = first_frame(source, options))
            return std::move(*frame);
        source.frames_told = count() > before;
    }
    return codecs::decode_still(reader.format, source);
}

namespace {

void check_options(const EncodeOptions& options) {
    const int quality = options.quality_or_default();
    if (quality < 1 || quality > 100)
        throw Error(ErrorCode::usage, fmt::format("quality {} is outside 1 to 100", quality));
    if (options.png_level < 0 || options.png_level > 12)
        throw Error(ErrorCode::usage, fmt::format("PNG level {} is outside 0 to 12", options.png_level));
    const int colours = options.colours.value_or(2);
    if (colours < 2 || colours > 256)
        throw Error(ErrorCode::usage,
                    fmt::format("a palette of {} is outside 2 to 256", counted(colours, "colour")));
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
    if (source.notes == nullptr)
        return;
    std::string text = fmt::format("{}: {}", source.name, what);
    if (source.notes->empty() || source.notes->back() != text) // a file can be odd in one way a million times
        source.notes->push_back(std::move(text));
}

void note(const Job& job, std::string_view what) {
    if (job.options.notes != nullptr)
        job.options.notes->push_back(fmt::format("{}: {}", job.name, what));
}

void check_size(const Source& source, std::uint64_t width, std::uint64_t height, double max_pixels_per_byte) {
    constexpr std::uint64_t max_side = 0x7fffffff;
    if (width == 0 || height == 0 || width > max_side || height > max_side)
        fail(source, fmt::format("impossible size {}x{}", width, height));
    if (!source.salvages &&
        static_cast<double>(width * height) > max_pixels_per_byte * static_cast<double>(source.size())) {
        fail(source, fmt::format("truncated: {} cannot hold {}x{} pixels", counted(source.size(), "byte"),
                                 width, height));
    }
    if (width * height > source.max_pixels) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: {}x{} pixels are more than the limit of {}", source.name, width, height,
                                source.max_pixels),
                    fmt::format("if you trust the file: --max-pixels {}", width * height));
    }
}

std::unique_ptr<RowReader> rows_of(Format format, const Source& source) {
    const Reader& reader = reader_of(format);
    return reader.rows == nullptr ? nullptr : reader.rows(source);
}

std::unique_ptr<RowWriter> row_writer(RowJob job, const std::function<Output&()>& open) {
    check_encodable(job.name, job.form.channels, job.form.depth);
    check_options(job.options);
    const Writer& writer = writer_of(job.name);
    job.extension = writer.extension;
    const bool is_indexed = job.options.colours && writer.encode == encode_png; // all pixels choose the palette
    return writer.rows == nullptr || is_indexed ? nullptr : writer.rows(std::move(job), open());
}

Image read_all(RowReader& rows) {
    Image image(rows.form());
    rows.read(image.bytes());
    image.set_metadata(rows.metadata());
    return image;
}

std::vector<std::byte> encode_rows(const Job& job,
                                   const std::function<std::unique_ptr<RowWriter>(RowJob, Output&)>& writer) {
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
