// What group.hpp needs of a dispatch, and of the fibers that run it. Small, as every kernel is compiled with
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>

namespace glproc::glsl {

struct Bytes {
    std::byte* data;
    std::size_t size;
};

struct Picture {
    std::byte* data;
    int width; ///< texels
    int height;
};

// By the names that the kernel declares. Those that the driver did not ask for, as nothing uses them, are
// empty.
Picture image(const char* name);
/// Kernels that have a coherent buffer know that others write to it: these are no races.
Bytes buffer_of(const char* name, bool is_coherent);
void uniform_of(const char* name, void* to, std::size_t bytes);

void add_shared(Bytes variable);

/// Says it once a line.
void wrong_index(const std::source_location& line, std::int64_t index, std::size_t count);

/// Puts something there that nothing may depend on, other bytes each time that the dispatch is run.
void fill(std::byte* memory, std::size_t bytes);

/// gl_NumWorkGroups and so on of the invocation that runs, in the order of Place.
std::array<unsigned, 13> place_now();

/// Waits for the other invocations of the group.
void barrier();

/// Runs all groups, each invocation in `bytes` of memory of its own. Returns what main() shall.
int run_dispatch(const std::array<unsigned, 3>& group_size, std::size_t bytes, void (*invoke)(void*));

} // namespace glproc::glsl
