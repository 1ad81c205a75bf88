// The two halves of a run: the dispatch in its files, and the fibers.
#pragma once

#include "dispatch.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace glproc::glsl {

/// Says it once for each line.
void say(const std::string& where, const std::string& what);
bool is_faultless();

std::array<unsigned, 3> group_count();

/// Makes images and buffers as they were before the dispatch.
void reset_memory();
/// Says which of them differ from what the driver made of them.
void compare_memory(const std::string& turn);

} // namespace glproc::glsl
