// Arrays of numbers in CPU memory, NumPy's .npy files, and raw files.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace glproc {

enum class ArrayType { u32, i32, f32 };

/// What an array is, but for its elements.
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

/// Whether a file begins as .npy files do.
bool is_npy(std::span<const std::byte> file);

/// Reads a .npy file of version 1 to 3 with elements <u4, <i4, <f4 or their big-endian kin. Throws
/// Error(input) that names `name` and the reason: no .npy at all, a header that is not what NumPy writes,
/// another element type, Fortran order, or data that is not as long as the shape says.
Array parse_npy(std::span<const std::byte> file, std::string_view name);

/// The beginning of a .npy file of version 1, which the elements follow.
std::vector<std::byte> npy_header(const ArrayForm& form);

/// A .npy file of version 1.
std::vector<std::byte> format_npy(const Array& array);

/// Bytes as a 1-D array, as they lie. Throws Error(input) where their number is no multiple of 4.
Array parse_raw(std::span<const std::byte> file, ArrayType type, std::string_view name);

} // namespace glproc
