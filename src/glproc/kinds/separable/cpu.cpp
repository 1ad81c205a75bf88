#include "glproc/kinds/separable/cpu.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/math/srgb.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glproc {

namespace {

double rounded(double code, Depth depth) {
    return depth == Depth::f32 ? code : std::nearbyint(std::clamp(code, 0.0, max_code(depth)));
}

template <class T>
void add_row(const Image& image, int y, double weight, bool premultiply, std::span<double> sums) {
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::span<const T> row =
        image.values<T>().subspan(static_cast<std::size_t>(y) * sums.size(), sums.size());
    if (!premultiply) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            sums[i] += weight * row[i];
        }
        return;
    }
    for (std::size_t first = 0; first < row.size(); first += channels) {
        const std::size_t last = first + channels - 1;
        const double weighted = weight * row[last];
        for (std::size_t i = first; i < last; ++i) {
            sums[i] += weighted * row[i];
        }
        sums[last] += weighted;
    }
}

/// Filters rows; a thread has one of its own.
class RowFilter {
  public:
    RowFilter(const Image& image, const SeparableFilter& filter)
        : image_(image), filter_(filter), channels_(static_cast<std::size_t>(image.channels())),
          row_(static_cast<std::size_t>(image.width()) * channels_),
          premultiply_(image.has_alpha() && filter.alpha == AlphaMode::premultiply) {
        const auto code = [&](double value) {
            return rounded(value * max_code(image.depth()), image.depth());
        };
        const double alpha = code(filter.border_alpha);
        for (int c = 0; c < image.channels(); ++c) {
            beyond_.push_back(code(filter.border.channel(c)) * (premultiply_ ? alpha : 1));
        }
        if (image.has_alpha()) {
            beyond_.back() = alpha;
        }
        for (int i = -filter.radius.x; i < image.width() + filter.radius.x; ++i) {
            columns_.push_back(index_within(filter.border.mode, i, image.width()));
        }
        wide_.resize(columns_.size() * channels_);
    }

    /// Sums first along y, which takes the image's rows as they are, then along x.
    void run(int y, std::span<double> result) {
        sum_rows(y);
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const double* from =
                columns_[i] < 0 ? beyond_.data() : &row_[static_cast<std::size_t>(columns_[i]) * channels_];
            std::copy_n(from, channels_, &wide_[i * channels_]);
        }
        std::fill(result.begin(), result.end(), 0.0);
        const int radius = filter_.radius.x;
        for (int d = -radius; d <= radius; ++d) {
            const double weight = weight_at(filter_.taps_x, d, radius);
            const double* from = &wide_[static_cast<std::size_t>(d + radius) * channels_];
            for (std::size_t i = 0; i < result.size(); ++i) {
                result[i] += weight * from[i];
            }
        }
        finish(y, result);
        if (filter_.sharpening) {
            sharpen(y, result);
        }
    }

  private:
    /// Alpha is kept, unless it is a channel like the others.
    void sharpen(int y, std::span<double> result) const {
        const bool keeps = image_.has_alpha() && filter_.alpha != AlphaMode::straight;
        const double threshold = filter_.sharpening->threshold * max_code(image_.depth());
        for (std::size_t i = 0; i < result.size(); ++i) {
            const auto channel = static_cast<int>(i % channels_);
            const double own = image_.at(static_cast<int>(i / channels_), y, channel);
            const double difference = own - result[i];
            const bool is_kept = keeps && channel == image_.channels() - 1;
            const bool stays = is_kept || std::abs(difference) <= threshold;
            result[i] = stays ? own : own + filter_.sharpening->amount * difference;
        }
    }

    static double weight_at(const std::vector<double>& taps, int distance, int radius) {
        return taps.empty() ? 1 / (2.0 * radius + 1) : taps[static_cast<std::size_t>(std::abs(distance))];
    }

    void add(int y, double weight) {
        switch (image_.depth()) {
        case Depth::u8:
            return add_row<std::uint8_t>(image_, y, weight, premultiply_, row_);
        case Depth::u16:
            return add_row<std::uint16_t>(image_, y, weight, premultiply_, row_);
        case Depth::f32:
            return add_row<float>(image_, y, weight, premultiply_, row_);
        }
    }

    void sum_rows(int y) {
        std::fill(row_.begin(), row_.end(), 0.0);
        const int radius = filter_.radius.y;
        for (int d = -radius; d <= radius; ++d) {
            const double weight = weight_at(filter_.taps_y, d, radius);
            const int from = index_within(filter_.border.mode, y + d, image_.height());
            if (from >= 0) {
                add(from, weight);
            } else {
                for (std::size_t i = 0; i < row_.size(); ++i) {
                    row_[i] += weight * beyond_[i % channels_];
                }
            }
        }
    }

    /// Undoes the weighting by alpha, or gives alpha back.
    void finish(int y, std::span<double> result) const {
        if (!image_.has_alpha() || filter_.alpha == AlphaMode::straight) {
            return;
        }
        for (std::size_t first = 0; first < result.size(); first += channels_) {
            double& alpha = result[first + channels_ - 1];
            if (!premultiply_) {
                alpha = image_.at(static_cast<int>(first / channels_), y, image_.channels() - 1);
                continue;
            }
            for (std::size_t c = 0; c + 1 < channels_; ++c) {
                result[first + c] = alpha != 0 ? result[first + c] / alpha : 0;
            }
        }
    }

    const Image& image_;
    const SeparableFilter& filter_;
    std::size_t channels_;
    std::vector<double> row_; ///< summed along y
    bool premultiply_;
    std::vector<double> beyond_; ///< the constant pixel
    std::vector<int> columns_;   ///< that `wide_` takes from row_
    std::vector<double> wide_;   ///< row_ with its borders
};

/// Runs work(filter, index) for each index below `count`, on all cores, each with a RowFilter of its own.
template <class Work>
void on_all_cores(const Image& image, const SeparableFilter& filter, std::size_t count, const Work& work) {
    parallel_for(
        count, [&] { return RowFilter(image, filter); }, work);
}

std::size_t row_values(const Image& image) {
    return static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.channels());
}

template <class T>
void store_row(std::span<const double> row, Image& image, int y) {
    const std::span<T> to = image.values<T>().subspan(static_cast<std::size_t>(y) * row.size(), row.size());
    std::transform(row.begin(), row.end(), to.begin(),
                   [&](double code) { return static_cast<T>(rounded(code, image.depth())); });
}

std::vector<double> plain_rows(const Image& image, const SeparableFilter& filter, std::span<const int> rows) {
    const std::size_t values = row_values(image);
    std::vector<double> result(rows.size() * values);
    if (!rows.empty()) {
        on_all_cores(image, filter, rows.size(), [&](RowFilter& own, std::size_t i) {
            own.run(rows[i], std::span(result).subspan(i * values, values));
        });
    }
    return result;
}

/// Rows as they are, even the colour under alpha 0.
std::vector<double> copied_rows(const Image& image, std::span<const int> rows) {
    std::vector<double> result;
    result.reserve(rows.size() * row_values(image));
    for (const int y : rows) {
        for (int x = 0; x < image.width(); ++x) {
            for (int channel = 0; channel < image.channels(); ++channel) {
                result.push_back(image.at(x, y, channel));
            }
        }
    }
    return result;
}

/// Calls work(value index, whether it is alpha) for each of `count` values.
template <class Work>
void over_values(const Image& image, std::size_t count, const Work& work) {
    const auto channels = static_cast<std::size_t>(image.channels());
    for (std::size_t i = 0; i < count; ++i) {
        work(i, image.has_alpha() && i % channels == channels - 1);
    }
}

std::vector<double> linear_rows(const Image& image, const SeparableFilter& filter,
                                std::span<const int> rows) {
    const double full = max_code(image.depth());
    Image light = with_depth(image, Depth::f32);
    const std::span<float> values = light.values<float>();
    over_values(image, values.size(), [&](std::size_t i, bool is_alpha) {
        values[i] = is_alpha ? values[i] : static_cast<float>(linear_of_srgb(values[i]));
    });
    SeparableFilter plain = filter;
    plain.border = linear_border(filter.border, image.depth());
    std::vector<double> result = plain_rows(light, plain, rows);
    over_values(image, result.size(), [&](std::size_t i, bool is_alpha) {
        result[i] = full * (is_alpha ? result[i] : srgb_of_linear(result[i]));
    });
    return result;
}

/// The same as run_around_holes().
std::vector<double> rows_around_holes(const Image& image, const SeparableFilter& filter,
                                      std::span<const int> rows) {
    const bool weighted = image.has_alpha() && filter.alpha == AlphaMode::premultiply;
    Image whole = image;
    Image share = image;
    const std::span<float> whole_values = whole.values<float>();
    const std::span<float> shares = share.values<float>();
    over_values(image, shares.size(), [&](std::size_t i, bool is_alpha) {
        const bool keeps = std::isfinite(whole_values[i]);
        whole_values[i] = keeps ? whole_values[i] : 0;
        shares[i] = is_alpha && weighted ? whole_values[i] : static_cast<float>(keeps);
    });
    std::vector<double> result = plain_rows(whole, filter, rows);
    SeparableFilter mask = filter;
    mask.border = {filter.border.mode, 1.0};
    mask.border_alpha = weighted ? filter.border_alpha : 1.0;
    const std::vector<double> part = plain_rows(share, mask, rows);
    const auto channels = static_cast<std::size_t>(image.channels());
    over_values(image, result.size(), [&](std::size_t i, bool is_alpha) {
        const bool is_clear = weighted && result[i / channels * channels + channels - 1] == 0;
        if (is_alpha && filter.alpha == AlphaMode::ignore) {
            const std::size_t row = i / row_values(image);
            result[i] =
                image.at(static_cast<int>(i % row_values(image) / channels), rows[row], image.channels() - 1);
        } else if (!(is_alpha && weighted) && !is_clear) {
            result[i] /= part[i]; // 0 / 0, NaN, where there is nothing finite
        }
    });
    return result;
}

bool has_holes(const Image& image) {
    const std::span<const float> values = image.values<float>();
    return !std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

} // namespace

std::vector<double> filter_rows_on_cpu(const Image& image, const SeparableFilter& filter,
                                       std::span<const int> rows) {
    if (filter.radius == PerAxis<int>(0)) {
        return copied_rows(image, rows);
    }
    if (image.depth() != Depth::f32) {
        return filter.linear ? linear_rows(image, filter, rows) : plain_rows(image, filter, rows);
    }
    const bool goes_around = filter.nan == NanMode::skip && has_holes(image);
    return goes_around ? rows_around_holes(image, filter, rows) : plain_rows(image, filter, rows);
}

Image filter_on_cpu(const Image& image, const SeparableFilter& filter) {
    Image result(image.width(), image.height(), image.channels(), image.depth());
    on_all_cores(image, filter, static_cast<std::size_t>(image.height()), [&](RowFilter& own, std::size_t i) {
        std::vector<double> row(row_values(image));
        const int y = static_cast<int>(i);
        own.run(y, row);
        switch (image.depth()) {
        case Depth::u8:
            return store_row<std::uint8_t>(row, result, y);
        case Depth::u16:
            return store_row<std::uint16_t>(row, result, y);
        case Depth::f32:
            return store_row<float>(row, result, y);
        }
    });
    return result;
}

double filter_row_cost(const Form& form, const SeparableFilter& filter) {
    return double(form.width) * form.channels * (2.0 * filter.radius.x + 2.0 * filter.radius.y + 2);
}

} // namespace glproc
