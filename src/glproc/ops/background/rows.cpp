#include "glproc/ops/background/rows.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/kinds/hidden.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

constexpr int steps_to_white = 255;

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

/// Heights: floats, or of codes whole numbers, which are exact.
template <class Number>
constexpr Number nothing = std::is_same_v<Number, float> ? std::numeric_limits<Number>::infinity() : std::numeric_limits<Number>::max() / 2;

template <class Number>
using Numbers = std::vector<Number>;

/// A value of the picture on its way in.
template <class Number, class Code>
Number entered(Code code, int scale, bool flips) {
    if constexpr (std::is_same_v<Number, float>) {
        const float value = without_denormal(code) * static_cast<float>(scale);
        return std::isnan(code) ? nothing<Number> : flips ? -value : value;
    } else {
        const Number white = std::numeric_limits<Code>::max() * scale;
        const Number value = Number{code} * scale;
        return flips ? white - value : value;
    }
}

/// The least of `to` and of two neighbours, which are raised by `height`.
template <class Number>
void take_lower(const Number* before, const Number* after, Number height, Number* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Number near = std::min(before[i], after[i]) + height; // NOLINT: below `count`
        to[i] = std::min(to[i], near);                              // NOLINT: likewise
    }
}

/// Along x and y: each number becomes the least of those in reach, raised by the square of their distance.
template <class Number>
class Erosion {
  public:
    Erosion(const Form& form, int reach, int unit) : form_(form), reach_(reach), unit_(unit), row_(size_of(form.width) * size_of(form.channels)) {}

    void run(Numbers<Number>& numbers) const {
        across(numbers);
        down(numbers);
    }

  private:
    Number height(int t) const { return static_cast<Number>(t * t * unit_); }

    void across(Numbers<Number>& numbers) const {
        const std::size_t n = size_of(form_.channels);
        const int reach = std::min(reach_, form_.width - 1);
        const std::size_t beside = size_of(reach) * n;
        parallel_for(size_of(form_.height), [&] { return Numbers<Number>(row_ + 2 * beside, nothing<Number>); },
                     [&](Numbers<Number>& wide, std::size_t y) {
                         Number* row = &numbers[y * row_];
                         std::copy_n(row, row_, &wide[beside]);
                         for (int t = 1; t <= reach; ++t) {
                             const std::size_t off = size_of(t) * n;
                             take_lower(&wide[beside - off], &wide[beside + off], height(t), row, row_);
                         }
                     });
    }

    void down(Numbers<Number>& numbers) const {
        const Numbers<Number> from = numbers;
        const Numbers<Number> beyond(row_, nothing<Number>);
        const auto row = [&](int y) { return y < 0 || y >= form_.height ? beyond.data() : &from[size_of(y) * row_]; };
        const int reach = std::min(reach_, form_.height - 1);
        parallel_for(size_of(form_.height), [&](std::size_t i) {
            const int y = static_cast<int>(i);
            for (int t = 1; t <= reach; ++t) {
                take_lower(row(y - t), row(y + t), height(t), &numbers[i * row_], row_);
            }
        });
    }

    Form form_;
    int reach_;
    int unit_;
    std::size_t row_; ///< values
};

template <class Number>
void flip(Numbers<Number>& numbers, Number white) {
    std::ranges::transform(numbers, numbers.begin(), [&](Number number) { return std::is_same_v<Number, float> ? -number : white - number; });
}

/// The code nearest to a number, half to even.
int code_of(std::int32_t number, int scale) {
    const int code = number / scale;
    const int twice = 2 * (number - code * scale);
    return code + (twice > scale || (twice == scale && code % 2 == 1) ? 1 : 0);
}

float code_of(float number, int scale) {
    return without_denormal(number) * static_cast<float>(1.0 / scale);
}

float stored(float value) {
    return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : without_denormal(value);
}

/// result_of() of background/subtract.comp.
template <class Code, class Around>
Code result_of(const Background& op, Code own, Around around) {
    constexpr bool is_float = std::is_same_v<Code, float>;
    if (op.output == BackgroundOutput::background) {
        return is_float ? static_cast<Code>(stored(static_cast<float>(around))) : static_cast<Code>(around);
    }
    if constexpr (is_float) {
        const float less = without_denormal(own) - around;
        return stored(op.light ? 1.0F + less : less);
    } else {
        const int less = int{own} - around;
        return static_cast<Code>(op.light ? std::numeric_limits<Code>::max() + std::min(less, 0) : std::max(less, 0));
    }
}

/// `around(i)`: the background of value i.
template <class Code, class Around>
Image subtracted(const Background& op, const Image& source, const Around& around) {
    Image result(source.form());
    const std::size_t channels = size_of(source.channels());
    const std::size_t row = size_of(source.width()) * channels;
    const std::span<const Code> from = source.values<Code>();
    const std::span<Code> to = result.values<Code>();
    parallel_for(size_of(source.height()), [&](std::size_t y) {
        for (std::size_t i = y * row; i < (y + 1) * row; ++i) {
            const bool is_alpha = source.has_alpha() && i % channels == channels - 1;
            to[i] = is_alpha ? from[i] : result_of<Code>(op, from[i], around(i));
        }
    });
    return result;
}

/// The opening of the image, or of its complement. Complements of floats have the other sign.
template <class Number, class Code>
Image without(const Background& op, const Image& source) {
    constexpr bool is_float = std::is_same_v<Code, float>;
    const int scale = number_scale(op, source.form());
    const Image seen = source.has_alpha() ? with_hidden(source, out_of_reach(op, source.depth())) : source;
    const std::span<const Code> values = seen.values<Code>();
    Numbers<Number> numbers(values.size());
    std::ranges::transform(values, numbers.begin(), [&](Code code) { return entered<Number>(code, scale, op.light); });
    const Number white = is_float ? Number{0} : static_cast<Number>(max_code(source.depth())) * static_cast<Number>(scale);
    const Erosion<Number> erosion(source.form(), paraboloid_reach(op.radius), source.depth() == Depth::u16 ? 257 : 1);
    erosion.run(numbers);
    flip(numbers, white);
    erosion.run(numbers);
    if (!op.light) {
        flip(numbers, white);
    }
    return subtracted<Code>(op, source, [&](std::size_t i) { return code_of(numbers[i], scale); });
}

} // namespace

int paraboloid_reach(int radius) {
    return static_cast<int>(std::sqrt(2.0 * radius * steps_to_white - 1));
}

int number_scale(const Background& op, const Form& form) {
    return 2 * op.radius * (form.depth == Depth::f32 ? steps_to_white : 1);
}

double out_of_reach(const Background& op, Depth depth) {
    return depth == Depth::f32 ? std::numeric_limits<double>::quiet_NaN() : op.light ? 0 : max_code(depth);
}

Image without_paraboloid(const Background& op, const Image& source) {
    switch (source.depth()) {
    case Depth::u8:
        return without<std::int32_t, std::uint8_t>(op, source);
    case Depth::u16:
        return without<std::int32_t, std::uint16_t>(op, source);
    case Depth::f32:
        break;
    }
    return without<float, float>(op, source);
}

Image without_background(const Background& op, const Image& source, const Image& around) {
    switch (source.depth()) {
    case Depth::u8:
        return subtracted<std::uint8_t>(op, source, [&](std::size_t i) { return int{around.values<std::uint8_t>()[i]}; });
    case Depth::u16:
        return subtracted<std::uint16_t>(op, source, [&](std::size_t i) { return int{around.values<std::uint16_t>()[i]}; });
    case Depth::f32:
        break;
    }
    return subtracted<float>(op, source, [&](std::size_t i) { return without_denormal(around.values<float>()[i]); });
}

} // namespace glproc
