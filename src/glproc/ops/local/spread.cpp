#include "glproc/ops/local/spread.hpp"

#include "glproc/kinds/surroundings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace glproc {

namespace {

/// The sums of codes in a square, whole numbers, so that their order does not matter.
class SquareSums {
  public:
    SquareSums(const Local& op, Depth depth)
        : is_mean_(op.measure == LocalMeasure::mean), is_variance_(op.measure == LocalMeasure::variance),
          full_(static_cast<std::uint64_t>(max_code(depth))) {}

    void begin() { count_ = sum_ = squares_ = 0; }
    void add(float value) {
        const auto code = static_cast<std::uint32_t>(static_cast<int>(value));
        ++count_;
        sum_ += code;
        squares_ += code * code;
    }
    void remove(float value) {
        const auto code = static_cast<std::uint32_t>(static_cast<int>(value));
        --count_;
        sum_ -= code;
        squares_ -= code * code;
    }

    /// The nearest code. With D = n x the sum of squares - the sum squared, the variance is D / n^2.
    float found() const {
        if (count_ == 0) {
            return 0;
        }
        if (is_mean_) { // as a box
            return std::nearbyint(static_cast<float>(sum_) * (1.0F / static_cast<float>(count_)));
        }
        const std::uint64_t parts = count_ * squares_ - sum_ * sum_;
        const double deviation = std::sqrt(static_cast<double>(parts)) / static_cast<double>(count_);
        const double guess = is_variance_ ? deviation * deviation / static_cast<double>(full_) : deviation;
        auto code = static_cast<std::uint64_t>(std::max(guess - 1, 0.0)); // too small by 2 at most
        while (is_beyond(parts, 2 * code + 1)) {
            ++code;
        }
        return static_cast<float>(code);
    }

  private:
    /// Whether the result lies beyond half of an odd number of codes. There are no ties.
    bool is_beyond(std::uint64_t parts, std::uint64_t odd) const {
        return is_variance_ ? 2 * parts > count_ * count_ * full_ * odd : 4 * parts > odd * count_ * (odd * count_);
    }

    bool is_mean_;
    bool is_variance_;
    std::uint64_t full_;
    std::uint64_t count_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t squares_ = 0;
};

/// How often each of 256 levels occurs in a square.
class Entropy {
  public:
    Entropy(const EntropyTerms& terms, Depth depth) : terms_(terms), depth_(depth) {}

    void begin() {
        counts_.fill(0);
        counted_ = 0;
        sum_ = 0;
    }
    void add(float value) { count(value, 1); }
    void remove(float value) { count(value, ~0U); }

    /// The entropy is log2 n minus the mean of log2 of each level's count, for n values. 8 bits are the largest code.
    float found() const {
        const std::uint32_t bits = terms_.values[counted_] - sum_;
        const float all = static_cast<float>(counted_) * static_cast<float>(8 * terms_.unit);
        const float share = counted_ == 0 || bits > 0x7fffffffU ? 0.0F : static_cast<float>(bits) * (1.0F / all); // terms are rounded
        return depth_ == Depth::f32 ? share : share * static_cast<float>(max_code(depth_));
    }

  private:
    static constexpr std::size_t levels = 256;

    /// `levels` for floats that lie in none.
    std::size_t level_of(float value) const {
        switch (depth_) {
        case Depth::u8:
            return static_cast<std::size_t>(value);
        case Depth::u16:
            return std::min(static_cast<std::size_t>(value) * levels / 65535, levels - 1);
        default:
            return value >= 0 && value <= 1 ? std::min(static_cast<std::size_t>(value * levels), levels - 1) : levels;
        }
    }

    void count(float value, std::uint32_t by) {
        const std::size_t level = level_of(value);
        if (level < levels) {
            std::uint32_t& count = counts_[level]; // NOLINT: checked
            sum_ -= terms_.values[count];
            count += by;
            sum_ += terms_.values[count];
            counted_ += by;
        }
    }

    const EntropyTerms& terms_;
    Depth depth_;
    std::array<std::uint32_t, levels> counts_{};
    std::uint32_t counted_ = 0;
    std::uint32_t sum_ = 0; ///< modulo 2^32, as all that is made of it
};

/// A row of codes or floats, rounded to nearest even.
void store(const std::vector<float>& values, Depth depth, std::byte* to) {
    const auto put = [&](auto zero) {
        for (const float value : values) {
            const auto code = static_cast<decltype(zero)>(depth == Depth::f32 ? value : std::nearbyint(value));
            std::memcpy(to, &code, sizeof code);
            to += sizeof code; // NOLINT: the row has so many
        }
    };
    depth == Depth::u8 ? put(std::uint8_t{}) : depth == Depth::u16 ? put(std::uint16_t{}) : put(float{});
}

/// Bit for bit: `values` have lost denormals.
void keep_alpha(const std::byte* from, const Form& form, std::byte* to) {
    const std::size_t bytes = bytes_of(form.depth);
    const std::size_t alpha = form.pixel_bytes() - bytes;
    for (int x = 0; x < form.width; ++x, from += form.pixel_bytes(), to += form.pixel_bytes()) { // NOLINT: within the row
        std::memcpy(to + alpha, from + alpha, bytes);                                            // NOLINT: likewise
    }
}

/// Goes along a row of one channel: a column of values comes in at the right, another goes out at the left. Pixels of alpha 0 do not
/// count.
template <class State>
void walk(State& state, const Surroundings& around, int y, int radius, const Form& form, int channel, float* to) {
    const int channels = form.channels;
    const float* middle = around.row(y);
    const auto each = [&](int x, const auto& use) {
        for (int dy = -radius; dy <= radius; ++dy) {
            const float* pixel = middle + std::ptrdiff_t{dy} * around.pitch() + std::ptrdiff_t{x} * channels; // NOLINT: that far it reaches
            if (!form.has_alpha() || pixel[channels - 1] != 0) { // NOLINT: within the pixel
                use(pixel[channel]);                             // NOLINT: likewise
            }
        }
    };
    state.begin();
    for (int x = -radius; x < radius; ++x) {
        each(x, [&](float value) { state.add(value); });
    }
    for (int x = 0; x < form.width; ++x) {
        each(x + radius, [&](float value) { state.add(value); });
        to[std::ptrdiff_t{x} * channels + channel] = state.found(); // NOLINT: within the row
        each(x - radius, [&](float value) { state.remove(value); });
    }
}

template <class State>
void spread_by(const State& state, const Local& op, RowReader& source, RowWriter& to) {
    const Form& form = source.form();
    const int channels = form.channels;
    const int measured = channels - (form.has_alpha() ? 1 : 0);
    const Sight sight{.border = op.border, .reach = op.radius, .values = channels, .seen = channels};
    make_rows(source, sight, form, to, [&](const Surroundings& around, int y, std::byte* made) {
        State own = state;
        const float* row = around.row(y);
        std::vector<float> values(row, row + std::ptrdiff_t{form.width} * channels); // NOLINT: of the row
        for (int channel = 0; channel < measured; ++channel) {
            walk(own, around, y, op.radius, form, channel, values.data());
        }
        store(values, form.depth, made);
        if (measured < channels) {
            keep_alpha(around.stored(y), form, made);
        }
    });
}

} // namespace

EntropyTerms entropy_terms(int most) {
    const double largest = most * std::log2(most) + most;
    EntropyTerms terms{.unit = std::exp2(std::floor(31 - std::log2(largest)))};
    for (int n = 1; n <= most; ++n) {
        terms.values.push_back(static_cast<std::uint32_t>(std::nearbyint(n * std::log2(n) * terms.unit)));
    }
    return terms;
}

void spread_rows(const Local& op, RowReader& source, RowWriter& to) {
    const Depth depth = source.form().depth;
    if (op.measure == LocalMeasure::entropy) {
        const int side = 2 * op.radius + 1;
        const EntropyTerms terms = entropy_terms(side * side);
        spread_by(Entropy(terms, depth), op, source, to);
    } else {
        spread_by(SquareSums(op, depth), op, source, to);
    }
}

} // namespace glproc
