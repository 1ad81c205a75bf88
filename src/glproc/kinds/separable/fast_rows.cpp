// Fast Gaussian blur by the processor: the sums of glsl/kinds/separable/fast_walk_columns.comp,
// fast_walk_rows.comp and fast_walk_up.comp, in the same order and with the same roundings.
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/kinds/separable/fast_steps.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

/// code_of() of glsl/lib/code.glsl, for samples.
void put_sample(float sum, Image& samples, std::size_t i) {
    if (samples.depth() == Depth::u16) {
        samples.values<std::uint16_t>()[i] = static_cast<std::uint16_t>(std::nearbyint(std::clamp(sum, 0.0F, 65535.0F)));
    } else {
        const bool is_denormal = std::abs(sum) < std::numeric_limits<float>::min();
        samples.values<float>()[i] = std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : is_denormal ? sum * 0 : sum;
    }
}

/// One level of a blur.
class Level {
  public:
    Level(const SeparableFilter& filter, const std::vector<FastAxis>& axes, std::size_t level, const Image& from)
        : filter_(filter), x_(axes[0]), y_(axes[1]), level_(level), from_(from), n_(size_of(from.channels())),
          alpha_(level == 0 ? alpha_define(from.form(), filter.alpha) : 0),
          border_(level == 0 ? filter.border.mode : BorderMode::clamp), columns_(samples_of(x_, level, from.width(), border_)),
          rows_(samples_of(y_, level, from.height(), border_)) {}

    Image samples() const {
        const std::vector<float> beyond = border_pixel(border_codes(from_.form(), filter_), from_.form(), alpha_ == 1);
        Image samples(columns_.count, rows_.count, from_.channels(), level_ == 0 ? sample_depth(from_.form(), filter_) : Depth::f32);
        const Plane plane(from_, alpha_ == 1);
        const Floats along_y = unpadded(down_taps_y(y_, level_, from_.depth()), stride_y());
        const Floats along_x = unpadded(down_taps_x(x_, level_, from_.depth(), samples.depth()), stride_x());
        std::vector<float> row_beyond(plane.row_values);
        for (std::size_t i = 0; i < row_beyond.size(); ++i) {
            row_beyond[i] = beyond[i % n_];
        }
        parallel_for(size_of(rows_.count), [&] { return std::vector<float>(plane.row_values); },
                     [&](std::vector<float>& sums, std::size_t i) {
                         std::vector<const float*> seen;
                         const int first = (rows_.first + static_cast<int>(i)) * stride_y();
                         for (int k = 0; k < static_cast<int>(along_y.size()); ++k) {
                             const int y = index_within(border_, first + k, from_.height());
                             seen.push_back(y < 0 ? row_beyond.data() : plane.row(y));
                         }
                         sum_taps(along_y.data(), seen.data(), seen.size(), sums.data(), sums.size());
                         put_samples(sums, along_x, beyond, samples, i * size_of(columns_.count) * n_);
                     });
        return samples;
    }

    /// Every value from the blurred samples around it.
    Image up(const Image& samples) const {
        Image result(from_.form());
        SeparableFilter filter = filter_;
        if (level_ > 0) { // samples have been weighted by alpha, and keep none
            filter.alpha = AlphaMode::straight;
            filter.sharpening.reset();
        }
        const RowEnding ending(from_.form(), filter, 1);
        const Plane plane(samples, false);
        const Spread spread = spread_of(samples);
        const int strides = covering(from_.height(), stride_y());
        const int run = std::clamp(strides / (4 * static_cast<int>(thread_limit())), 1, 64);
        parallel_for(
            size_of(covering(strides, run)), [&] { return Room(*this); },
            [&](Room& room, std::size_t i) {
                const int begin = static_cast<int>(i) * run;
                make_strides(begin, std::min(begin + run, strides), plane, spread, ending, room, result);
            });
        return result;
    }

  private:
    /// The samples that a pixel of a row sees: the first value in a row of samples, their number, and the first of their weights.
    struct Around {
        std::size_t first;
        std::size_t count;
        std::size_t weight;
    };
    struct Spread {
        std::vector<Around> arounds;
        Floats weights; ///< for every place in a few strides
    };

    struct Room {
        explicit Room(const Level& of)
            : spread(size_of(of.y_.width), std::vector<float>(size_of(of.from_.width()) * of.n_)), sums(spread[0].size()), own(spread[0].size()) {}
        std::vector<std::vector<float>> spread; ///< rows of samples along x, for the stride under way
        std::vector<float> sums;
        std::vector<float> own;
    };

    int stride_x() const { return x_.levels[level_].stride; }
    int stride_y() const { return y_.levels[level_].stride; }

    static Floats unpadded(const Floats& taps, int stride) {
        Floats result;
        for (std::size_t i = 0; i < taps.size(); ++i) {
            if (i % most_stride < size_of(stride)) {
                result.push_back(taps[i]);
            }
        }
        return result;
    }

    /// A row of samples from sums along y. Place by place of a stride, as the kernel adds them up.
    void put_samples(const std::vector<float>& sums, const Floats& taps, const std::vector<float>& beyond, Image& samples, std::size_t to) const {
        const int stride = stride_x();
        for (int s = 0; s < columns_.count; ++s) {
            std::array<float, 4> sum{};
            for (int p = 0; p < stride; ++p) {
                for (int i = 0; i < x_.width; ++i) {
                    const int x = index_within(border_, (columns_.first + s + i) * stride + p, from_.width());
                    const float* pixel = x < 0 ? beyond.data() : &sums[size_of(x) * n_];
                    for (std::size_t c = 0; c < n_; ++c) {
                        sum[c] += taps[size_of(i * stride + p)] * pixel[c]; // NOLINT: a pixel has as many
                    }
                }
            }
            for (std::size_t c = 0; c < n_; ++c) {
                put_sample(sum[c], samples, to++); // NOLINT: likewise
            }
        }
    }

    /// Four pixels side by side see the same samples, some of them with a weight of 0: SEEN of the kernel.
    Spread spread_of(const Image& samples) const {
        constexpr int block = 4;
        const int stride = stride_x();
        const int seen = x_.width + span_of(x_.levels[level_], block);
        Spread spread{{}, Floats(size_of(stride * block * seen))};
        const Floats taps = up_taps_x(x_, level_, samples.depth(), from_.depth());
        for (int x = 0; x < stride * block; ++x) {
            const int skipped = x / stride - x / block * block / stride;
            std::copy_n(&taps[size_of(x % stride * x_.width)], x_.width, &spread.weights[size_of(x * seen + skipped)]);
        }
        for (int x = 0; x < from_.width(); ++x) {
            const int first = 1 - x_.width - columns_.first + x / block * block / stride;
            const int count = std::min(seen, samples.width() - first);
            spread.arounds.push_back({size_of(first) * n_, size_of(count), size_of(x % (stride * block) * seen)});
        }
        return spread;
    }

    void spread_row(const float* samples, const Spread& spread, std::vector<float>& to) const {
        for (std::size_t x = 0; x < spread.arounds.size(); ++x) {
            const Around& around = spread.arounds[x];
            const float* weights = &spread.weights[around.weight];
            for (std::size_t c = 0; c < n_; ++c) {
                const float* value = samples + around.first + c; // NOLINT: within the row
                float sum = weights[0] * *value;                 // NOLINT: likewise
                for (std::size_t i = 1; i < around.count; ++i) {
                    sum += weights[i] * value[i * n_]; // NOLINT: likewise
                }
                to[x * n_ + c] = sum;
            }
        }
    }

    void make_strides(int begin, int end, const Plane& samples, const Spread& spread, const RowEnding& ending, Room& room, Image& result) const {
        const int first = 1 - y_.width - rows_.first + begin;
        for (int i = 0; i + 1 < y_.width; ++i) {
            spread_row(samples.row(first + i), spread, room.spread[size_of(i + 1)]);
        }
        for (int stride = begin; stride < end; ++stride) {
            std::rotate(room.spread.begin(), room.spread.begin() + 1, room.spread.end());
            spread_row(samples.row(first + stride - begin + y_.width - 1), spread, room.spread.back());
            for (int y = stride * stride_y(); y < std::min((stride + 1) * stride_y(), from_.height()); ++y) {
                make_row(y, ending, room, result);
            }
        }
    }

    void make_row(int y, const RowEnding& ending, Room& room, Image& result) const {
        const float* taps = &y_.levels[level_].up[size_of(y % stride_y() * y_.width)];
        for (std::size_t i = 0; i < room.sums.size(); ++i) {
            room.sums[i] = taps[0] * room.spread[0][i]; // NOLINT: within the row
        }
        for (std::size_t k = 1; k < room.spread.size(); ++k) {
            for (std::size_t i = 0; i < room.sums.size(); ++i) {
                room.sums[i] += taps[k] * room.spread[k][i]; // NOLINT: likewise
            }
        }
        end_row(y, ending, room, result);
    }

    void end_row(int y, const RowEnding& ending, Room& room, Image& result) const {
        if (alpha_ == 2 || ending.sharpens()) {
            values_of_row(from_.row(y), from_.form(), false, room.own.data());
        }
        for (std::size_t i = n_ - 1; alpha_ == 2 && i < room.sums.size(); i += n_) {
            room.sums[i] = room.own[i];
        }
        ending.run(room.sums, room.own.data(), result.row(y));
    }

    const SeparableFilter& filter_;
    const FastAxis& x_;
    const FastAxis& y_;
    std::size_t level_;
    const Image& from_;
    std::size_t n_; ///< channels
    int alpha_;     ///< ALPHA of lib/pixel.glsl
    BorderMode border_;
    FastSamples columns_;
    FastSamples rows_;
};

Image blurred(const SeparableFilter& filter, const std::vector<FastAxis>& axes, std::size_t number, const Image& from) {
    const Level level(filter, axes, number, from);
    const Image samples = level.samples();
    if (number + 1 < axes[0].levels.size()) {
        return level.up(blurred(filter, axes, number + 1, samples));
    }
    ImageRows between(samples.form());
    filter_rows_exactly(filter_of_samples(axes), *rows_of(samples).open(), between);
    between.finish();
    return level.up(between.image());
}

} // namespace

Image blur_fast_by_processor(const SeparableFilter& filter, const Image& source) {
    return blurred(filter, plan_fast_axes(source.depth(), filter), 0, source);
}

} // namespace glproc
