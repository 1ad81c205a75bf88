// The rows of a picture, one after another, so that it need not fit in memory.
#pragma once

#include "glproc/image/image.hpp"

#include <cstddef>
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

} // namespace glproc
