// Copying of pixels by as many cores as it takes: one alone moves less than the memory does.
#pragma once

#include <cstddef>
#include <functional>

namespace glproc {

/// Calls work(first, count) for bands of rows of `bytes` bytes each, several at once where they are large
/// enough.
void in_bands(int rows, std::size_t bytes, const std::function<void(int first, int count)>& work);

void copy_bytes(const std::byte* from, std::byte* to, std::size_t bytes);

/// `rows` rows of `bytes` bytes each, which begin so many bytes apart on each side.
void copy_rows(const std::byte* from, std::ptrdiff_t from_pitch, std::byte* to, std::ptrdiff_t to_pitch,
               std::size_t bytes, int rows);

} // namespace glproc
