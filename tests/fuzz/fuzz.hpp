// What every fuzz target shares: hostile bytes in, and an Error of the documented kind or none at all.
#pragma once

#include "glproc/base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
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

/// Ends the fuzzer where the work on an input of `size` bytes took more processor time than its size and what
/// it may promise (`units`: pixels, entries) explain. Generous: the sanitizers make everything several times
/// slower.
class Cost {
  public:
    Cost(std::size_t size, std::uint64_t units) : size_(size), units_(units), begin_(std::clock()) {}
    Cost(const Cost&) = delete;
    Cost& operator=(const Cost&) = delete;
    ~Cost() {
        const double seconds = static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC;
        require(seconds < 2 + 2e-5 * static_cast<double>(size_) + 2e-6 * static_cast<double>(units_),
                "a small file takes little time");
    }

  private:
    std::size_t size_;
    std::uint64_t units_;
    std::clock_t begin_;
};

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
