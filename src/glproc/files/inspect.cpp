#include "glproc/files/inspect.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/formats.hpp"

#include <array>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace glproc {
namespace {

using codecs::ByteView;
using codecs::Source;
using codecs::Summary;

Summary summary_of(const codecs::Reader& reader, const Source& source) {
    try {
        return reader.inspect(source);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::operation, fmt::format("{}: not enough memory for this image", source.name));
    }
}

PictureInfo inspect(const codecs::Reader& reader, const Source& source) {
    Summary summary = summary_of(reader, source);
    PictureInfo info{.format = reader.format,
                     .title = reader.title,
                     .form = summary.form,
                     .orientation = summary.orientation,
                     .frames = summary.frames,
                     .metadata = std::move(summary.metadata)};
    info.metadata.format = reader.format;
    if (info.orientation == 1)
        info.orientation = orientation_of(info.metadata.exif);
    if (info.orientation != 1)
        reset_orientation(info.metadata, info.orientation);
    if (info.orientation >= 5)
        std::swap(info.form.width, info.form.height);
    return info;
}

/// The readers of rows take a file as it lies on the disk.
bool reads_files(const codecs::Reader& reader) {
    return reader.rows != nullptr;
}

/// Text of a profile: the printable part of ASCII, from one byte or two a character.
std::string text_of(ByteView bytes, std::size_t step) {
    std::string text;
    for (std::size_t i = step - 1; i < bytes.size(); i += step) {
        const char c = std::to_integer<char>(bytes[i]);
        if (c == '\0')
            break;
        text += c >= ' ' && c <= '~' && (step == 1 || bytes[i - 1] == std::byte{0}) ? c : '?';
    }
    return text;
}

/// The value of a 'desc' tag: ICC.1:2001-04, 6.5.17, and ICC.1:2022, 10.15.
std::string description_of(ByteView tag) {
    if (tag.size() >= 12 && codecs::begins_with(tag, "desc")) {
        const std::size_t count = codecs::big_number(tag.subspan(8), 4);
        return text_of(tag.subspan(12, std::min(count, tag.size() - 12)), 1);
    }
    if (tag.size() >= 28 && codecs::begins_with(tag, "mluc")) { // of its languages the first
        const std::size_t count = codecs::big_number(tag.subspan(20), 4);
        const std::size_t offset = codecs::big_number(tag.subspan(24), 4);
        if (offset <= tag.size())
            return text_of(tag.subspan(offset, std::min(count, tag.size() - offset)), 2);
    }
    return {};
}

} // namespace

PictureInfo inspect(std::span<const std::byte> bytes, std::string_view name, const DecodeOptions& options) {
    const Source source{bytes, name, options.max_pixels, options.notes};
    return inspect(codecs::reader_for(source, bytes, Parsing::header), source);
}

PictureInfo inspect(const std::filesystem::path& path, const DecodeOptions& options) {
    const OpenFile file(path);
    if (file.regular()) {
        const Source source{{}, path.native(), options.max_pixels, options.notes, &file};
        std::array<std::byte, 16> start{};
        const std::size_t size = source.read_at(0, start);
        const codecs::Reader& reader = codecs::reader_for(source, std::span(start).first(size), Parsing::header);
        if (reads_files(reader))
            return inspect(reader, source);
    }
    return inspect(read_file(path), path.native(), options);
}

std::string profile_name(std::span<const std::byte> icc) {
    constexpr std::size_t header = 128;
    if (icc.size() < header + 4)
        return {};
    const std::size_t count = codecs::big_number(icc.subspan(header), 4);
    for (std::size_t at = header + 4, i = 0; i < count && at + 12 <= icc.size(); ++i, at += 12) {
        const ByteView entry = icc.subspan(at, 12);
        const std::size_t offset = codecs::big_number(entry.subspan(4), 4);
        const std::size_t size = codecs::big_number(entry.subspan(8), 4);
        if (codecs::begins_with(entry, "desc") && offset <= icc.size() && size <= icc.size() - offset)
            return description_of(icc.subspan(offset, size));
    }
    return {};
}

namespace codecs {

Summary summary_of(const RowReader& rows) {
    return {.form = rows.form(), .metadata = rows.metadata()};
}

} // namespace codecs
} // namespace glproc
