#include "glproc/ops/stack/combine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

constexpr std::size_t most_lanes = 256; // places at a time
constexpr std::size_t least_lanes = 16;
constexpr std::size_t cached_bytes = std::size_t{1} << 17U; // of values that are sorted together
constexpr int most_rounds = 5;                              // of clipping
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T>;

template <class Number>
using Lanes = std::array<Number, most_lanes>;

/// A part of the rows, on its way to the same part of the result.
template <class T>
struct RowPart {
    const StackedRows<T>& rows;
    std::size_t first;
    std::size_t lanes;
    double* result;

    double images() const { return static_cast<double>(rows.size()); }

    /// Calls work(values, index) for the values of each image.
    template <class Work>
    void each(const Work& work) const {
        for (std::size_t k = 0; k < rows.size(); ++k) {
            work(rows[k].data() + first, k);
        }
    }

    /// Sets the results to of(lane).
    template <class Of>
    void put(const Of& of) const {
        for (std::size_t i = 0; i < lanes; ++i) {
            result[i] = of(i);
        }
    }
};

template <class T>
using Sum = std::conditional_t<is_float<T>, double, std::uint32_t>;
template <class T>
using Squares = std::conditional_t<is_float<T>, double, std::uint64_t>;

template <class T>
Lanes<Sum<T>> sums_of(const RowPart<T>& part) {
    Lanes<Sum<T>> sums{};
    part.each([&](const T* values, std::size_t) {
        for (std::size_t i = 0; i < part.lanes; ++i) {
            sums[i] += values[i];
        }
    });
    return sums;
}

template <class T>
Lanes<double> weighted_sums(const RowPart<T>& part, const std::vector<double>& weights) {
    Lanes<double> sums{};
    part.each([&](const T* values, std::size_t k) {
        for (std::size_t i = 0; i < part.lanes; ++i) {
            sums[i] += weights[k] * static_cast<double>(values[i]);
        }
    });
    return sums;
}

template <class T>
void put_sums(const RowPart<T>& part, const std::vector<double>& weights, bool mean) {
    if (weights.empty()) {
        const Lanes<Sum<T>> sums = sums_of(part);
        const double divisor = mean ? part.images() : 1;
        return part.put([&](std::size_t i) { return static_cast<double>(sums[i]) / divisor; });
    }
    double divisor = 0;
    for (const double weight : weights) {
        divisor += weight;
    }
    const Lanes<double> sums = weighted_sums(part, weights);
    part.put([&](std::size_t i) { return mean ? sums[i] / divisor : sums[i]; });
}

/// Of integers from exact sums, of floats in two passes.
template <class T>
void put_deviations(const RowPart<T>& part) {
    const Lanes<Sum<T>> sums = sums_of(part);
    const double n = part.images();
    Lanes<Squares<T>> squares{};
    part.each([&](const T* values, std::size_t) {
        for (std::size_t i = 0; i < part.lanes; ++i) {
            if constexpr (is_float<T>) {
                const double distance = values[i] - sums[i] / n;
                squares[i] += distance * distance;
            } else {
                squares[i] += static_cast<std::uint32_t>(values[i]) * values[i];
            }
        }
    });
    part.put([&](std::size_t i) {
        if constexpr (is_float<T>) {
            return std::sqrt(squares[i] / n);
        } else {
            const std::uint64_t sum = sums[i];
            return std::sqrt(static_cast<double>(part.rows.size() * squares[i] - sum * sum)) / n;
        }
    });
}

/// The values at each place in order, smallest first; where there is a NaN they are in no order.
///
/// Source: K. Batcher's merge exchange, in D. Knuth, The Art of Computer Programming, vol. 3, 5.2.2,
/// algorithm M. It compares the same pairs whatever the values are, so that all places of the part are
/// sorted at once.
template <class T>
class Sorted {
  public:
    explicit Sorted(const RowPart<T>& part)
        : lanes_(part.lanes), images_(part.rows.size()), values_(lanes_ * images_) {
        part.each([&](const T* values, std::size_t k) {
            std::copy_n(values, lanes_, row(k));
            for (std::size_t i = 0; is_float<T> && i < lanes_; ++i) {
                has_nan_[i] = has_nan_[i] || values[i] != values[i];
            }
        });
        const std::size_t top = std::bit_ceil(images_) / 2;
        for (std::size_t p = top; p > 0; p /= 2) {
            std::size_t remainder = 0;
            std::size_t distance = p;
            for (std::size_t q = top;; q /= 2) {
                exchange(p, remainder, distance);
                if (q == p) {
                    break;
                }
                distance = q - p;
                remainder = p;
            }
        }
    }

    T at(std::size_t rank, std::size_t lane) const { return values_[rank * lanes_ + lane]; }
    bool has_nan(std::size_t lane) const { return has_nan_[lane]; }

  private:
    T* row(std::size_t k) { return values_.data() + k * lanes_; }

    void exchange(std::size_t p, std::size_t remainder, std::size_t distance) {
        for (std::size_t k = 0; k + distance < images_; ++k) {
            if ((k & p) == remainder) {
                put_in_order(row(k), row(k + distance));
            }
        }
    }

    void put_in_order(T* low, T* high) const {
        for (std::size_t i = 0; i < lanes_; ++i) {
            const T a = low[i];
            const T b = high[i];
            low[i] = b < a ? b : a;
            high[i] = b < a ? a : b;
        }
    }

    std::size_t lanes_;
    std::size_t images_;
    std::vector<T> values_;
    Lanes<bool> has_nan_{};
};

/// Between the two ranks that are nearest, as numpy.percentile has it.
template <class T>
void put_percentile(const RowPart<T>& part, double percent) {
    const double place = percent / 100 * (part.images() - 1);
    const auto rank = static_cast<std::size_t>(place);
    const double share = place - std::floor(place);
    const Sorted<T> sorted(part);
    part.put([&](std::size_t i) {
        const double low = sorted.at(rank, i) + 0.0; // which of two zeros it is, is a matter of sorting
        const double high = share > 0 ? sorted.at(rank + 1, i) + 0.0 : low;
        const double step = high - low;
        const double between = share < 0.5 ? low + step * share : high - step * (1 - share);
        return sorted.has_nan(i) ? nan
               : low == high     ? low
                                 : between; // two infinities have nothing between them
    });
}

template <class T>
void put_extremes(const RowPart<T>& part, bool largest) {
    Lanes<T> found{};
    std::copy_n(part.rows.front().data() + part.first, part.lanes, found.begin());
    part.each([&](const T* values, std::size_t) {
        for (std::size_t i = 0; i < part.lanes; ++i) {
            const bool is_new =
                (largest ? values[i] > found[i] : values[i] < found[i]) || values[i] != values[i];
            found[i] = is_new && found[i] == found[i] ? values[i] : found[i];
        }
    });
    part.put([&](std::size_t i) { return static_cast<double>(found[i]); });
}

/// The mean and the standard deviation of sorted values without the outermost ones. Integers have exact sums, floats are added
/// again.
template <class T>
class Kept {
  public:
    Kept(const Sorted<T>& sorted, std::size_t lane, std::size_t count)
        : sorted_(sorted), lane_(lane), end_(count) {
        measure();
    }

    double mean() const { return mean_; }

    /// Whether values more than this many deviations away were left out. It never leaves out all.
    bool clip(double deviations) {
        const double low = mean_ - deviations * deviation_;
        const double high = mean_ + deviations * deviation_;
        std::size_t begin = begin_;
        std::size_t end = end_;
        while (begin < end && at(begin) < low) {
            ++begin;
        }
        while (begin < end && at(end - 1) > high) {
            --end;
        }
        const bool changes = begin < end && end - begin < end_ - begin_;
        if (changes) {
            begin_ = begin;
            end_ = end;
            measure();
        }
        return changes;
    }

  private:
    double at(std::size_t rank) const { return static_cast<double>(sorted_.at(rank, lane_)); }

    void measure() {
        const auto n = static_cast<double>(end_ - begin_);
        Squares<T> sum = 0;
        Squares<T> squares = 0;
        for (std::size_t k = begin_; k < end_; ++k) {
            const auto value = static_cast<Squares<T>>(sorted_.at(k, lane_));
            sum += value;
            squares += is_float<T> ? 0 : value * value;
        }
        mean_ = static_cast<double>(sum) / n;
        if constexpr (is_float<T>) {
            for (std::size_t k = begin_; k < end_; ++k) {
                squares += (at(k) - mean_) * (at(k) - mean_);
            }
            deviation_ = std::sqrt(squares / n);
        } else {
            deviation_ = std::sqrt(static_cast<double>((end_ - begin_) * squares - sum * sum)) / n;
        }
    }

    const Sorted<T>& sorted_;
    std::size_t lane_;
    std::size_t begin_ = 0;
    std::size_t end_;
    double mean_ = 0;
    double deviation_ = 0;
};

template <class T>
void put_clipped(const RowPart<T>& part, double deviations) {
    const Sorted<T> sorted(part);
    part.put([&](std::size_t i) {
        if (sorted.has_nan(i)) {
            return nan;
        }
        Kept<T> kept(sorted, i, part.rows.size());
        for (int round = 0; round < most_rounds && kept.clip(deviations); ++round) {
        }
        return kept.mean();
    });
}

template <class T>
void combine_part(const Stack& op, const RowPart<T>& part) {
    switch (op.by.measure) {
    case StackMeasure::mean:
        return put_sums(part, op.weights, true);
    case StackMeasure::sum:
        return put_sums(part, op.weights, false);
    case StackMeasure::stddev:
        return put_deviations(part);
    case StackMeasure::min:
    case StackMeasure::max:
        return put_extremes(part, op.by.measure == StackMeasure::max);
    case StackMeasure::median:
        return put_percentile(part, 50);
    case StackMeasure::percentile:
        return put_percentile(part, op.by.amount);
    case StackMeasure::clip:
        return put_clipped(part, op.by.amount);
    }
}

} // namespace

template <class T>
void combine(const Stack& op, const StackedRows<T>& rows, std::span<double> result) {
    const std::size_t step = std::clamp(cached_bytes / sizeof(T) / rows.size(), least_lanes, most_lanes);
    for (std::size_t first = 0; first < result.size(); first += step) {
        const std::size_t lanes = std::min(step, result.size() - first);
        combine_part(op, RowPart<T>{rows, first, lanes, result.data() + first});
    }
}

template void combine(const Stack&, const StackedRows<std::uint8_t>&, std::span<double>);
template void combine(const Stack&, const StackedRows<std::uint16_t>&, std::span<double>);
template void combine(const Stack&, const StackedRows<float>&, std::span<double>);

} // namespace glproc
