// Pictures that come and go in bands of rows, so that one larger than memory can be worked on.
#pragma once

#include "glproc/image/codec.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

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

} // namespace glproc
