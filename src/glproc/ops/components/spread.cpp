#include "glproc/ops/components/spread.hpp"

#include "glproc/kinds/hidden.hpp"
#include "glproc/math/ranks.hpp"
#include "glproc/ops/components/label_runs.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace glproc {

namespace {

__extension__ using SignedSum = __int128;

/// How many values a depth has, if they can be counted.
std::size_t value_count(Depth depth) {
    return depth == Depth::u8 ? 256 : depth == Depth::u16 ? 65536 : 0;
}

/// Whether counts of all values take less memory than the values of so many pixels.
bool counts_values(std::uint64_t area, Depth depth) {
    const std::size_t values = value_count(depth);
    return values > 0 && area * sizeof(std::uint32_t) > values * sizeof(std::uint64_t);
}

double value_of_key(std::uint32_t key, Depth depth) {
    return depth == Depth::f32 ? static_cast<double>(value_of(key)) : static_cast<double>(key);
}

/// Median and mode of values that come in order, each with how often it does.
class Ranks {
  public:
    explicit Ranks(std::uint64_t count) : lower_((count - 1) / 2), upper_(count / 2) {}

    void add(double value, std::uint64_t times) {
        if (times > most_) {
            most_ = times;
            mode_ = value;
        }
        sum_ += lower_ >= before_ && lower_ < before_ + times ? value : 0;
        sum_ += upper_ >= before_ && upper_ < before_ + times ? value : 0;
        before_ += times;
        has_nan_ = has_nan_ || std::isnan(value);
    }

    void write(ValueSpread& spread) const {
        if (!has_nan_) {
            spread.median = sum_ / 2;
            spread.mode = mode_;
        }
    }

  private:
    std::uint64_t lower_; ///< the ranks in the middle
    std::uint64_t upper_;
    std::uint64_t before_ = 0;
    std::uint64_t most_ = 0;
    double mode_ = 0;
    double sum_ = 0;
    bool has_nan_ = false;
};

} // namespace

void UnfinishedValues::keep(std::uint64_t pixels, Depth depth) {
    if (counts_values(pixels, depth)) {
        counts_.resize(value_count(depth));
    } else {
        keys_.reserve(pixels);
    }
}

template <class T>
void UnfinishedValues::add(T value, bool is_ranked) {
    ++count_;
    std::uint32_t key = 0;
    if constexpr (std::is_floating_point_v<T>) {
        const auto n = static_cast<double>(count_);
        const double apart = static_cast<double>(value) - mean_;
        const double step = apart / n;
        const double more = apart * step * (n - 1);
        mean_ += step;
        third_ += more * step * (n - 2) - 3 * step * second_;
        second_ += more;
        key = key_of(value + T(0)); // which makes one of -0 and 0
    } else {
        key = value;
        sum_ += key;
        squares_ += std::uint64_t{key} * key;
        cubes_ += std::uint64_t{key} * key * key;
    }
    if (!is_ranked) {
        return;
    }
    if (counts_.empty()) {
        keys_.push_back(key);
    } else {
        ++counts_[key];
    }
}

void UnfinishedValues::find_moments(Depth depth, ValueSpread& spread) const {
    const auto n = static_cast<double>(count_);
    double third = third_ / n;
    if (depth == Depth::f32) {
        spread.stddev = std::sqrt(second_ / n);
    } else {
        const WideSum square = squares_ * count_ - WideSum{sum_} * sum_; // n^2 times the variance
        spread.stddev = std::sqrt(static_cast<double>(square)) / n;
        // Around a whole number beside the mean, so that the differences stay small and exact.
        const std::uint64_t near = sum_ / count_;
        const auto first = static_cast<double>(sum_ - near * count_) / n;
        const auto second =
            static_cast<double>(squares_ - WideSum{2} * near * sum_ + WideSum{near} * near * count_);
        const auto cubes =
            static_cast<SignedSum>(cubes_ - WideSum{3} * near * squares_ + WideSum{3} * near * near * sum_ -
                                   WideSum{near} * near * near * count_);
        third = static_cast<double>(cubes) / n - 3 * first * (second / n) + 2 * first * first * first;
    }
    if (spread.stddev > 0) {
        spread.skewness = third / (spread.stddev * spread.stddev * spread.stddev);
    }
}

void UnfinishedValues::find_ranks(Depth depth, ValueSpread& spread) {
    Ranks ranks(count_);
    for (std::size_t key = 0; key < counts_.size(); ++key) {
        if (counts_[key] > 0) {
            ranks.add(static_cast<double>(key), counts_[key]);
        }
    }
    std::sort(keys_.begin(), keys_.end());
    for (auto at = keys_.begin(); at != keys_.end();) {
        const auto next = std::upper_bound(at, keys_.end(), *at);
        ranks.add(value_of_key(*at, depth), static_cast<std::uint64_t>(next - at));
        at = next;
    }
    ranks.write(spread);
}

ValueSpread UnfinishedValues::spread(Depth depth) {
    ValueSpread spread;
    if (count_ == 0) {
        return spread;
    }
    find_moments(depth, spread);
    if (!keys_.empty() || !counts_.empty()) {
        find_ranks(depth, spread);
    }
    return spread;
}

SpreadMeasures::SpreadMeasures(std::span<const ComponentSums> components, const Form& with, bool ranks)
    : components_(components), with_(with), ranks_(ranks), unfinished_(components.size()),
      spreads_(components.size() * static_cast<std::size_t>(with.channels)) {}

void SpreadMeasures::add(std::span<const std::uint32_t> labels, const Image& values) {
    switch (with_.depth) {
    case Depth::u8:
        return add_rows<std::uint8_t>(labels, values);
    case Depth::u16:
        return add_rows<std::uint16_t>(labels, values);
    case Depth::f32:
        return add_rows<float>(labels, values);
    }
}

template <class T>
void SpreadMeasures::add_rows(std::span<const std::uint32_t> labels, const Image& values) {
    const auto width = static_cast<std::size_t>(values.width());
    const auto channels = static_cast<std::size_t>(with_.channels);
    for (std::size_t row = 0; row < labels.size(); row += width, ++y_) {
        const std::span<const T> pixels = values.values<T>().subspan(row * channels, width * channels);
        for_label_runs(labels.subspan(row, width), [&](std::size_t i, std::size_t begin, std::size_t end) {
            add_run<T>(i, pixels.subspan(begin * channels, (end - begin) * channels));
        });
        for_label_runs(labels.subspan(row, width), [&](std::size_t i, std::size_t, std::size_t) {
            if (components_[i].bottom == y_ && unfinished_[i]) {
                finish(i);
            }
        });
    }
}

template <class T>
void SpreadMeasures::add_run(std::size_t component, std::span<const T> pixels) {
    const auto channels = static_cast<std::size_t>(with_.channels);
    auto& unfinished = unfinished_[component];
    if (!unfinished) {
        unfinished = std::make_unique<std::vector<UnfinishedValues>>(channels);
        for (UnfinishedValues& values : *unfinished) {
            values.keep(ranks_ ? components_[component].area : 0, with_.depth);
        }
    }
    for (std::size_t at = 0; at < pixels.size(); at += channels) {
        const bool is_hidden = with_.has_alpha() && hides(pixels[at + channels - 1]);
        for (std::size_t c = is_hidden ? channels - 1 : 0; c < channels; ++c) {
            (*unfinished)[c].add(pixels[at + c], ranks_);
        }
    }
}

void SpreadMeasures::finish(std::size_t component) {
    const auto channels = static_cast<std::size_t>(with_.channels);
    for (std::size_t c = 0; c < channels; ++c) {
        spreads_[component * channels + c] = (*unfinished_[component])[c].spread(with_.depth);
    }
    unfinished_[component].reset();
}

std::uint64_t SpreadMeasures::most_bytes(std::span<const ComponentSums> components, const Form& with) {
    std::vector<std::pair<int, std::int64_t>> changes; // at a row; those that free memory come first
    for (const ComponentSums& component : components) {
        const std::uint64_t bytes = counts_values(component.area, with.depth)
                                        ? value_count(with.depth) * sizeof(std::uint64_t)
                                        : component.area * sizeof(std::uint32_t);
        const auto change = static_cast<std::int64_t>(bytes) * with.channels;
        changes.emplace_back(component.top, change);
        changes.emplace_back(component.bottom + 1, -change);
    }
    std::sort(changes.begin(), changes.end());
    std::int64_t now = 0;
    std::int64_t most = 0;
    for (const auto& [row, change] : changes) {
        now += change;
        most = std::max(most, now);
    }
    return static_cast<std::uint64_t>(most);
}

} // namespace glproc
