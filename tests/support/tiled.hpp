// Work on tiles beside work on the whole: the limits that cut it, and the two calls.
#pragma once

#include "glproc/files/memory_rows.hpp"
#include "glproc/gl/context_state.hpp"
#include "support/fixture.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace glproc::test {

inline constexpr std::uint64_t plenty = std::uint64_t{1} << 30U;

/// gpu() with lower limits until the end of the scope.
class ScopedLimits {
  public:
    ScopedLimits(const std::string& text, std::uint64_t memory_bytes)
        : limits_(gpu().limits()), memory_bytes_(gpu().memory_bytes()) {
        lower_limits(gpu().state().limits, text);
        gpu().state().memory_bytes = memory_bytes;
    }
    ScopedLimits(const ScopedLimits&) = delete;
    ScopedLimits& operator=(const ScopedLimits&) = delete;
    ~ScopedLimits() {
        gpu().state().limits = limits_;
        gpu().state().memory_bytes = memory_bytes_;
    }

  private:
    Limits limits_;
    std::uint64_t memory_bytes_;
};

template <class Filter>
Image whole(const Filter& filter, const Image& image) {
    return gpu().download(filter(gpu(), gpu().upload(image)));
}

template <class Filter>
Image tiled(const Filter& filter, const Image& image) {
    ImageRows rows(image.form());
    filter(gpu(), rows_of(image), rows);
    rows.finish();
    return std::move(rows.image());
}

} // namespace glproc::test
