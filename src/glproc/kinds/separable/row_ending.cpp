#include "glproc/kinds/separable/row_ending.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/kinds/separable/passes.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace glproc {

namespace {

/// CHANNELS of a twin: where they are independent, one of each pixel.
int channels_of(const Form& form, AlphaMode alpha) {
    return alpha_define(form, alpha) == 0 ? 1 : form.channels;
}

/// Codes as the last bits of floats, rounded to nearest even: above 2^23 a float has no bits for fractions left.
GLPROC_FOR_WIDE_REGISTERS
void round_to_codes(float* values, float scale, float most, std::size_t width) {
    constexpr float whole_from = 8388608;
    for (std::size_t i = 0; i < width; ++i) {
        values[i] = std::clamp(values[i] * scale, 0.0F, most) + whole_from; // NOLINT: below `width`
    }
}

template <class Code>
void put_codes(std::span<const float> values, std::byte* to) {
    auto* codes = reinterpret_cast<Code*>(to); // NOLINT: of that depth
    for (std::size_t i = 0; i < values.size(); ++i) {
        codes[i] = static_cast<Code>(std::bit_cast<std::uint32_t>(values[i])); // NOLINT: within the row
    }
}

} // namespace

EndingTwin ending_twin(const std::string& glsl, Depth depth, int alpha, Defines own) {
    own.insert({{"ALPHA", text(alpha)}, {"DST_DEPTH", text(static_cast<int>(depth))}, {"SHARPEN", "0"}});
    return find_twin(ending_twins(), glsl, own).value().run;
}

RowEnding::RowEnding(const Form& form, const SeparableFilter& filter, float scale)
    : depth_(form.depth), sharpens_(filter.sharpening.has_value()),
      is_plain_(depth_ != Depth::f32 && !sharpens_ && alpha_define(form, filter.alpha) == 0),
      channels_(channels_of(form, filter.alpha)), params_{scale, 0, 0},
      twin_(ending_twin("kinds/separable/means.glsl", depth_, alpha_define(form, filter.alpha), {{"SHARPEN", text(sharpens_ ? 1 : 0)}})) {
    if (sharpens_) {
        params_[1] = static_cast<float>(filter.sharpening->amount);
        params_[2] = static_cast<float>(filter.sharpening->threshold * max_code(depth_));
    }
}

void RowEnding::run(std::span<float> sums, const float* own, std::byte* to) const {
    if (!is_plain_) { // in wide registers the same takes a tenth of the time
        return twin_({.params = params_.data(), .sums = sums.data(), .second = own, .to = to, .count = sums.size(),
                      .channels = channels_});
    }
    round_to_codes(sums.data(), params_[0], static_cast<float>(max_code(depth_)), sums.size());
    depth_ == Depth::u8 ? put_codes<std::uint8_t>(sums, to) : put_codes<std::uint16_t>(sums, to);
}

void divide_by_shares(Image& sums, const Image& shares, AlphaMode alpha) {
    const Form& form = sums.form();
    const EndingTwin twin = ending_twin("kinds/separable/around_holes.glsl", form.depth, alpha_define(form, alpha));
    const std::size_t count = form.row_bytes() / sizeof(float);
    parallel_for(static_cast<std::size_t>(form.height), [&](std::size_t i) {
        const std::vector<float> row(sums.values<float>().begin() + static_cast<std::ptrdiff_t>(i * count), sums.values<float>().begin() + static_cast<std::ptrdiff_t>((i + 1) * count));
        twin({.sums = row.data(), .second = &shares.values<float>()[i * count], .to = sums.row(static_cast<int>(i)), .count = count,
              .channels = channels_of(form, alpha)});
    });
}

} // namespace glproc
