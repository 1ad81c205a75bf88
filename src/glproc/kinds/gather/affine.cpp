#include "glproc/kinds/gather/affine.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/border.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

constexpr int phase_count = 2048; // PHASES of the kernel

bool weighs(const Affine& affine, const Form& form) {
    return taps_of(affine) > 1 && form.has_alpha() && affine.alpha == AlphaMode::premultiply;
}

/// Weights for a point `part` of a pixel right of the centre of the pixel before the middle; they add up
/// to 1.
std::vector<double> weights_at(ResampleFilter filter, int taps, double part) {
    std::vector<double> weights;
    for (int k = 0; k < taps; ++k) {
        weights.push_back(weight_at(filter, k - (taps / 2 - 1) - part));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::transform(weights.begin(), weights.end(), weights.begin(), [sum](double w) { return w / sum; });
    return weights;
}

Floats phases_of(ResampleFilter filter, int taps) {
    Floats phases;
    for (int phase = 0; phase <= phase_count; ++phase) {
        const std::vector<double> weights = weights_at(filter, taps, double(phase) / phase_count);
        phases.insert(phases.end(), weights.begin(), weights.end());
    }
    return phases;
}

Uint4 words_of(const Double2& pair) {
    const auto x = std::bit_cast<std::uint64_t>(pair[0]);
    const auto y = std::bit_cast<std::uint64_t>(pair[1]);
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32U),
            static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(y >> 32U)};
}

/// Points beyond these are beyond every border's reach, and stay within what an int holds.
int whole(double point) {
    return static_cast<int>(std::clamp(std::floor(point), -0x1p29, 0x1p29));
}

} // namespace

int taps_of(const Affine& affine) {
    return static_cast<int>(2 * reach_of(affine.filter));
}

Rect source_of(const Affine& affine, const Form& source, const Rect& result) {
    const int taps = taps_of(affine);
    std::array<Double2, 4> corners;
    std::size_t i = 0;
    for (const int y : {result.y, result.bottom() - 1}) {
        for (const int x : {result.x, result.right() - 1}) {
            corners[i++] = affine.at(x + 0.5, y + 0.5);
        }
    }
    const auto along = [&](std::size_t axis, int n) {
        const auto [least, most] =
            std::minmax({corners[0][axis], corners[1][axis], corners[2][axis], corners[3][axis]});
        const int from = whole(least - 0.5) - taps / 2;
        const int end = whole(most + 0.5) + taps / 2 + 1;
        return source_of(affine.border.mode, from, end - from, n);
    };
    const Span x = along(0, source.width);
    const Span y = along(1, source.height);
    return {x.first, y.first, x.count, y.count};
}

GpuImage run_affine(Context& gpu, const Affine& affine, const Form& source, const GpuImage& part,
                    const Rect& rect, const Rect& result) {
    GpuImage image = gpu.make_image({result.width, result.height, source.channels, source.depth}, "result");
    const int taps = taps_of(affine);
    const Floats phases = phases_of(affine.filter, taps);
    Buffer table = gpu.make_buffer(phases.size() * sizeof(float), "affine.phases");
    table.write(phases);
    gpu.pass("gather.affine", "kinds/gather/affine.comp",
             {{"TAPS", text(taps)},
              {"BORDER", text(static_cast<int>(affine.border.mode))},
              {"CHANNELS", text(part.stored_channels())},
              {"DEPTH", text(static_cast<int>(source.depth))},
              {"FETCHED", fetched(gpu.device())},
              {"ALPHA", text(weighs(affine, source) ? 1 : 0)}})
        .reads("i_src", part)
        .reads("b_phases", table)
        .writes("i_dst", image)
        .set("u_size", Int2{source.width, source.height})
        .set("u_border_texel",
             border_texel(source, border_codes(source, affine.border, affine.border.alpha()), source.depth))
        .set("u_part", Int2{rect.x, rect.y})
        .set("u_first", Int2{result.x, result.y})
        .set("u_origin", words_of(affine.origin))
        .set("u_right", words_of(affine.right))
        .set("u_down", words_of(affine.down))
        .over(image.texture().width(), image.height());
    return image;
}

namespace {

/// Means around points, in double precision.
class Mean {
  public:
    Mean(const Affine& affine, const Image& source)
        : affine_(affine), source_(source), taps_(taps_of(affine)), weighted_(weighs(affine, source.form())),
          beyond_(border_codes(source.form(), affine.border, affine.border.alpha())) {}

    void add(const Double2& point, std::vector<double>& values) const {
        const double back = taps_ == 1 ? 0 : 0.5;
        const Double2 corner{std::floor(point[0] - back), std::floor(point[1] - back)};
        const auto weights = [&](std::size_t axis) {
            return taps_ == 1 ? std::vector<double>{1.0}
                              : weights_at(affine_.filter, taps_, point[axis] - back - corner[axis]);
        };
        const std::vector<double> across = weights(0);
        const std::vector<double> down = weights(1);
        const int before = taps_ == 1 ? 0 : taps_ / 2 - 1;
        std::array<double, 4> sums{};
        for (int j = 0; j < taps_; ++j) {
            for (int i = 0; i < taps_; ++i) {
                const double weight = across[static_cast<std::size_t>(i)] * down[static_cast<std::size_t>(j)];
                add_pixel(whole(corner[0]) - before + i, whole(corner[1]) - before + j, weight, sums);
            }
        }
        finish(sums, values);
    }

  private:
    bool is_alpha(int c) const { return source_.has_alpha() && c == source_.channels() - 1; }

    void add_pixel(int x, int y, double weight, std::array<double, 4>& sums) const {
        const int column = index_within(affine_.border.mode, x, source_.width());
        const int row = index_within(affine_.border.mode, y, source_.height());
        const auto value = [&](int c) {
            return column >= 0 && row >= 0 ? source_.at(column, row, c)
                                           : beyond_[is_alpha(c) ? 3 : static_cast<std::size_t>(c)];
        };
        const int last = source_.channels() - 1;
        const double alpha = weighted_ ? value(last) : 1;
        for (int c = 0; c <= last && weight != 0; ++c) {
            sums[static_cast<std::size_t>(c)] += weight * value(c) * (is_alpha(c) ? 1 : alpha);
        }
    }

    void finish(const std::array<double, 4>& sums, std::vector<double>& values) const {
        const int last = source_.channels() - 1;
        const double alpha = weighted_ ? sums[static_cast<std::size_t>(last)] : 1;
        const bool shows = source_.depth() == Depth::f32 ? alpha != 0 : alpha > 0;
        for (int c = 0; c <= last; ++c) {
            const double sum = sums[static_cast<std::size_t>(c)];
            values.push_back(is_alpha(c) || !weighted_ ? sum : shows ? sum / alpha : 0);
        }
    }

    const Affine& affine_;
    const Image& source_;
    int taps_;
    bool weighted_;
    BorderCodes beyond_;
};

} // namespace

std::vector<double> mapped_rows(const Affine& affine, const Image& source, int width,
                                std::span<const int> rows) {
    const Mean mean(affine, source);
    std::vector<double> values;
    for (const int y : rows) {
        for (int x = 0; x < width; ++x) {
            mean.add(affine.at(x + 0.5, y + 0.5), values);
        }
    }
    return values;
}

} // namespace glproc
