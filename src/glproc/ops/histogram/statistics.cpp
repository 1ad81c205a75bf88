#include "glproc/ops/histogram/statistics.hpp"

#include "glproc/image/over_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace glproc {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr Statistics no_statistics{not_a_number, not_a_number, not_a_number, not_a_number, not_a_number};

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

    void join(const WholeMoments& other) {
        min_ = std::min(min_, other.min_);
        max_ = std::max(max_, other.max_);
        sum_ += other.sum_;
        squares_ += other.squares_;
    }

    /// All but the median, of `count` numbers in units of 1 / unit.
    Statistics statistics(std::uint64_t count, double unit) const {
        if (count == 0) {
            return no_statistics;
        }
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

} // namespace

class Measurement::Kind {
  public:
    Kind() = default;
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;
    virtual ~Kind() = default;

    virtual void add(const Samples& samples) = 0;
    virtual bool begin_again() = 0;
    virtual Statistics result() const = 0;
};

namespace {

class WholeKind final : public Measurement::Kind {
  public:
    WholeKind(std::uint32_t full, std::uint32_t unit)
        : unit_(unit), median_(static_cast<int>(std::bit_width(full))) {}

    void add(const Samples& samples) override {
        const auto width = static_cast<std::size_t>(samples.image().width());
        const Part empty{{}, median_.emptied(), std::vector<std::uint32_t>(width), 0};
        const std::vector<Part> parts = over_rows(samples.image(), empty, [&](Part& part, int y) {
            const std::span<const std::uint32_t> numbers = samples.row(y, std::span(part.row));
            if (again_) {
                std::for_each(numbers.begin(), numbers.end(), [&](std::uint32_t n) { part.median.refine(n); });
            } else {
                part.moments.add(numbers);
                std::for_each(numbers.begin(), numbers.end(), [&](std::uint32_t n) { part.median.count(n); });
                part.count += numbers.size();
            }
        });
        for (const Part& part : parts) {
            moments_.join(part.moments);
            median_.join(part.median);
            count_ += part.count;
        }
    }

    bool begin_again() override {
        again_ = true;
        if (count_ == 0) {
            return false;
        }
        median_.choose(std::array{(count_ - 1) / 2});
        return !median_.is_found();
    }

    Statistics result() const override {
        Statistics result = moments_.statistics(count_, unit_);
        result.median = count_ > 0 ? median_.keys().front() / double(unit_) : not_a_number;
        return result;
    }

  private:
    /// The figures of some rows.
    struct Part {
        WholeMoments moments;
        RadixSelect median;
        std::vector<std::uint32_t> row; ///< the current row
        std::uint64_t count = 0;        ///< of numbers, in the first pass
    };

    std::uint32_t unit_;
    WholeMoments moments_;
    RadixSelect median_;
    std::uint64_t count_ = 0;
    bool again_ = false;
};

class FloatKind final : public Measurement::Kind {
  public:
    void add(const Samples& samples) override {
        std::vector<float> row(static_cast<std::size_t>(samples.image().width()));
        for (int y = 0; y < samples.image().height(); ++y) {
            for (const float value : samples.row(y, std::span(row))) {
                again_ ? moments_.look_again(value) : moments_.look(value);
            }
        }
    }

    bool begin_again() override {
        moments_.choose([](std::uint64_t count) { return std::vector{(count - 1) / 2}; });
        again_ = moments_.count() > 0;
        return again_;
    }

    Statistics result() const override {
        Statistics result = moments_.statistics();
        result.median = moments_.count() > 0 ? moments_.values().front() : result.mean;
        return result;
    }

  private:
    FloatMoments moments_;
    bool again_ = false;
};

} // namespace

void FloatMoments::choose(const std::function<std::vector<std::uint64_t>(std::uint64_t)>& ranks) {
    if (count_ > 0) {
        mean_ = sum_ / static_cast<double>(count_);
        ranks_.choose(ranks(count_));
    }
}

Statistics FloatMoments::statistics() const {
    if (count_ == 0) {
        return no_statistics;
    }
    return {smallest_, largest_, mean_, std::sqrt(squares_ / static_cast<double>(count_)), not_a_number};
}

std::vector<double> FloatMoments::values() const {
    const std::vector<std::uint32_t> keys = ranks_.keys();
    std::vector<double> values(keys.size());
    std::transform(keys.begin(), keys.end(), values.begin(), [](std::uint32_t key) { return value_of(key); });
    return values;
}

Measurement::Measurement(const Form& form, HistogramChannel channel, LumaWeights weights, bool hidden)
    : channel_(channel), weights_(weights), hidden_(hidden) {
    if (form.depth == Depth::f32) {
        kind_ = std::make_unique<FloatKind>();
    } else {
        const Image one_pixel(1, 1, form.channels, form.depth);
        const Samples samples(one_pixel, channel, weights, hidden);
        kind_ = std::make_unique<WholeKind>(samples.full(), samples.unit());
    }
}

Measurement::Measurement(Measurement&&) noexcept = default;
Measurement::~Measurement() = default;

void Measurement::add(const Image& part) {
    kind_->add(Samples(part, channel_, weights_, hidden_));
}

bool Measurement::begin_again() {
    return kind_->begin_again();
}

Statistics Measurement::result() const {
    return kind_->result();
}

Statistics measure(const Image& image, HistogramChannel channel, LumaWeights weights, bool hidden) {
    Measurement measurement(image.form(), channel, weights, hidden);
    measurement.add(image);
    if (measurement.begin_again()) {
        measurement.add(image);
    }
    return measurement.result();
}

} // namespace glproc
