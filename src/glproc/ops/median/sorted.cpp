// Small medians on the processor: many pixels at a time go through one sorting network.
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/ops/median/parts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace glproc {

namespace {

constexpr std::size_t most_values = 25;
constexpr std::size_t lanes = 128; // pixels at a time: all values of a box stay in the first cache

/// Two values change places where they are not in order; one of them may no longer matter.
struct Comparator {
    std::size_t low, high;
    bool keeps_low, keeps_high;
};

/// Batcher's merge exchange for `count` values (Knuth, The Art of Computer Programming 3, 5.2.2 M), as far as it decides which
/// one comes to this place.
std::vector<Comparator> network_for(std::size_t count, std::size_t place) {
    std::vector<Comparator> all;
    for (std::size_t p = 1; p < count; p *= 2) {
        for (std::size_t k = p; k > 0; k /= 2) {
            for (std::size_t i = k % p; i + k < count; ++i) {
                if ((i - k % p) / k % 2 == 0 && i / (2 * p) == (i + k) / (2 * p)) {
                    all.push_back({i, i + k, true, true});
                }
            }
        }
    }
    std::array<bool, most_values> matters{};
    matters[place] = true;
    std::vector<Comparator> kept;
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
        if (matters[one->low] || matters[one->high]) {
            kept.push_back({one->low, one->high, matters[one->low], matters[one->high]});
            matters[one->low] = matters[one->high] = true;
        }
    }
    std::ranges::reverse(kept);
    return kept;
}

template <class T>
class SortedRows {
  public:
    SortedRows(const Image& image, const Median& median)
        : image_(image), median_(median),
          beyond_(border_pixel<T>(border_codes(image.form(), median.border, median.border.alpha()), image.form())),
          place_(rank_among(median.percentile, box_pixels(median))),
          network_(network_for(static_cast<std::size_t>(box_pixels(median)), place_)),
          lines_(static_cast<std::size_t>(2 * median.radius.y + 1)) {}

    void run(int y, std::span<T> result) {
        const Form form = image_.form();
        const std::size_t row = result.size();
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const int from = index_within(median_.border.mode, y + static_cast<int>(i) - median_.radius.y, form.height);
            const std::span<const T> values =
                from < 0 ? std::span<const T>() : image_.values<T>().subspan(static_cast<std::size_t>(from) * row, row);
            lengthen<T>(lines_[i], values, form, median_.border.mode, median_.radius.x, beyond_);
        }
        for (std::size_t at = 0; at < row; at += lanes) {
            sort(at, result.subspan(at, std::min(lanes, row - at)));
        }
    }

  private:
    void sort(std::size_t at, std::span<T> result) {
        std::size_t value = 0;
        for (const std::vector<T>& line : lines_) {
            for (int dx = 0; dx <= 2 * median_.radius.x; ++dx) {
                const std::size_t first = at + static_cast<std::size_t>(dx * image_.channels());
                std::copy_n(line.begin() + static_cast<std::ptrdiff_t>(first), result.size(), sorted_[value++].begin());
            }
        }
        for (const Comparator& one : network_) {
            exchange(sorted_[one.low], sorted_[one.high], one);
        }
        std::copy_n(sorted_[place_].begin(), result.size(), result.begin());
    }

    static void exchange(std::array<T, lanes>& a, std::array<T, lanes>& b, const Comparator& one) {
        for (std::size_t i = 0; i < lanes; ++i) {
            const T low = std::min(a[i], b[i]);
            const T high = std::max(a[i], b[i]);
            a[i] = one.keeps_low ? low : a[i];
            b[i] = one.keeps_high ? high : b[i];
        }
    }

    const Image& image_;
    const Median& median_;
    std::vector<T> beyond_;
    std::size_t place_;
    std::vector<Comparator> network_;
    std::vector<std::vector<T>> lines_;                    ///< that a row of the result depends on
    std::array<std::array<T, lanes>, most_values> sorted_{}; ///< by their place in the box, then in order
};

template <class T>
void run_rows(const Image& image, const Median& median, Image& result) {
    const auto height = static_cast<std::size_t>(image.height());
    const std::size_t values = result.values<T>().size() / height;
    parallel_for(
        height, [&] { return SortedRows<T>(image, median); },
        [&](SortedRows<T>& own, std::size_t y) { own.run(static_cast<int>(y), result.values<T>().subspan(y * values, values)); });
}

} // namespace

bool can_run_sorted(const Form& form, const Median& median) {
    return form.depth != Depth::f32 && !form.has_alpha() && box_pixels(median) <= static_cast<int>(most_values);
}

Image run_sorted(const Image& image, const Median& median) {
    Image result(image.form());
    image.depth() == Depth::u8 ? run_rows<std::uint8_t>(image, median, result) : run_rows<std::uint16_t>(image, median, result);
    return result;
}

} // namespace glproc
