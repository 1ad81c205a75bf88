// Reading what may never come: pipes and devices.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace glproc {

/// As read_descriptor() (file.hpp), but `wait` is called with the descriptor before each read, and may throw
/// in place of waiting on.
std::vector<std::byte> read_waiting(int descriptor, std::string_view name,
                                    const std::function<void(int)>& wait);

/// As read_file(), in the same way: also while a FIFO has no writer, which open() itself would wait for.
std::vector<std::byte> read_waiting(const std::filesystem::path& path, const std::function<void(int)>& wait);

} // namespace glproc
