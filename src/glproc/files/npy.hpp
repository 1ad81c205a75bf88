// Arrays in NumPy's .npy files, and in raw files.
#pragma once

#include "glproc/image/array.hpp"
#include "glproc/image/image.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace glproc {

/// Whether the bytes begin as a .npy file does.
bool is_npy(std::span<const std::byte> file);

/// Reads a .npy file of version 1 to 3 with elements <u4, <i4, <f4 or their big-endian counterparts.
/// Throws Error(input) with `name` and the reason: not a .npy file, a header that NumPy would not write,
/// another element type, Fortran order, or data whose length does not match the shape.
Array parse_npy(std::span<const std::byte> file, std::string_view name);

/// The floats of an array of height x width, or height x width x channels, as an image. Throws Error(input) with `name` for
/// other types and shapes.
Image image_of(const Array& array, std::string_view name);

/// The header of a .npy file of version 1; the elements follow it.
std::vector<std::byte> npy_header(const ArrayForm& form);

/// A .npy file of version 1.
std::vector<std::byte> format_npy(const Array& array);

/// The bytes as a 1-D array, in native byte order. Throws Error(input) unless their number is a multiple
/// of 4.
Array parse_raw(std::span<const std::byte> file, ArrayType type, std::string_view name);

} // namespace glproc
