// What a kernel needs that was turned into C++ by program.py: GLSL's arrays, buffers, images and atomics,
// with every index checked, and work groups as fibers, one for each invocation, that change at barriers.
//
// A run takes a dispatch from the folder that the environment variable GLPROC_DISPATCH names;
// tests/support/dispatch_dump.hpp says what is in it. It goes through the dispatch several times, each with
// another order of groups and invocations and another content of shared memory and private variables. Each
// time must give the bytes of the driver.
#pragma once

#define GLPROC_SWIZZLES_ARE_CALLS
#include "glproc/shader/glsl.hpp"

#include "dispatch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <source_location>

namespace glproc::glsl {

/// An index, and the line that has it.
struct Index {
    template <class T>
    requires std::is_integral_v<T> Index(T i, std::source_location from = std::source_location::current())
        : value(static_cast<std::int64_t>(i)), line(from) {}

    std::size_t within(std::size_t count) const {
        if (value < 0 || value >= static_cast<std::int64_t>(count)) {
            wrong_index(line, value, count);
            return count;
        }
        return static_cast<std::size_t>(value);
    }

    std::int64_t value;
    std::source_location line;
};

/// Where a wrong index reads and writes.
template <class T>
T& nowhere() {
    static T value;
    std::memset(static_cast<void*>(&value), 0, sizeof value);
    return value;
}

/// An array of GLSL: a value.
template <class T, std::size_t n>
struct Array {
    Array() = default;
    template <class... U>
    requires(sizeof...(U) == n && (std::is_convertible_v<U, T> && ...)) explicit Array(const U&... values)
        : items{static_cast<T>(values)...} {}

    T& operator[](Index i) {
        const std::size_t at = i.within(n);
        return at < n ? items[at] : nowhere<T>();
    }
    const T& operator[](Index i) const { return const_cast<Array&>(*this)[i]; }
    int length() const { return static_cast<int>(n); }

    T items[n];
};

template <class T, class... U>
Array<T, sizeof...(U)> array_of(const U&... values) {
    return Array<T, sizeof...(U)>(static_cast<T>(values)...);
}

/// A swizzle that is assigned to.
template <class V, int... places>
struct Parts {
    static constexpr length_t count = sizeof...(places);
    using Value = vec<count, typename V::value_type>;

    Value value() const { return Value(v[places]...); }
    void operator=(const Value& to) const {
        length_t i = 0;
        ((v[places] = to[i++]), ...);
    }
    void operator+=(const auto& by) const { *this = value() + by; }
    void operator-=(const auto& by) const { *this = value() - by; }
    void operator*=(const auto& by) const { *this = value() * by; }
    void operator/=(const auto& by) const { *this = value() / by; }

    V& v;
};

template <int... places, class V>
Parts<V, places...> parts(V& v) {
    return {v};
}

/// The unsized last member of a storage block.
template <class T>
struct Buffer {
    T& operator[](Index i) const {
        const std::size_t at = i.within(count);
        return at < count ? items[at] : nowhere<T>();
    }
    int length() const { return static_cast<int>(count); }

    T* items;
    std::size_t count;
};

/// Where a member of a block lies that comes after `end` bytes, by std430.
template <class T>
constexpr std::size_t place_of(std::size_t end) {
    const std::size_t step = sizeof(T) == 12 ? 16 : sizeof(T);
    return (end + step - 1) / step * step;
}

template <class T>
Buffer<T> buffer(const char* name, std::size_t first, bool is_coherent) {
    const Bytes bytes = buffer_of(name, is_coherent);
    return {reinterpret_cast<T*>(bytes.data + first),
            bytes.size < first ? 0 : (bytes.size - first) / sizeof(T)};
}

template <class T>
T& member(const char* name, std::size_t first, bool is_coherent) {
    return *reinterpret_cast<T*>(buffer_of(name, is_coherent).data + first);
}

template <class T>
T uniform(const char* name) {
    T value;
    uniform_of(name, &value, sizeof value);
    return value;
}

template <class T>
bool shared(T& variable) {
    add_shared({reinterpret_cast<std::byte*>(&variable), sizeof variable});
    return true;
}

struct Texels {
    explicit Texels(const Picture& picture)
        : width(picture.width), height(picture.height), texels(reinterpret_cast<uvec4*>(picture.data)) {}
    bool has(const ivec2& at) const { return at.x >= 0 && at.y >= 0 && at.x < width && at.y < height; }

    int width;
    int height;
    uvec4* texels;
};
struct uimage2D : Texels {
    using Texels::Texels;
};
struct usampler2D : Texels {
    using Texels::Texels;
};

/// OpenGL defines what loads and stores beyond an image do.
inline uvec4 imageLoad(const uimage2D& image, const ivec2& at) {
    return image.has(at) ? image.texels[at.y * image.width + at.x] : uvec4(0U);
}
inline void imageStore(const uimage2D& image, const ivec2& at, const uvec4& value) {
    if (image.has(at)) {
        image.texels[at.y * image.width + at.x] = value;
    }
}
inline ivec2 imageSize(const uimage2D& image) {
    return {image.width, image.height};
}
/// Not so of textures: any value, on which nothing may depend.
inline uvec4 texelFetch(const usampler2D& image, const ivec2& at, int /*level*/) {
    if (image.has(at)) {
        return image.texels[at.y * image.width + at.x];
    }
    uvec4 any;
    fill(reinterpret_cast<std::byte*>(&any), sizeof any);
    return any;
}
inline ivec2 textureSize(const usampler2D& image, int /*level*/) {
    return {image.width, image.height};
}

template <class T, class Change>
T atomically(T& to, const Change& change) {
    T before = __atomic_load_n(&to, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&to, &before, change(before), false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    return before;
}
template <class T>
T atomicAdd(T& to, std::type_identity_t<T> by) {
    return atomically(to, [by](T v) {
        return static_cast<T>(static_cast<std::uint64_t>(v) + static_cast<std::uint64_t>(by));
    });
}
template <class T>
T atomicMin(T& to, std::type_identity_t<T> by) {
    return atomically(to, [by](T v) { return by < v ? by : v; });
}
template <class T>
T atomicMax(T& to, std::type_identity_t<T> by) {
    return atomically(to, [by](T v) { return by > v ? by : v; });
}
template <class T>
T atomicOr(T& to, std::type_identity_t<T> by) {
    return atomically(to, [by](T v) { return v | by; });
}
template <class T>
T atomicAnd(T& to, std::type_identity_t<T> by) {
    return atomically(to, [by](T v) { return v & by; });
}
template <class T>
T atomicXor(T& to, std::type_identity_t<T> by) {
    return atomically(to, [by](T v) { return v ^ by; });
}
template <class T>
T atomicExchange(T& to, std::type_identity_t<T> by) {
    return atomically(to, [by](T) { return by; });
}
template <class T>
T atomicCompSwap(T& to, std::type_identity_t<T> expected, std::type_identity_t<T> by) {
    return atomically(to, [&](T v) { return v == expected ? by : v; });
}

// What GLM has otherwise, or not.
#define GLPROC_OF_DOUBLES(sign)                                                                              \
    template <length_t n>                                                                                    \
    vec<n, double> operator sign(const vec<n, double>& a, float b) {                                         \
        return a sign static_cast<double>(b);                                                                \
    }                                                                                                        \
    template <length_t n>                                                                                    \
    vec<n, double> operator sign(float a, const vec<n, double>& b) {                                         \
        return static_cast<double>(a) sign b;                                                                \
    }
GLPROC_OF_DOUBLES(+)
GLPROC_OF_DOUBLES(-)
GLPROC_OF_DOUBLES(*)
GLPROC_OF_DOUBLES(/)
#undef GLPROC_OF_DOUBLES
inline int bitfieldExtract(int v, int first, int bits) { // of a signed number, whose sign GLM drops
    return bits == 0 ? 0 : v << (32 - first - bits) >> (32 - bits);
}
inline float roundEven(float v) {
    return std::nearbyint(v);
}
using glm::bitfieldExtract;
using glm::fma;
using glm::roundEven;
template <length_t n>
vec<n, float> fma(const vec<n, float>& a, const vec<n, float>& b,
                  const vec<n, float>& c) { // declared by GLM, and not there
    return a * b + c;
}
inline uint uaddCarry(uint a, uint b, uint& carry) {
    carry = a + b < a ? 1U : 0U;
    return a + b;
}
inline uint usubBorrow(uint a, uint b, uint& borrow) {
    borrow = a < b ? 1U : 0U;
    return a - b;
}

/// What a kernel knows of its place: the base of its class.
struct Place {
    uvec3 gl_NumWorkGroups;
    uvec3 gl_WorkGroupID;
    uvec3 gl_LocalInvocationID;
    uvec3 gl_GlobalInvocationID;
    uint gl_LocalInvocationIndex;

    Place() {
        const std::array<uint, 13> place = place_now();
        std::memcpy(static_cast<void*>(this), place.data(), sizeof place);
    }
};
static_assert(sizeof(Place) == 13 * sizeof(uint));

inline void memoryBarrier() {}
inline void memoryBarrierShared() {}
inline void memoryBarrierBuffer() {}
inline void memoryBarrierImage() {}
inline void groupMemoryBarrier() {}

template <class Invocation>
int run() {
    return run_dispatch(Invocation::group_size, sizeof(Invocation),
                        [](void* place) { (new (place) Invocation)->main(); });
}

} // namespace glproc::glsl
