// Resizes pictures in double precision, by plain loops.
#include "glproc/kinds/gather/resample.hpp"
#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <map>

namespace glproc {

namespace {

/// Turns pixels into the values that the loops add up, and back.
class Mixture {
  public:
    Mixture(const Resample& resample, const Image& source)
        : source_(source), channels_(static_cast<std::size_t>(source.channels())),
          weighted_(mixes_by_alpha(resample, source.form())), linear_(mixes_light(resample, source.form())),
          full_(max_code(source.depth())) {}

    std::vector<double> row(int y) const {
        std::vector<double> values;
        for (int x = 0; x < source_.width(); ++x) {
            const double alpha = source_.at(x, y, source_.channels() - 1) / full_;
            for (int c = 0; c < source_.channels(); ++c) {
                const double value = source_.at(x, y, c) / full_;
                values.push_back(is_alpha(c) ? alpha
                                 : weighted_ ? alpha * (linear_ ? linear_of_srgb(value) : value)
                                 : linear_   ? linear_of_srgb(value)
                                             : value);
            }
        }
        return values;
    }

    /// Keeps values between the axes within their range. Weighted colours are clipped by alpha, which is itself cut off at
    /// the end alone: a flat colour stays flat.
    void bound(std::vector<double>& values) const {
        if (source_.depth() != Depth::u8) {
            return;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            double& alpha = values[i / channels_ * channels_ + channels_ - 1];
            if (!weighted_) {
                values[i] = std::clamp(values[i], 0.0, 1.0);
            } else if (is_alpha(static_cast<int>(i % channels_))) {
                alpha = std::max(alpha, 0.0);
            } else {
                values[i] = std::clamp(values[i], 0.0, std::max(alpha, 0.0));
            }
        }
    }

    void finish(std::span<double> values) const {
        const bool is_float = source_.depth() == Depth::f32;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double alpha = values[i / channels_ * channels_ + channels_ - 1];
            if (is_alpha(static_cast<int>(i % channels_))) {
                continue;
            }
            if (weighted_) {
                values[i] = (is_float ? alpha != 0 : alpha > 0) ? values[i] / alpha : 0;
            }
            values[i] = linear_ ? srgb_of_linear(values[i]) : values[i];
        }
        std::transform(values.begin(), values.end(), values.begin(), [this](double v) { return v * full_; });
    }

  private:
    bool is_alpha(int c) const { return source_.has_alpha() && c == source_.channels() - 1; }

    const Image& source_;
    std::size_t channels_;
    bool weighted_;
    bool linear_;
    double full_;
};

/// The source pixels that a pixel of the result depends on, and their weights.
struct Window {
    Span span;
    std::vector<double> weights;
};

Window weighted_window(const Stretch& stretch, int o) {
    const Span span = window_of(stretch, o);
    return {span, weights_of(stretch, o, span)};
}

/// The windows of all pixels of a line: weights take sines, and each row needs the same ones.
std::vector<Window> all_windows(const Stretch& stretch) {
    std::vector<Window> windows;
    for (int o = 0; o < stretch.to; ++o) {
        windows.push_back(weighted_window(stretch, o));
    }
    return windows;
}

/// The sum over a window; `pixel(i)` points to the values of source pixel i, `width` of them.
template <class Pixel>
void add_window(const Window& window, std::size_t width, double* sums, const Pixel& pixel) {
    for (int k = 0; k < window.span.count; ++k) {
        const double weight = window.weights[static_cast<std::size_t>(k)];
        const double* from = pixel(window.span.first + k);
        for (std::size_t c = 0; c < width; ++c) {
            sums[c] += weight * from[c];
        }
    }
}

} // namespace

std::vector<double> resampled_rows(const Resample& resample, const Image& source, std::span<const int> rows) {
    const Mixture mixture(resample, source);
    const auto channels = static_cast<std::size_t>(source.channels());
    const std::size_t width = static_cast<std::size_t>(resample.x.to) * channels;
    const std::vector<Window> columns = all_windows(resample.x);
    std::map<int, std::vector<double>> across; // rows of the source at their new width
    const auto row_across = [&](int y) {
        std::vector<double>& sums = across[y];
        if (sums.empty()) {
            const std::vector<double> row = mixture.row(y);
            sums.resize(width);
            for (std::size_t x = 0; x < columns.size(); ++x) {
                add_window(columns[x], channels, &sums[x * channels],
                           [&](int i) { return &row[static_cast<std::size_t>(i) * channels]; });
            }
            mixture.bound(sums);
        }
        return sums.data();
    };
    std::vector<double> result;
    for (const int y : rows) {
        const Window window = weighted_window(resample.y, y);
        across.erase(across.begin(), across.lower_bound(window.span.first));
        result.resize(result.size() + width);
        const std::span<double> row = std::span(result).last(width);
        add_window(window, width, row.data(), row_across);
        mixture.finish(row);
    }
    return result;
}

double resample_row_cost(const Resample& resample, int channels) {
    const double taps = 2 * reach_of(resample.x.filter);
    const double across = taps * std::max(resample.x.scale(), 1.0) * resample.x.to;
    return channels * (across + resample.x.to) * std::max(taps * resample.y.scale(), taps);
}

} // namespace glproc
