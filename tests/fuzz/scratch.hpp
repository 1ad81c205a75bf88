// A folder for targets whose code reads files; scripts/fuzz has it in memory, and removes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace glproc::fuzz {

/// One for each process.
inline std::filesystem::path scratch_folder() {
    const auto path = std::filesystem::temp_directory_path() / ("glproc-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path);
    return path;
}

template <class Byte>
void write_scratch(const std::filesystem::path& path, const Byte* data, std::size_t size) {
    static_assert(sizeof(Byte) == 1);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

} // namespace glproc::fuzz
