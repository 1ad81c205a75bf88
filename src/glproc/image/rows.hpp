// Pictures that are read and written in bands of rows, so that they need not fit in memory.
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

    /// What the file contains besides the pixels.
    virtual const Metadata& metadata() const = 0;

    /// Reads the next rows, as many as `rows` holds: a multiple of form().row_bytes(), and no more than are
    /// left. The last row also reads and checks the rest of the file. Throws Error(input), "name: reason".
    virtual void read(std::span<std::byte> rows) = 0;

    /// Whether read() must be called on the thread that opened the picture.
    virtual bool keeps_thread() const { return false; }
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
    /// Without finish() nothing is written: an existing file stays as it was.
    virtual ~RowWriter() = default;

    /// Appends rows: a multiple of the form's row_bytes(). Throws Error(output).
    virtual void write(std::span<const std::byte> rows) = 0;

    /// To be called after the last row: replaces the file in one step. Throws Error(output).
    virtual void finish() = 0;
};

/// A picture whose rows can be read one after another, in little memory: JPEG, PNG that is not interlaced,
/// PNM, PFM and TIFF, if no metadata turns the picture. It reads what load() reads and refuses what load() refuses,
/// with the same messages: the header here, the rest as the rows are read. Nothing if the file cannot be read
/// in rows or is not a regular file; it is then untouched. Throws Error(input).
std::optional<RowSource> open_rows(const std::filesystem::path& path, const DecodeOptions& options = {});

/// The same for an open descriptor, such as 0 for standard input, from its position on, which does not
/// change.
std::optional<RowSource> open_rows(int descriptor, std::string_view name, const DecodeOptions& options = {});

/// The same for a file in memory, which must outlive the source and its readers.
std::optional<RowSource> open_rows(std::span<const std::byte> bytes, std::string_view name,
                                   const DecodeOptions& options = {});

/// Writes a picture of this form in the format of the path's extension, as save() would: JPEG, PNG, PNM, PFM
/// and TIFF; null for other formats. The pixels and metadata in the file are the same; the compressed bytes may
/// differ. Throws Error(usage) as check_encodable() does, and Error(output).
std::unique_ptr<RowWriter> write_rows(const std::filesystem::path& path, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options = {});

/// The same for an open descriptor, such as 1 for standard output; what has been written stays there. `name`
/// is for messages, and its extension (or the whole of it, "png") gives the format.
std::unique_ptr<RowWriter> write_rows(int descriptor, std::string_view name, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options = {});

/// The same picture with another depth; see with_depth() for images.
RowSource with_depth(RowSource source, Depth depth);

/// Accepts rows of `depth`, and converts them for a writer of rows of `form`.
std::unique_ptr<RowWriter> with_depth(std::unique_ptr<RowWriter> writer, const Form& form, Depth depth);

} // namespace glproc
