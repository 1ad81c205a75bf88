// GLSL's types and functions in C++, by GLM: what text made by as_cpp() needs. Include it before anything of GLM's.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#define GLM_FORCE_PURE
#define GLM_FORCE_SWIZZLE
#ifndef GLPROC_SWIZZLES_ARE_CALLS // which compile in a third of the time
#include <glm/detail/setup.hpp>
// GLM writes v.rgb without brackets, and lets it be assigned to, only where it uses intrinsics.
#undef GLM_CONFIG_SWIZZLE
#define GLM_CONFIG_SWIZZLE GLM_SWIZZLE_OPERATOR
#undef GLM_CONFIG_ANONYMOUS_STRUCT
#define GLM_CONFIG_ANONYMOUS_STRUCT GLM_ENABLE
#endif
#include <glm/glm.hpp>

// Every operation rounds by itself: the files that include this are compiled without contractions.
#define precise

namespace glproc::glsl {

using namespace glm; // NOLINT: all of GLSL's names

#ifndef GLPROC_SWIZZLES_ARE_CALLS
static_assert(requires(vec4 v) { v.rgb = vec3(v.a); }, "GLM must have swizzles that can be assigned to");
#endif
static_assert(sizeof(vec3) == 3 * sizeof(float) && sizeof(uvec4) == 4 * sizeof(std::uint32_t));

using glm::clamp;
using glm::max;
using glm::min;

// GLSL leaves open what becomes of a NaN. Drivers return the other value, GLM the first.
template <class T>
    requires std::is_floating_point_v<T>
T min(T a, T b) {
    return b < a || a != a ? b : a;
}
template <class T>
    requires std::is_floating_point_v<T>
T max(T a, T b) {
    return b > a || a != a ? b : a;
}
inline float clamp(float v, float low, float high) {
    return min(max(v, low), high);
}

// A swizzle converts to a vector, which templates do not see.
inline vec3 clamp(const vec3& v, float low, float high) {
    return {clamp(v.x, low, high), clamp(v.y, low, high), clamp(v.z, low, high)};
}

inline void umulExtended(uint a, uint b, uint& high, uint& low) {
    const std::uint64_t product = std::uint64_t{a} * b;
    low = static_cast<uint>(product);
    high = static_cast<uint>(product >> 32U);
}
inline void umulExtended(const uvec2& a, const uvec2& b, uvec2& high, uvec2& low) {
    umulExtended(a.x, b.x, high.x, low.x);
    umulExtended(a.y, b.y, high.y, low.y);
}

// Shifts by an int, which GLM has of ints only.
template <length_t n>
vec<n, uint> operator>>(const vec<n, uint>& v, int by) {
    return v >> static_cast<uint>(by);
}
template <length_t n>
vec<n, uint> operator<<(const vec<n, uint>& v, int by) {
    return v << static_cast<uint>(by);
}

} // namespace glproc::glsl
