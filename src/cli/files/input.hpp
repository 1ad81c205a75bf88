// What flags say of the inputs of a command, which are pictures or arrays.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/op/field.hpp"
#include "job/array_input.hpp"
#include "job/budget.hpp"
#include "job/input_file.hpp"

#include <cstdint>
#include <string>

namespace glproc::cli {

/// Any whole number that a double holds exactly.
inline constexpr Limit max_pixels_limit{1, 9007199254740992.0};

inline constexpr Limit max_frames_limit{1, 9007199254740992.0};
inline constexpr std::int64_t default_max_frames = 10'000'000; ///< of a video: 46 hours at 60 a second

inline constexpr Limit max_seconds_limit{0.01, 1e6};
inline constexpr Limit max_memory_limit{16, 1 << 24}; ///< MiB

/// What --max-seconds, --max-memory and --untrusted say, and GLPROC_POLICY. Throws Error(usage).
Budget read_budget(const Arguments& arguments);

/// With decode_options() and max_frames(). Throws Error(usage).
Reading read_reading(const Arguments& arguments, Notes* notes = nullptr);

/// What --max-frames says, or that default. Throws Error(usage).
std::int64_t max_frames(const Arguments& arguments, std::int64_t otherwise = default_max_frames);

/// What --max-pixels says; `notes` gets what is odd about the picture. Throws Error(usage).
DecodeOptions decode_options(const Arguments& arguments, Notes* notes);

/// Arrays as --dtype has them. Throws Error(usage) for an unknown type.
ArrayReader array_reader(const Arguments& arguments);

} // namespace glproc::cli
