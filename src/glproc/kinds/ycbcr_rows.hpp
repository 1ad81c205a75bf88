// The kernels of glsl/ycbcr on the CPU, with the same bits.
#pragma once

#include "glproc/kinds/ycbcr.hpp"

#include <cstddef>
#include <span>

namespace glproc {

/// Rows of RGBA pixels in memory.
struct PixelRows {
    std::span<std::byte> bytes;
    std::size_t pitch; ///< from one row to the next
    int first;         ///< the number of the first of them

    std::byte* row(int y) const { return bytes.data() + static_cast<std::size_t>(y - first) * pitch; }
};

/// `count` rows of the picture, beginning with row `first`, into memory that has room for them: pixels of the
/// depth of the planes.
void rows_of_planes(const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code, int first,
                    int count, const PixelRows& to);

/// How many rows before and after its own a row of chroma depends on.
constexpr int rows_about = 2;

/// `count` rows of chroma, beginning with row `first`, and the luma that belongs to them. They are made from
/// their own pixels and from the `rows_about` rows before and after them, as far as there are any. Pixels
/// have codes of a depth of their own.
void planes_of_rows(const PixelRows& from, Depth depth, const YcbcrForm& form, const YcbcrCode& code,
                    int first, int count, PlaneImages& planes);

} // namespace glproc
