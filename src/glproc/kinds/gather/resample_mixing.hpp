// How the processor mixes values when it resizes: begin_values() and end_values() of glsl/kinds/gather/resample.comp.
#pragma once

#include "glproc/kinds/gather/resample.hpp"
#include "glproc/kinds/gather/resample_tables.hpp"
#include "glproc/kinds/separable/row_ending.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace glproc {

inline constexpr std::size_t lanes = 8; ///< rows side by side
using Lanes = std::array<float, lanes>;

/// Rounds to nearest even: above 2^23 a float has no bits for fractions left.
inline std::uint32_t code_of(float value, float most) {
    constexpr float whole_from = 8388608;
    const float rounded = std::clamp(value, 0.0F, most) + whole_from;
    return std::bit_cast<std::uint32_t>(rounded) & 0xffffU;
}

/// How the values of a picture are mixed.
struct Mixing {
    Depth depth; ///< of the picture; light is mixed as floats
    bool weighted;
    bool linear;
    bool has_both; ///< axes change

    bool is_plain() const { return depth != Depth::f32 && !weighted && !linear; }
    Depth mixed_depth() const { return linear ? Depth::f32 : depth; }
    float full() const { return linear ? 1 : static_cast<float>(max_code(depth)); }
    bool is_careful(const Stretch& stretch) const { return carries_errors(stretch, depth); }
};

/// Keeps sums of 8 bits in their range between the axes: end_values() of the kernel with LAST 0.
template <std::size_t Channels>
void end_between(const Mixing& mixing, std::array<Lanes, Channels>& sums) {
    if (!mixing.has_both || mixing.depth != Depth::u8) {
        return;
    }
    for (std::size_t r = 0; r < lanes; ++r) {
        const float alpha = std::max(sums[Channels - 1][r], 0.0F);
        for (std::size_t c = 0; c < Channels; ++c) {
            float& sum = sums[c][r]; // NOLINT: below Channels
            if (mixing.weighted) {
                sum = c + 1 == Channels ? alpha : std::clamp(sum, 0.0F, mixing.full() * alpha);
            } else {
                sum = std::clamp(sum, 0.0F, mixing.full());
            }
            if (mixing.is_plain()) { // whole 256ths
                sum = static_cast<float>(code_of(sum * 256, 65535));
            }
        }
    }
}

/// Rounds sums of a few whole pixels into the result.
class ResampleEnding {
  public:
    ResampleEnding(const Mixing& mixing, int channels)
        : mixing_(mixing), channels_(mixing.weighted ? channels : 1),
          twin_(ending_twin("kinds/gather/end.glsl", mixing.mixed_depth(), mixing.weighted ? 1 : 0, {{"LIGHT", text(mixing.linear ? 1 : 0)}})) {}

    void run(std::span<const float> sums, std::byte* to) const {
        if (!mixing_.is_plain()) {
            return twin_({.sums = sums.data(), .to = to, .count = sums.size(), .channels = channels_});
        }
        mixing_.depth == Depth::u8 ? store<std::uint8_t>(sums, to) : store<std::uint16_t>(sums, to);
    }

  private:
    template <class T>
    void store(std::span<const float> sums, std::byte* to) const {
        const float unit = mixing_.has_both && mixing_.depth == Depth::u8 ? 1.0F / 256 : 1.0F;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const auto code = static_cast<T>(code_of(sums[i] * unit, mixing_.full()));
            std::memcpy(to + i * sizeof(T), &code, sizeof(T)); // NOLINT: as many
        }
    }

    Mixing mixing_;
    int channels_;
    EndingTwin twin_;
};

} // namespace glproc
