// What every fuzz target shares: hostile bytes in, and an Error of the documented kind or none at all.
#pragma once

#include "glproc/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <span>

namespace glproc::fuzz {

inline std::span<const std::byte> as_file(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const std::byte*>(data), size};
}

/// Stops the fuzzer where something that must hold does not.
inline void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "broken promise: %s\n", what);
        std::abort();
    }
}

/// Runs `work`, which may throw an Error of one of these codes, with a message. All else ends the fuzzer:
/// other exceptions by themselves.
template <class Work>
void expect_only(std::initializer_list<ErrorCode> codes, Work work) {
    try {
        work();
    } catch (const Error& error) {
        require(std::find(codes.begin(), codes.end(), error.code()) != codes.end(), error.what());
        require(*error.what() != '\0', "every error says something");
    }
}

} // namespace glproc::fuzz
