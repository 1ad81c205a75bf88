#include "glproc/ops/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace glproc {

namespace {

__extension__ using Wide = unsigned __int128;

/// The key of a given rank among the keys that are shown to it twice: first to count(), then to refine().
class RadixSelect {
  public:
    /// Keys are below 2^bits. Up to 16 bits all are counted at once.
    explicit RadixSelect(int bits)
        : shift_(bits <= 16 ? 0 : bits / 2), upper_(std::size_t{1} << (bits - shift_)),
          lower_(std::size_t{1} << shift_) {}

    void count(std::uint32_t key) { ++upper_[key >> shift_]; }

    /// Between the passes: the key sought has `rank` smaller ones or equals before it.
    void choose(std::uint64_t rank) { chosen_ = take(upper_, rank); }

    bool is_found() const { return shift_ == 0; }

    void refine(std::uint32_t key) {
        if (key >> shift_ == chosen_.index) {
            ++lower_[key & ((std::uint32_t{1} << shift_) - 1)];
        }
    }

    std::uint32_t key() const { return (chosen_.index << shift_) | take(lower_, chosen_.rank).index; }

  private:
    struct Place {
        std::uint32_t index = 0;
        std::uint64_t rank = 0; ///< within what `index` counts
    };

    static Place take(const std::vector<std::uint64_t>& counts, std::uint64_t rank) {
        std::uint32_t index = 0;
        while (index + 1 < counts.size() && rank >= counts[index]) {
            rank -= counts[index++];
        }
        return {index, rank};
    }

    int shift_;
    std::vector<std::uint64_t> upper_;
    std::vector<std::uint64_t> lower_;
    Place chosen_;
};

/// Exact sums of whole numbers below 2^30, of at most 2^34 of them.
class WholeMoments {
  public:
    void add(std::span<const std::uint32_t> numbers) {
        std::uint32_t low = min_;
        std::uint32_t high = max_;
        for (const std::uint32_t n : numbers) {
            low = std::min(low, n);
            high = std::max(high, n);
        }
        min_ = low;
        max_ = high;
        constexpr std::size_t block = 16; // 16 squares below 2^60 fit 64 bits
        while (!numbers.empty()) {
            const auto some = numbers.first(std::min(block, numbers.size()));
            std::uint64_t sum = 0;
            std::uint64_t squares = 0;
            for (const std::uint32_t n : some) {
                sum += n;
                squares += std::uint64_t{n} * n;
            }
            sum_ += sum;
            squares_ += squares;
            numbers = numbers.subspan(some.size());
        }
    }

    /// All but the median, of `count` numbers in units of 1 / unit.
    Statistics statistics(std::uint64_t count, double unit) const {
        const auto n = static_cast<double>(count);
        const Wide spread = squares_ * count - Wide{sum_} * sum_; // n^2 times the variance
        return {.min = min_ / unit,
                .max = max_ / unit,
                .mean = static_cast<double>(sum_) / n / unit,
                .stddev = std::sqrt(static_cast<double>(spread)) / n / unit};
    }

  private:
    std::uint32_t min_ = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t max_ = 0;
    std::uint64_t sum_ = 0;
    Wide squares_ = 0;
};

Statistics measure_whole(const Samples& samples) {
    const Image& image = samples.image();
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(image.width()));
    const auto each_row = [&](const auto& action) {
        for (int y = 0; y < image.height(); ++y) {
            samples.row(y, std::span(numbers));
            action();
        }
    };
    const std::uint64_t count = numbers.size() * static_cast<std::uint64_t>(image.height());
    WholeMoments moments;
    RadixSelect median(static_cast<int>(std::bit_width(samples.full())));
    each_row([&] {
        moments.add(numbers);
        std::for_each(numbers.begin(), numbers.end(), [&](std::uint32_t n) { median.count(n); });
    });
    median.choose((count - 1) / 2);
    if (!median.is_found()) {
        each_row([&] {
            std::for_each(numbers.begin(), numbers.end(), [&](std::uint32_t n) { median.refine(n); });
        });
    }
    Statistics result = moments.statistics(count, samples.unit());
    result.median = median.key() / double(samples.unit());
    return result;
}

/// Orders as floats do when compared as whole numbers: negative ones have all bits turned, others the sign
/// bit.
std::uint32_t key_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits ^ ((bits >> 31U) != 0 ? 0xffffffffU : 0x80000000U);
}

float value_of(std::uint32_t key) {
    return std::bit_cast<float>(key ^ ((key >> 31U) != 0 ? 0x80000000U : 0xffffffffU));
}

Statistics measure_floats(const Samples& samples) {
    const Image& image = samples.image();
    std::vector<float> row(static_cast<std::size_t>(image.width()));
    const auto each_row = [&](const auto& action) {
        for (int y = 0; y < image.height(); ++y) {
            samples.row(y, std::span(row));
            for (const float value : row) {
                if (!std::isnan(value)) {
                    action(value);
                }
            }
        }
    };
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    float smallest = std::numeric_limits<float>::infinity();
    float largest = -smallest;
    double sum = 0;
    std::uint64_t count = 0;
    RadixSelect median(32);
    each_row([&](float v) {
        smallest = std::min(smallest, v);
        largest = std::max(largest, v);
        sum += v;
        ++count;
        median.count(key_of(v));
    });
    if (count == 0) {
        return {nan, nan, nan, nan, nan};
    }
    const auto n = static_cast<double>(count);
    const double mean = sum / n;
    double squares = 0;
    median.choose((count - 1) / 2);
    each_row([&](float v) {
        squares += (v - mean) * (v - mean);
        median.refine(key_of(v));
    });
    return {smallest, largest, mean, std::sqrt(squares / n), value_of(median.key())};
}

} // namespace

Statistics measure(const Samples& samples) {
    return samples.image().depth() == Depth::f32 ? measure_floats(samples) : measure_whole(samples);
}

} // namespace glproc
