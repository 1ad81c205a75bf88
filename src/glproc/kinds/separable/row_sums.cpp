#include "glproc/kinds/separable/row_sums.hpp"

#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace glproc {

namespace {

/// Eight sums, in one register or two. In memory they may lie anywhere, so they are copied: GCC and clang do not agree
/// on attributes for the alignment of such a type.
using Wide = float __attribute__((vector_size(32)));
constexpr std::size_t in_wide = sizeof(Wide) / sizeof(float);

[[gnu::always_inline]] inline void add_tap(Wide& sum, float tap, const float* from) {
    Wide values; // NOLINT: filled by the copy
    std::memcpy(&values, from, sizeof values);
    sum += tap * values;
}

template <class Code>
void widen(const std::byte* codes, std::size_t count, float* to) {
    const auto* from = reinterpret_cast<const Code*>(codes); // NOLINT: of that depth
    for (std::size_t i = 0; i < count; ++i) {
        to[i] = static_cast<float>(from[i]); // NOLINT: a row has so many
    }
}

/// As glsl/lib/float_bits.glsl.
void drop_denormals(float* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float value = values[i]; // NOLINT: a row has so many
        values[i] = std::abs(value) < std::numeric_limits<float>::min() ? value * 0 : value; // NOLINT: likewise
    }
}

} // namespace

GLPROC_FOR_WIDE_REGISTERS
void sum_taps(const float* taps, const float* const* from, std::size_t count, float* to, std::size_t width) {
    constexpr std::size_t block = 4 * in_wide; // whose sums stay in registers
    std::size_t begin = 0;
    for (; begin + block <= width; begin += block) {
        Wide sum0{}; // named, since GCC 12 keeps an array of them in memory, which takes four times as long
        Wide sum1{};
        Wide sum2{};
        Wide sum3{};
        for (std::size_t k = 0; k < count; ++k) {
            const float* values = from[k] + begin;        // NOLINT: below `count`
            add_tap(sum0, taps[k], values);               // NOLINT: likewise
            add_tap(sum1, taps[k], values + in_wide);     // NOLINT: likewise
            add_tap(sum2, taps[k], values + 2 * in_wide); // NOLINT: likewise
            add_tap(sum3, taps[k], values + 3 * in_wide); // NOLINT: likewise
        }
        std::memcpy(to + begin, &sum0, sizeof sum0);               // NOLINT: below `width`
        std::memcpy(to + begin + in_wide, &sum1, sizeof sum1);     // NOLINT: likewise
        std::memcpy(to + begin + 2 * in_wide, &sum2, sizeof sum2); // NOLINT: likewise
        std::memcpy(to + begin + 3 * in_wide, &sum3, sizeof sum3); // NOLINT: likewise
    }
    for (; begin < width; ++begin) {
        float sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            sum += taps[k] * from[k][begin]; // NOLINT: likewise
        }
        to[begin] = sum; // NOLINT: likewise
    }
}

void values_of_row(const std::byte* codes, const Form& form, bool weights, float* to) {
    const auto channels = static_cast<std::size_t>(form.channels);
    const std::size_t count = static_cast<std::size_t>(form.width) * channels;
    switch (form.depth) {
    case Depth::u8:
        widen<std::uint8_t>(codes, count, to);
        break;
    case Depth::u16:
        widen<std::uint16_t>(codes, count, to);
        break;
    case Depth::f32:
        widen<float>(codes, count, to);
        drop_denormals(to, count);
        break;
    }
    for (std::size_t i = 0; weights && i < count; i += channels) {
        const float alpha = to[i + channels - 1]; // NOLINT: within the row
        for (std::size_t c = 0; c + 1 < channels; ++c) {
            to[i + c] = alpha == 0 ? 0 : to[i + c] * alpha; // NOLINT: likewise
        }
    }
}

float float_of(std::uint64_t whole) {
    const float upper = static_cast<float>(whole >> 32U) * 4294967296.0F + static_cast<float>(whole >> 16U & 65535U) * 65536.0F;
    return upper + static_cast<float>(whole & 65535U);
}

Plane::Plane(const Image& image, bool weights)
    : row_values(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.channels())),
      values(row_values * static_cast<std::size_t>(image.height())) {
    parallel_for(static_cast<std::size_t>(image.height()), [&](std::size_t i) {
        const int y = static_cast<int>(i);
        values_of_row(image.row(y), image.form(), weights, row(y));
    });
}

AxisTaps::AxisTaps(const std::vector<float>& half, bool in_parts) : radius_(static_cast<int>(half.size()) - 1) {
    constexpr int part_taps = 33; // PART_TAPS
    for (int d = -radius_; d <= radius_; ++d) {
        if (in_parts && d > -radius_ && (d + radius_) % part_taps == 0) {
            ends_.push_back(weights_.size());
        }
        const float weight = half[static_cast<std::size_t>(std::abs(d))];
        if (weight != 0) {
            weights_.push_back(weight);
            distances_.push_back(d);
        }
    }
    ends_.push_back(weights_.size());
}

/// The error of adding a part is carried into the next one.
void AxisTaps::add_up(std::span<const float* const> from, std::span<float> room, std::span<float> to) const {
    const std::size_t width = to.size();
    if (ends_.size() == 1) {
        return sum_taps(weights_.data(), from.data(), from.size(), to.data(), width);
    }
    float* const part = room.data();
    float* const excess = &room[width];
    std::fill_n(excess, width, 0.0F);
    std::fill(to.begin(), to.end(), 0.0F);
    std::size_t first = 0;
    for (const std::size_t end : ends_) {
        sum_taps(weights_.data() + first, from.data() + first, end - first, part, width);
        for (std::size_t i = 0; i < width; ++i) {
            const float addend = part[i] - excess[i]; // NOLINT: below `width`
            const float sum = to[i] + addend;
            excess[i] = (sum - to[i]) - addend; // NOLINT: likewise
            to[i] = sum;
        }
        first = end;
    }
}

} // namespace glproc
