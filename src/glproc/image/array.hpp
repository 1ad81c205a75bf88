// Arrays of numbers in CPU memory.
#pragma once

#include <cstddef>
#include <vector>

namespace glproc {

enum class ArrayType { u32, i32, f32 };

/// The type and shape of an array, without its elements.
struct ArrayForm {
    ArrayType type = ArrayType::u32;
    std::vector<std::size_t> shape;
};

/// Numbers of 4 bytes each, row-major, native byte order.
struct Array {
    ArrayType type = ArrayType::u32;
    std::vector<std::size_t> shape; ///< empty: a single number
    std::vector<std::byte> bytes;

    std::size_t count() const { return bytes.size() / 4; }
};

} // namespace glproc
