// Arrays of numbers in CPU memory, NumPy's .npy files, and raw files.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
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

/// Whether the bytes begin as a .npy file does.
bool is_npy(std::span<const std::byte> file);

/// Reads a .npy file of version 1 to 3 with elements <u4, <i4, <f4 or their big-endian counterparts.
/// Throws Error(input) with `name` and the reason: not a .npy file, a header that NumPy would not write,
/// another element type, Fortran order, or data whose length does not match the shape.
Array parse_npy(std::span<const std::byte> file, std::string_view name);

/// The header of a .npy file of version 1; the elements follow it.
std::vector<std::byte> npy_header(const ArrayForm& form);

/// A .npy file of version 1.
std::vector<std::byte> format_npy(const Array& array);

/// The bytes as a 1-D array, in native byte order. Throws Error(input) unless their number is a multiple
/// of 4.
Array parse_raw(std::span<const std::byte> file, ArrayType type, std::string_view name);

} // namespace glproc
