// Copying of pixels by as many cores as it takes: one alone moves less than the memory does.
#pragma once

#include <cstddef>

namespace glproc {

void copy_bytes(const std::byte* from, std::byte* to, std::size_t bytes);

/// `rows` rows of `bytes` bytes each, which begin so many bytes apart on each side.
void copy_rows(const std::byte* from, std::ptrdiff_t from_pitch, std::byte* to, std::ptrdiff_t to_pitch,
               std::size_t bytes, int rows);

} // namespace glproc
