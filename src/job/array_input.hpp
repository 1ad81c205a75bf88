// Arrays of numbers in files: .npy, and raw ones.
#pragma once

#include "glproc/image/array.hpp"
#include "glproc/op/field.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace glproc {

namespace job {

/// How arrays lie in files.
enum class ArrayFormat { npy, raw };

/// Whether the name ends in .npy or .NPY.
bool names_npy(std::string_view path);

/// Arrays from files, of the type that is told.
class ArrayReader {
  public:
    /// `work` is what takes them, for messages.
    ArrayReader(std::string work, std::optional<ArrayType> told) : work_(std::move(work)), told_(told) {}

    /// The array in the bytes of a file that is .npy by its content or its name, else raw. Throws
    /// Error(usage) where the type is missing for a raw file or contradicts a .npy file, Error(input) for a
    /// file that is not whole, and for an array that has another number of dimensions than one.
    Array read_vector(const std::string& path, std::span<const std::byte> bytes) const;

  private:
    Array parse(const std::string& path, std::span<const std::byte> bytes) const;

    std::string work_;
    std::optional<ArrayType> told_;
};

} // namespace job

template <>
inline constexpr std::array<EnumRow<job::ArrayFormat>, 2> enum_rows<job::ArrayFormat>{{
    {job::ArrayFormat::npy, "npy", "NumPy's format"},
    {job::ArrayFormat::raw, "raw", "only the elements, little-endian"},
}};

} // namespace glproc
