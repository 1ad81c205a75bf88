#include "glproc/kinds/gather/affine_weights.hpp"
#include "glproc/kinds/border.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace glproc {

bool weighs(const Affine& affine, const Form& form) {
    return taps_of(affine) > 1 && form.has_alpha() && affine.alpha == AlphaMode::premultiply;
}

std::vector<double> weights_at(ResampleFilter filter, int taps, double part) {
    std::vector<double> weights;
    for (int k = 0; k < taps; ++k) {
        weights.push_back(weight_at(filter, k - (taps / 2 - 1) - part));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::transform(weights.begin(), weights.end(), weights.begin(), [sum](double w) { return w / sum; });
    return weights;
}

int whole(double point) {
    return static_cast<int>(std::clamp(std::floor(point), -0x1p29, 0x1p29));
}

namespace {

/// Means around points, in double precision.
class Mean {
  public:
    Mean(const Affine& affine, const Image& source)
        : affine_(affine), source_(source), taps_(taps_of(affine)), weighted_(weighs(affine, source.form())),
          beyond_(border_codes(source.form(), affine.border, affine.border.alpha())) {}

    /// The mean of those around these points.
    void add(std::span<const Double2> points, std::vector<double>& values) const {
        std::array<double, 4> sums{};
        for (const Double2& point : points) {
            add_around(point, 1.0 / static_cast<double>(points.size()), sums);
        }
        finish(sums, values);
    }

  private:
    void add_around(const Double2& point, double share, std::array<double, 4>& sums) const {
        const double back = taps_ == 1 ? 0 : 0.5;
        const Double2 corner{std::floor(point[0] - back), std::floor(point[1] - back)};
        const auto weights = [&](std::size_t axis) {
            return taps_ == 1 ? std::vector<double>{1.0}
                              : weights_at(affine_.filter, taps_, point[axis] - back - corner[axis]);
        };
        const std::vector<double> across = weights(0);
        const std::vector<double> down = weights(1);
        const int before = taps_ == 1 ? 0 : taps_ / 2 - 1;
        for (int j = 0; j < taps_; ++j) {
            for (int i = 0; i < taps_; ++i) {
                const double weight =
                    across[static_cast<std::size_t>(i)] * down[static_cast<std::size_t>(j)] * share;
                add_pixel(whole(corner[0]) - before + i, whole(corner[1]) - before + j, weight, sums);
            }
        }
    }

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
    const int n = affine.samples;
    std::vector<double> values;
    std::vector<Double2> own(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    for (const int y : rows) {
        const Rect line = samples_in(affine, {0, y, width, 1});
        const std::vector<Double2> points =
            affine.map ? affine.map->points_in(line) : std::vector<Double2>();
        for (int x = 0; x < width; ++x) {
            for (int i = 0; i < n * n; ++i) {
                const int column = x * n + i % n;
                const int row = i / n;
                own[static_cast<std::size_t>(i)] =
                    affine.map ? points[static_cast<std::size_t>(row * line.width + column)]
                               : affine.at(column + 0.5, line.y + row + 0.5);
            }
            mean.add(own, values);
        }
    }
    return values;
}

} // namespace glproc
