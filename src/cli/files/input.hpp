// What flags say of the inputs of a command, which are pictures or arrays.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/image/array.hpp"
#include "glproc/op/field.hpp"
#include "job/budget.hpp"
#include "job/input_file.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

namespace cli {

/// How arrays lie in files.
enum class ArrayFormat { npy, raw };

/// Any whole number that a double holds exactly.
inline constexpr Limit max_pixels_limit{1, 9007199254740992.0};

inline constexpr Limit max_frames_limit{1, 9007199254740992.0};
inline constexpr std::int64_t default_max_frames = 10'000'000; ///< of a film: 46 hours at 60 a second

inline constexpr Limit max_seconds_limit{0.01, 1e6};
inline constexpr Limit max_memory_limit{16, 1 << 24}; ///< MiB

/// What --max-seconds, --max-memory and --untrusted say, and GLPROC_POLICY. Throws Error(usage).
Budget read_budget(const Arguments& arguments);

/// With decode_options(). Throws Error(usage).
Reading read_reading(const Arguments& arguments, Notes* notes = nullptr);

/// What --max-frames says, or that default. Throws Error(usage).
std::int64_t max_frames(const Arguments& arguments, std::int64_t otherwise = default_max_frames);

/// Throws Error(input) where a file has more images than --max-frames allows.
void check_count(std::int64_t images, const Arguments& arguments, const std::string& name);

/// What --max-pixels says; `notes` gets what is odd about the picture. Throws Error(usage).
DecodeOptions decode_options(const Arguments& arguments, Notes* notes);

/// Whether the name ends in .npy or .NPY.
bool names_npy(std::string_view path);

/// Arrays from files, as --dtype has them.
class ArrayReader {
  public:
    /// Throws Error(usage) for an unknown type.
    explicit ArrayReader(const Arguments& arguments);

    /// The array in the bytes of a file that is .npy by its content or its name, else raw. Throws
    /// Error(usage) where
    /// --dtype is missing for a raw file or contradicts a .npy file, Error(input) for a file that is not
    /// whole, and for an array that has another number of dimensions than one.
    Array read_vector(const std::string& path, std::span<const std::byte> bytes) const;

  private:
    Array parse(const std::string& path, std::span<const std::byte> bytes) const;

    std::string command_;
    std::optional<ArrayType> dtype_;
};

} // namespace cli

template <>
inline constexpr std::array<EnumRow<cli::ArrayFormat>, 2> enum_rows<cli::ArrayFormat>{{
    {cli::ArrayFormat::npy, "npy", "NumPy's format"},
    {cli::ArrayFormat::raw, "raw", "only the elements, little-endian"},
}};

} // namespace glproc
