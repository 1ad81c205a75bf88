// Fast boxes of floats by the processor: the sums of glsl/kinds/separable/box_floats.comp, in the same order
// and with the same roundings.
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/separable/passes.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

constexpr std::size_t lanes = 16; ///< lines at a time
using Values = std::array<float, lanes>;

/// A sum as a float, and what it lost to rounding.
struct Sum {
    Values high{};
    Values low{};

    void add(const Values& values) {
        for (std::size_t i = 0; i < lanes; ++i) {
            const float sum = high[i] + values[i];
            const float share = sum - high[i];
            const float lost = (high[i] - (sum - share)) + (values[i] - share);
            high[i] = sum;
            low[i] += lost;
        }
    }

    /// A value that is not finite loses nothing to rounding.
    Values rounded() const {
        Values result;
        for (std::size_t i = 0; i < lanes; ++i) {
            result[i] = std::isfinite(high[i]) ? high[i] + low[i] : high[i];
        }
        return result;
    }
};

Values plus(const Values& a, const Values& b) {
    Values sum;
    std::transform(a.begin(), a.end(), b.begin(), sum.begin(), [](float x, float y) { return x + y; });
    return sum;
}

/// The whole blocks of a box, as spans of as many.
class Span {
  public:
    explicit Span(int blocks) : ends_(size_of(blocks)) {}

    /// Adds block number `slot` of a span.
    void add(const Values& block, std::size_t slot) {
        if (slot == 0) {
            so_far_ = Sum{block, {}};
        } else {
            so_far_.add(block);
        }
        ends_[slot] = block;
        if (slot + 1 == ends_.size()) {
            Sum end{block, {}};
            for (std::size_t i = slot; i-- > 0;) {
                end.add(ends_[i]);
                ends_[i] = end.rounded();
            }
        }
    }

    /// From block `slot` of the span before to the one before it in this.
    Values sum(std::size_t slot) const { return slot == 0 ? so_far_.rounded() : plus(ends_[slot], so_far_.rounded()); }
    std::size_t blocks() const { return ends_.size(); }

  private:
    std::vector<Values> ends_; ///< of the span under way and of the one before, from each block to its end
    Sum so_far_;
};

/// Box sums along a few lines. `load(i)` gives their values at any place, `store(i, sums)` takes the sums of places 0 to `length` - 1.
template <class Load, class Store>
void march(int length, int radius, const Load& load, const Store& store) {
    constexpr int block = 16; // BLOCK
    const int blocks = 2 * radius / block - 1;
    const int rest = 2 * radius % block;
    Span span(blocks);
    std::size_t slot = blocks > 0 ? size_of(1 % blocks) : 0;
    const auto add_block = [&](const Values& sum) {
        if (blocks > 0) {
            span.add(sum, slot);
            slot = (slot + 1) % span.blocks();
        }
    };
    Sum beginning; // of the block where boxes end, as far as they reach
    for (int b = 1; b <= blocks + 1; ++b) {
        Sum sum;
        for (int i = 0; i < block; ++i) {
            if (i == rest) {
                beginning = sum;
            }
            sum.add(load(b * block - radius + i));
        }
        if (b <= blocks) {
            add_block(sum.rounded());
        }
    }
    for (int first = 0; first < length; first += block) {
        std::array<Values, block> results; // first the sums of the rest of the block where boxes begin
        Sum sum;
        for (int i = block - 1; i >= 0; --i) {
            sum.add(load(first - radius + i));
            results[size_of(i)] = sum.rounded();
        }
        Values whole = blocks > 0 ? span.sum(slot) : Values{};
        Values complete{};
        for (int i = 0; i < block; ++i) {
            beginning.add(load(first + radius + i));
            const Values so_far = beginning.rounded();
            results[size_of(i)] = plus(plus(results[size_of(i)], so_far), whole);
            if (i + rest == block - 1) {
                complete = so_far;
                whole = plus(whole, so_far);
                beginning = {};
            }
        }
        for (int i = 0; i < std::min(block, length - first); ++i) {
            store(first + i, results[size_of(i)]);
        }
        add_block(complete);
    }
}

/// A picture as float values, and the pixel beyond it.
struct Values2D {
    int width;
    int height;
    std::size_t channels;
    std::vector<float> values;
    std::vector<float> beyond;

    std::size_t row_values() const { return size_of(width) * channels; }
};

/// Sums along x: lines are rows.
std::vector<float> sums_along_x(const Values2D& from, int radius, BorderMode border) {
    std::vector<float> to(from.values.size());
    const std::size_t lines = size_of(from.height) * from.channels;
    parallel_for(covering(lines, lanes), [&](std::size_t group) {
        std::array<std::size_t, lanes> begins{};
        const std::size_t count = std::min(lanes, lines - group * lanes);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t line = group * lanes + i;
            begins[i] = line / from.channels * from.row_values() + line % from.channels;
        }
        const auto load = [&](int x) {
            const int at = index_within(border, x, from.width);
            Values values{};
            for (std::size_t i = 0; i < count; ++i) {
                values[i] = at < 0 ? from.beyond[(group * lanes + i) % from.channels] : from.values[begins[i] + size_of(at) * from.channels];
            }
            return values;
        };
        march(from.width, radius, load, [&](int x, const Values& sums) {
            for (std::size_t i = 0; i < count; ++i) {
                to[begins[i] + size_of(x) * from.channels] = sums[i];
            }
        });
    });
    return to;
}

/// Along y: lines are the values of a row.
std::vector<float> sums_along_y(const Values2D& from, int radius, BorderMode border) {
    std::vector<float> to(from.values.size());
    const std::size_t lines = from.row_values();
    parallel_for(covering(lines, lanes), [&](std::size_t group) {
        const std::size_t begin = group * lanes;
        const std::size_t count = std::min(lanes, lines - begin);
        const auto load = [&](int y) {
            const int at = index_within(border, y, from.height);
            Values values{};
            for (std::size_t i = 0; i < count; ++i) {
                values[i] = at < 0 ? from.beyond[(begin + i) % from.channels] : from.values[size_of(at) * lines + begin + i];
            }
            return values;
        };
        march(from.height, radius, load, [&](int y, const Values& sums) { std::copy_n(sums.begin(), count, &to[size_of(y) * lines + begin]); });
    });
    return to;
}

} // namespace

Image box_of_floats_by_processor(const SeparableFilter& filter, const Image& source) {
    const Form& form = source.form();
    const bool weights = alpha_define(form, filter.alpha) == 1;
    Values2D sums{form.width, form.height, size_of(form.channels), Plane(source, weights).values,
                  border_pixel(border_codes(form, filter), form, weights)};
    if (filter.radius.x > 0) {
        sums.values = sums_along_x(sums, filter.radius.x, filter.border.mode);
        BorderCodes codes = border_between_passes(form, filter); // in double precision, as the kernel is given it
        for (double& code : codes) {
            code *= 2.0 * filter.radius.x + 1;
        }
        sums.beyond = border_pixel(codes, form);
    }
    if (filter.radius.y > 0) {
        sums.values = sums_along_y(sums, filter.radius.y, filter.border.mode);
    }
    Image result(form);
    const RowEnding ending(form, filter, scale_of(filter, form));
    parallel_for(size_of(form.height), [&](std::size_t y) {
        ending.run(std::span(sums.values).subspan(y * sums.row_values(), sums.row_values()), nullptr, result.row(static_cast<int>(y)));
    });
    return result;
}

} // namespace glproc
