#include "glproc/ops/components/numbers.hpp"

#include "glproc/image/ink.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <string>

namespace glproc {

namespace {

constexpr double text_size = 12;

/// A row of a digit's box is a byte, its first pixel in bit 0.
using Digit = std::array<std::uint32_t, digit_height>;

Digit digit_of(char character) {
    Ink ink(digit_width, digit_height);
    const std::string text(1, character);
    ink.text(text, {(digit_width - text_width(text, text_size)) / 2, digit_height - 1.0}, text_size);
    Digit digit{};
    for (int y = 0; y < digit_height; ++y) {
        for (int x = 0; x < digit_width; ++x) {
            digit[static_cast<std::size_t>(y)] |= (ink.at(x, y) >= 128 ? 1U : 0U) << x;
        }
    }
    return digit;
}

std::array<Digit, 10> all_digits() {
    std::array<Digit, 10> digits{};
    for (std::size_t i = 0; i < digits.size(); ++i) {
        digits[i] = digit_of(static_cast<char>('0' + i));
    }
    return digits;
}

/// `y`: of the digit's first row in the mask, which it may leave at any side.
void draw(const Digit& digit, int x, int y, HostMask& mask) {
    for (int row = std::max(y, 0); row < std::min(y + digit_height, mask.height); ++row) {
        for (int column = x; column < std::min(x + digit_width, mask.width); ++column) {
            const std::uint32_t bit = digit[static_cast<std::size_t>(row - y)] >> (column - x) & 1U;
            mask.words[mask.word_of(column, row)] |= bit << (column % 32);
        }
    }
}

/// The middle of a length that begins here, so that all of it is inside if it can be.
int begin_around(std::uint64_t middle, int length, int end) {
    return std::max(0, std::min(static_cast<int>(middle) - length / 2, end - length));
}

} // namespace

ComponentNumbers::ComponentNumbers(std::span<const ComponentSums> components, const Form& picture)
    : components_(components), picture_(picture), by_top_(components.size()) {
    std::iota(by_top_.begin(), by_top_.end(), 0U);
    std::sort(by_top_.begin(), by_top_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return top_of(a) < top_of(b); });
}

int ComponentNumbers::top_of(std::uint32_t component) const {
    const ComponentSums& sums = components_[component];
    return begin_around(sums.y / sums.area, digit_height, picture_.height);
}

HostMask ComponentNumbers::drawn(int first_row, int rows) const {
    static const std::array<Digit, 10> digits = all_digits();
    HostMask mask{picture_.width, rows};
    mask.words.resize(static_cast<std::size_t>(MaskBits::row_words_of(mask.width) * rows));
    auto next = std::partition_point(by_top_.begin(), by_top_.end(), [&](std::uint32_t component) {
        return top_of(component) <= first_row - digit_height;
    });
    for (; next != by_top_.end() && top_of(*next) < first_row + rows; ++next) {
        const ComponentSums& component = components_[*next];
        const std::string text = std::to_string(*next + 1);
        int x = begin_around(component.x / component.area, static_cast<int>(text.size()) * digit_width,
                             picture_.width);
        for (const char character : text) {
            draw(digits[static_cast<std::size_t>(character - '0')], x, top_of(*next) - first_row, mask);
            x += digit_width;
        }
    }
    return mask;
}

} // namespace glproc
