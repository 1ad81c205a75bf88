// Types of numbers as template arguments, and casts that are defined for every value.
#pragma once

#include "glproc/image/volume.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace glproc {

/// Calls work(T()) for the type of a number.
template <class Work>
auto with_type(Number type, const Work& work) {
    switch (type) {
    case Number::u8:
        return work(std::uint8_t{});
    case Number::i8:
        return work(std::int8_t{});
    case Number::u16:
        return work(std::uint16_t{});
    case Number::i16:
        return work(std::int16_t{});
    case Number::u32:
        return work(std::uint32_t{});
    case Number::i32:
        return work(std::int32_t{});
    case Number::u64:
        return work(std::uint64_t{});
    case Number::i64:
        return work(std::int64_t{});
    case Number::f32:
        return work(float{});
    case Number::f64:
        break;
    }
    return work(double{});
}

/// As x86-64 does it, also where C++ leaves it open: see glsl/lib/volume.glsl.
inline std::int64_t long_of(double value) {
    return std::abs(value) < 0x1p63 ? static_cast<std::int64_t>(value)
                                    : std::numeric_limits<std::int64_t>::min();
}

template <class T>
T number_cast(double value) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        return value >= 0x1p63
                   ? static_cast<std::uint64_t>(long_of(value - 0x1p63)) ^ (std::uint64_t{1} << 63U)
                   : static_cast<std::uint64_t>(long_of(value));
    } else if constexpr (sizeof(T) == 8 || std::is_same_v<T, std::uint32_t>) {
        return static_cast<T>(long_of(value));
    } else {
        const bool fits = value > -0x1p31 - 1 && value < 0x1p31;
        return static_cast<T>(fits ? static_cast<std::int32_t>(value)
                                   : std::numeric_limits<std::int32_t>::min());
    }
}

/// As SciPy's filters by a footprint do it: a negative value becomes an unsigned integer by way of its
/// positive one.
template <class T>
T mirrored_cast(double value) {
    if constexpr (std::is_unsigned_v<T>) {
        return value > -1.0 ? number_cast<T>(value) : static_cast<T>(T{0} - number_cast<T>(-value));
    } else {
        return number_cast<T>(value);
    }
}

} // namespace glproc
