#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/median/parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>

namespace glproc {

namespace {

using Key = std::uint32_t; // in the order of the values, as in glsl/lib/keys.glsl

constexpr Key missing = std::numeric_limits<Key>::max();

template <class T>
Key key_of(T value) {
    if constexpr (std::is_integral_v<T>) {
        return value;
    } else {
        const Key bits = std::bit_cast<Key>(value);
        return std::isnan(value) ? missing : bits ^ (bits >> 31U != 0 ? missing : 0x80000000U);
    }
}

template <class T>
T value_from_key(Key key) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(key);
    } else {
        const Key bits = key ^ (key >> 31U != 0 ? 0x80000000U : missing);
        return key == missing ? std::numeric_limits<T>::quiet_NaN() : std::bit_cast<T>(bits);
    }
}

/// Values in the order of their keys, each with how often it occurs; of integers.
template <class T>
class Counts {
  public:
    void add(Key key, int times) {
        if (key != missing) {
            fine_[key] += times;
            coarse_[key >> shift] += times;
            count_ += times;
        }
    }

    int count() const { return count_; }

    Key at_rank(int rank) const {
        Key key = 0;
        for (; coarse_[key] <= rank; ++key) {
            rank -= coarse_[key];
        }
        for (key <<= shift; fine_[key] <= rank; ++key) {
            rank -= fine_[key];
        }
        return key;
    }

  private:
    static constexpr int shift = 4 * sizeof(T);
    int count_ = 0;
    std::vector<int> coarse_ = std::vector<int>(std::size_t{1} << shift);
    std::vector<int> fine_ = std::vector<int>(std::size_t{1} << (2 * shift));
};

/// Filters rows; a thread has one of its own.
template <class T>
class RankRows {
  public:
    RankRows(const Image& image, const Median& median)
        : image_(image), median_(median),
          beyond_(border_codes(image.form(), median.border, median.border.alpha())) {
        for (int x = -median.radius.x; x < image.width() + median.radius.x; ++x) {
            columns_.push_back(index_within(median.border.mode, x, image.width()));
        }
        window_.resize(columns_.size() * static_cast<std::size_t>(2 * median.radius.y + 1));
    }

    void run(int y, std::span<T> result) {
        for (int c = 0; c < image_.channels(); ++c) {
            const bool is_kept =
                image_.has_alpha() && median_.alpha == RankAlpha::ignore && c == image_.channels() - 1;
            if (is_kept) {
                const std::span<const T> row = row_of(y);
                for (auto i = static_cast<std::size_t>(c); i < row.size(); i += channels()) {
                    result[i] = as_seen(row[i]);
                }
                continue;
            }
            gather(y, c);
            if constexpr (std::is_integral_v<T>) {
                by_counts(c, result);
            } else {
                by_selection(c, result);
            }
        }
    }

  private:
    std::size_t channels() const { return static_cast<std::size_t>(image_.channels()); }
    std::size_t side_x() const { return 2 * static_cast<std::size_t>(median_.radius.x) + 1; }

    /// Beside alpha, floats go through a point operation first: see run_on_seen().
    T as_seen(T value) const {
        return image_.has_alpha() ? static_cast<T>(without_denormal(static_cast<float>(value))) : value;
    }

    std::span<const T> row_of(int y) const {
        const std::size_t values = static_cast<std::size_t>(image_.width()) * channels();
        return image_.values<T>().subspan(static_cast<std::size_t>(y) * values, values);
    }

    /// The keys that a row of the result depends on, one column after the other.
    void gather(int y, int channel) {
        const auto c = static_cast<std::size_t>(channel);
        const bool has_alpha = image_.has_alpha();
        const bool is_alpha = has_alpha && channel == image_.channels() - 1;
        const Key beyond = key_of(static_cast<T>(beyond_[is_alpha ? 3 : c]));
        const std::size_t tall = window_.size() / columns_.size();
        for (std::size_t i = 0; i < tall; ++i) {
            const int from = index_within(median_.border.mode, y + static_cast<int>(i) - median_.radius.y,
                                          image_.height());
            const std::span<const T> row = row_of(std::max(from, 0));
            for (std::size_t x = 0; x < columns_.size(); ++x) {
                const bool is_beyond = from < 0 || columns_[x] < 0;
                const std::size_t pixel = is_beyond ? 0 : static_cast<std::size_t>(columns_[x]) * channels();
                const bool is_hidden = has_alpha && !is_alpha && !is_beyond && hides(row[pixel + channels() - 1]);
                window_[x * tall + i] = is_beyond ? beyond : is_hidden ? missing : key_of(as_seen(row[pixel + c]));
            }
        }
    }

    std::span<const Key> column(std::size_t x) const {
        const std::size_t tall = window_.size() / columns_.size();
        return std::span(window_).subspan(x * tall, tall);
    }

    void by_counts(int channel, std::span<T> result) {
        Counts<T> counts;
        const auto add = [&](std::size_t x, int times) {
            for (const Key key : column(x)) {
                counts.add(key, times);
            }
        };
        for (std::size_t x = 0; x + 1 < side_x(); ++x) {
            add(x, 1);
        }
        for (std::size_t x = 0; x < static_cast<std::size_t>(image_.width()); ++x) {
            add(x + side_x() - 1, 1);
            const auto rank = static_cast<int>(rank_among(median_.percentile, counts.count()));
            result[x * channels() + static_cast<std::size_t>(channel)] =
                counts.count() == 0 ? T{0} : value_from_key<T>(counts.at_rank(rank));
            add(x, -1);
        }
    }

    void by_selection(int channel, std::span<T> result) {
        std::vector<Key> keys;
        for (std::size_t x = 0; x < static_cast<std::size_t>(image_.width()); ++x) {
            keys.clear();
            for (std::size_t i = 0; i < side_x(); ++i) {
                std::ranges::copy_if(column(x + i), std::back_inserter(keys),
                                     [](Key key) { return key != missing; });
            }
            const auto place = keys.begin() + rank_among(median_.percentile, static_cast<int>(keys.size()));
            if (!keys.empty()) {
                std::nth_element(keys.begin(), place, keys.end());
            }
            result[x * channels() + static_cast<std::size_t>(channel)] =
                value_from_key<T>(keys.empty() ? missing : *place);
        }
    }

    const Image& image_;
    const Median& median_;
    BorderCodes beyond_;
    std::vector<int> columns_; ///< of the image, that the window's are
    std::vector<Key> window_;
};

template <class T>
void run_rows(const Image& image, const Median& median, Image& result) {
    const auto height = static_cast<std::size_t>(image.height());
    const std::size_t values = result.values<T>().size() / height;
    parallel_for(
        height, [&] { return RankRows<T>(image, median); },
        [&](RankRows<T>& own, std::size_t y) { own.run(static_cast<int>(y), result.values<T>().subspan(y * values, values)); });
}

} // namespace

Image median_on_cpu(const Image& image, const Median& median) {
    if (median.radius == PerAxis<int>(0)) {
        return image;
    }
    if (can_run_sorted(image.form(), median)) {
        return run_sorted(image, median);
    }
    Image result(image.form());
    switch (image.depth()) {
    case Depth::u8:
        run_rows<std::uint8_t>(image, median, result);
        break;
    case Depth::u16:
        run_rows<std::uint16_t>(image, median, result);
        break;
    case Depth::f32:
        run_rows<float>(image, median, result);
        break;
    }
    return without_missing(std::move(result));
}

} // namespace glproc
