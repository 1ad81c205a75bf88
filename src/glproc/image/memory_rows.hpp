// Pictures in memory, as sources and as targets of rows.
#pragma once

#include "glproc/image/array.hpp"
#include "glproc/image/rows.hpp"

#include <memory>

namespace glproc {

/// The rows of an image, which must outlive the source and all that it opens.
RowSource rows_of(const Image& image);

/// Rows become an image of this form. The metadata are not set.
class ImageRows final : public RowWriter {
  public:
    explicit ImageRows(const Form& form) : image_(form) {}

    void write(std::span<const std::byte> rows) override;
    /// Throws Error(output) where rows are missing.
    void finish() override;

    /// The picture, once finish() was there.
    Image& image() { return image_; }

  private:
    Image image_;
    std::size_t filled_ = 0;
};

/// Rows become the elements of an array.
class ArrayRows final : public RowWriter {
  public:
    explicit ArrayRows(const ArrayForm& form);

    void write(std::span<const std::byte> rows) override;
    /// Throws Error(output) where elements are missing.
    void finish() override;

    /// The array, once finish() was there.
    Array& array() { return array_; }

  private:
    Array array_;
    std::size_t bytes_;
};

} // namespace glproc
