// Affine and other maps by the processor: the sums of glsl/kinds/gather/affine.comp, in the same order and with the same roundings.
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/gather/affine_weights.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

constexpr std::size_t most_taps = 6;

/// The code nearest to sum / alpha, as unweighted() of glsl/lib/long_sums.glsl.
double unweighted(double sum, double alpha) {
    if (alpha <= 0) {
        return 0;
    }
    const double value = std::min(std::max(sum, 0.0), 65535.0 * alpha);
    const float whole = std::floor(static_cast<float>(value) / static_cast<float>(alpha));
    const double halfway = (double(whole) + 0.5) * alpha;
    const bool is_odd = std::fmod(whole, 2.0F) != 0;
    return value > halfway || (value == halfway && is_odd) ? whole + 1.0F : whole;
}

/// Means around points. `Sum` is float, or double for LONG_SUMS of the kernel.
template <class Sum>
class Mean {
    static constexpr bool is_long = std::is_same_v<Sum, double>;
    using Weights = std::array<Sum, most_taps>;

  public:
    Mean(const Affine& affine, const Image& source)
        : affine_(affine), form_(source.form()), taps_(taps_of(affine)), n_(size_of(form_.channels)), weighs_(weighs(affine, form_)),
          plane_(source, weighs_ && !is_long), phases_(taps_ == 1 ? Floats() : phases_of(affine.filter, taps_, is_long)),
          beyond_(border_pixel(border_codes(form_, affine.border, affine.border.alpha()), form_, weighs_ && !is_long)) {}

    using Sums = std::array<Sum, 4>;

    Sums around(const Double2& point) const {
        Sums sums{};
        if (taps_ == 1) {
            const float* pixel = pixel_at(whole(point[0]), whole(point[1]));
            std::copy_n(pixel, n_, sums.begin());
            return sums;
        }
        const Double2 corner{std::floor(point[0] - 0.5), std::floor(point[1] - 0.5)};
        const Weights across = weights_at(point[0] - 0.5 - corner[0]);
        const Weights down = weights_at(point[1] - 0.5 - corner[1]);
        const int left = whole(corner[0]) - (taps_ / 2 - 1);
        const int top = whole(corner[1]) - (taps_ / 2 - 1);
        for (int j = 0; j < taps_; ++j) {
            Sums row{};
            for (int i = 0; i < taps_; ++i) {
                add_pixel(across.at(size_of(i)), pixel_at(left + i, top + j), row);
            }
            for (std::size_t c = 0; c < n_; ++c) {
                add_tap(down.at(size_of(j)), row.at(c), sums.at(c));
            }
        }
        return sums;
    }

  private:
    const float* pixel_at(int x, int y) const {
        const BorderMode border = affine_.border.mode;
        const int column = x >= 0 && x < form_.width ? x : index_within(border, x, form_.width);
        const int row = y >= 0 && y < form_.height ? y : index_within(border, y, form_.height);
        return column < 0 || row < 0 ? beyond_.data() : plane_.row(row) + size_of(column) * n_; // NOLINT: within the row
    }

    /// Weights of 0 let no NaN through.
    static void add_tap(Sum weight, Sum value, Sum& sum) {
        const Sum product = weight * value;
        sum = weight == 0 ? sum : sum + product;
    }

    void add_pixel(Sum weight, const float* pixel, Sums& sums) const {
        for (std::size_t c = 0; c < n_; ++c) {
            const bool is_colour = is_long && c + 1 < n_; // which is weighted here
            const Sum value = is_colour ? Sum(pixel[c]) * Sum(pixel[n_ - 1]) : Sum(pixel[c]); // NOLINT: of the pixel
            add_tap(weight, value, sums.at(c));
        }
    }

    double double_at(std::size_t i) const {
        return std::bit_cast<double>(std::array<float, 2>{phases_[i], phases_[i + 1]});
    }

    /// load_weights() of the kernel, by whose table.
    Weights weights_at(double exact_part) const {
        Weights weights{};
        const std::size_t pairs = size_of(taps_ / 2);
        const auto part = static_cast<Sum>(exact_part);
        const Sum place = part * Sum(phase_count);
        const int phase = std::min(static_cast<int>(place), phase_count - 1);
        const Sum share = place - Sum(phase);
        if constexpr (is_long) {
            for (std::size_t t = 0; t < pairs; ++t) {
                const std::size_t pair = (size_of(phase) * pairs + t) * 12;
                for (std::size_t k = 0; k < 2; ++k) {
                    const double bend = double(phases_[pair + 8 + 2 * k]) + share * double(phases_[pair + 9 + 2 * k]);
                    const double slope = double_at(pair + 4 + 2 * k) + share * bend;
                    weights.at(2 * t + k) = double_at(pair + 2 * k) + share * slope;
                }
            }
        } else if (taps_ == 2) {
            weights = {1 - part, part};
        } else {
            for (std::size_t t = 0; t < pairs; ++t) {
                const float* pair = &phases_[(size_of(phase) * pairs + t) * 4];
                weights.at(2 * t) = pair[0] + share * pair[2];     // NOLINT: two weights and their growths
                weights.at(2 * t + 1) = pair[1] + share * pair[3]; // NOLINT: likewise
            }
        }
        return weights;
    }

    const Affine& affine_;
    Form form_;
    int taps_;
    std::size_t n_; ///< channels
    bool weighs_;
    Plane plane_;
    Floats phases_;
    Floats beyond_;
};

/// Calls use(x, sums) for the pixels of a row.
template <class Sum, class Use>
void over_row(const Affine& affine, const Mean<Sum>& mean, int width, int y, const Use& use) {
    const int n = affine.samples;
    const Rect line = samples_in(affine, {0, y, width, 1});
    const std::vector<Double2> points = affine.map ? affine.map->points_in(line) : std::vector<Double2>();
    const auto point_at = [&](int column, int row) {
        return affine.map ? points[size_of(row * line.width + column)] : affine.at(column + 0.5, line.y + row + 0.5);
    };
    const Sum share = static_cast<Sum>(1.0 / (double(n) * n));
    for (int x = 0; x < width; ++x) {
        typename Mean<Sum>::Sums sums{};
        for (int i = 0; n > 1 && i < n * n; ++i) {
            const typename Mean<Sum>::Sums more = mean.around(point_at(x * n + i % n, i / n));
            std::transform(sums.begin(), sums.end(), more.begin(), sums.begin(), [](Sum a, Sum b) { return a + b; });
        }
        if (n > 1) {
            std::transform(sums.begin(), sums.end(), sums.begin(), [&](Sum sum) { return sum * share; });
        } else {
            sums = mean.around(point_at(x, 0));
        }
        use(x, sums);
    }
}

Image mapped_in_floats(const Affine& affine, const Image& source, int width, int height) {
    const std::size_t channels = size_of(source.channels());
    const Mean<float> mean(affine, source);
    Image result(width, height, source.channels(), source.depth());
    const int alpha = weighs(affine, source.form()) ? 1 : 0;
    const EndingTwin twin = ending_twin("kinds/gather/end.glsl", source.depth(), alpha, {{"LIGHT", "0"}});
    parallel_for(size_of(height), [&] { return std::vector<float>(size_of(width) * channels); },
                 [&](std::vector<float>& row, std::size_t y) {
                     over_row(affine, mean, width, static_cast<int>(y),
                              [&](int x, const auto& sums) { std::copy_n(sums.begin(), channels, &row[size_of(x) * channels]); });
                     twin({.sums = row.data(), .to = result.row(static_cast<int>(y)), .count = row.size(),
                           .channels = alpha == 0 ? 1 : source.channels()});
                 });
    return result;
}

Image mapped_in_doubles(const Affine& affine, const Image& source, int width, int height) {
    const std::size_t channels = size_of(source.channels());
    const Mean<double> mean(affine, source);
    Image result(width, height, source.channels(), source.depth());
    parallel_for(size_of(height), [&](std::size_t y) {
        over_row(affine, mean, width, static_cast<int>(y), [&](int x, const auto& sums) {
            std::uint16_t* to = &result.values<std::uint16_t>()[(y * size_of(width) + size_of(x)) * channels];
            for (std::size_t c = 0; c < channels; ++c) {
                const double alpha = sums[channels - 1];
                const double code = c + 1 < channels ? unweighted(sums[c], alpha) : std::nearbyint(std::clamp(alpha, 0.0, 65535.0));
                to[c] = static_cast<std::uint16_t>(code); // NOLINT: of the pixel
            }
        });
    });
    return result;
}

} // namespace

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

Image mapped(const Affine& affine, const Image& source, int width, int height) {
    return has_long_sums(affine, source.form()) ? mapped_in_doubles(affine, source, width, height)
                                                : mapped_in_floats(affine, source, width, height);
}

} // namespace glproc
