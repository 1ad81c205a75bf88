#include "glproc/arrays/probe.hpp"

#include "glproc/gl/context_state.hpp"
#include "glproc/op/proof.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include <fmt/format.h>

namespace glproc {

namespace {

/// Random bits are integers of every size. Floats of every size would leave one term of a sum, so most have
/// similar ones.
template <class T>
T probe_value(std::mt19937& noise, std::int64_t i) {
    const double fraction = static_cast<double>(noise()) / 0x1p32;
    switch (i % 11) {
    case 3:
        return static_cast<T>(-0.0);
    case 5:
        return static_cast<T>(std::ldexp(fraction, static_cast<int>(noise() % 100) - 50));
    case 7:
        return i % 10 == 0 ? std::numeric_limits<T>::infinity() : static_cast<T>(noise());
    case 9:
        return static_cast<T>(noise() % 5) * std::numeric_limits<T>::denorm_min();
    default:
        return static_cast<T>(fraction * 600 - 300);
    }
}

template <class T>
void fill(std::span<std::byte> bytes) {
    std::mt19937 noise(1);
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
        const T value = probe_value<T>(noise, static_cast<std::int64_t>(i));
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
}

template <class T>
bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
    for (std::size_t i = 0; i < a.size(); i += sizeof(T)) {
        T x = 0;
        T y = 0;
        std::memcpy(&x, a.data() + i, sizeof(T));
        std::memcpy(&y, b.data() + i, sizeof(T));
        if (std::memcmp(&x, &y, sizeof(T)) != 0 && !(std::isnan(x) && std::isnan(y))) {
            return false;
        }
    }
    return true;
}

} // namespace

void prove(Context& gpu, const std::function<bool()>& is_right) {
    Proofs& proofs = gpu.state().proofs;
    if (!proofs.any_open()) {
        return;
    }
    proofs.begin_probe(true);
    bool right = false;
    try {
        right = is_right();
    } catch (...) {
        proofs.end_probe(false);
        proofs.drop_open();
        throw;
    }
    proofs.end_probe(right);
    if (!right) {
        proofs.drop_open();
        const DeviceInfo& device = gpu.device();
        throw WrongKernel(ErrorCode::no_context,
                          fmt::format("{} ({}) computes doubles wrongly", device.renderer, device.version));
    }
}

std::vector<std::byte> probe_values(const VolumeForm& form) {
    std::vector<std::byte> values(form.bytes());
    if (form.type == Number::f32) {
        fill<float>(values);
    } else if (form.type == Number::f64) {
        fill<double>(values);
    } else {
        std::mt19937 noise(1);
        for (std::byte& value : values) {
            value = static_cast<std::byte>(noise() >> 24U);
        }
    }
    return values;
}

bool same_numbers(Number type, std::span<const std::byte> a, std::span<const std::byte> b) {
    return type == Number::f32   ? same<float>(a, b)
           : type == Number::f64 ? same<double>(a, b)
                                 : std::memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace glproc
