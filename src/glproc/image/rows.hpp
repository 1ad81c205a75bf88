// Pictures that come and go in bands of rows, so that one larger than memory can be worked on.
#pragma once

#include "glproc/image/codec.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace glproc {

/// The rows of a picture, from top to bottom.
class RowReader {
  public:
    RowReader() = default;
    RowReader(const RowReader&) = delete;
    RowReader& operator=(const RowReader&) = delete;
    virtual ~RowReader() = default;

    virtual const Form& form() const = 0;

    /// What the file says beside the pixels.
    virtual const Metadata& metadata() const = 0;

    /// The next rows, as many as `rows` holds: a multiple of form().row_bytes(), not more than are left. With
    /// the last row the rest of the file is read, too, and found whole. Throws Error(input), "name: reason".
    virtual void read(std::span<std::byte> rows) = 0;
};

/// A picture that can be read more than once.
struct RowSource {
    Form form;
    Metadata metadata;
    std::function<std::unique_ptr<RowReader>()> open; ///< a reader at row 0
};

/// Where the rows of a picture go, from top to bottom.
class RowWriter {
  public:
    RowWriter() = default;
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;
    /// Without finish() nothing is written: an existing file stays.
    virtual ~RowWriter() = default;

    /// Appends rows: a multiple of the form's row_bytes(). Throws Error(output).
    virtual void write(std::span<const std::byte> rows) = 0;

    /// After the last row: what is written becomes the file, in one step. Throws Error(output).
    virtual void finish() = 0;
};

/// A picture whose rows can be read one after another, in little memory: PNG that is not interlaced, PNM, PFM
/// and TIFF, where no metadata turn the picture. What is read is what load() reads, and what is refused is
/// refused with the same words: the header here, the rest as the rows are read. Nothing where the file cannot
/// come in rows, or is no regular file; it is then untouched. Throws Error(input).
std::optional<RowSource> open_rows(const std::filesystem::path& path, const DecodeOptions& options = {});

/// The same of an open descriptor, e.g. 0 for standard input, from where it stands and without moving it.
std::optional<RowSource> open_rows(int descriptor, std::string_view name, const DecodeOptions& options = {});

/// The same of a file in memory, which must outlive all of it.
std::optional<RowSource> open_rows(std::span<const std::byte> bytes, std::string_view name,
                                   const DecodeOptions& options = {});

/// Writes a picture of this form in the format that the path's extension asks for, as save() would: PNG, PNM,
/// PFM and TIFF; null for other formats. The pixels and metadata in the file are the same, the compressed
/// bytes may differ. Throws Error(usage) as check_encodable() does, and Error(output).
std::unique_ptr<RowWriter> write_rows(const std::filesystem::path& path, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options = {});

/// The same to an open descriptor, e.g. 1 for standard output; here what has been written stays. `name` is
/// for messages, and its extension (or itself, "png") tells the format.
std::unique_ptr<RowWriter> write_rows(int descriptor, std::string_view name, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options = {});

/// The same picture with values of another depth, see with_depth() of an image.
RowSource with_depth(RowSource source, Depth depth);

/// Takes rows with values of `depth` for a writer of rows of `form`.
std::unique_ptr<RowWriter> with_depth(std::unique_ptr<RowWriter> writer, const Form& form, Depth depth);

} // namespace glproc
