// Pictures in memory as sources and targets of rows.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/image/array.hpp"

#include <memory>

namespace glproc {

/// The rows of an image, which must outlive the source and every reader that it opens.
RowSource rows_of(const Image& image);

/// Collects rows into an image of this form. Its metadata is not set.
class ImageRows final : public RowWriter {
  public:
    explicit ImageRows(const Form& form) : image_(form) {}

    void write(std::span<const std::byte> rows) override;
    /// Throws Error(output) if rows are missing.
    void finish() override;

    /// The picture, after finish().
    Image& image() { return image_; }

  private:
    Image image_;
    std::size_t filled_ = 0;
};

/// Collects rows into an array.
class ArrayRows final : public RowWriter {
  public:
    explicit ArrayRows(const ArrayForm& form);

    void write(std::span<const std::byte> rows) override;
    /// Throws Error(output) if elements are missing.
    void finish() override;

    /// The array, after finish().
    Array& array() { return array_; }

  private:
    Array array_;
    std::size_t bytes_;
};

} // namespace glproc
