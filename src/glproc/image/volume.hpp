// Arrays of numbers with any number of axes, of any type that NumPy has for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

enum class Number { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };

constexpr std::size_t bytes_of(Number type) {
    constexpr std::size_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return bytes[static_cast<int>(type)];
}

/// Row-major, without gaps, in native byte order.
struct VolumeForm {
    Number type = Number::f64;
    std::vector<std::int64_t> shape; ///< at least one axis

    std::int64_t count() const {
        std::int64_t count = 1;
        for (const std::int64_t length : shape) {
            count *= length;
        }
        return count;
    }
    std::size_t bytes() const { return static_cast<std::size_t>(count()) * bytes_of(type); }
};

} // namespace glproc
