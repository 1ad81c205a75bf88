#include "glproc/math/cube.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

class CubeReader {
  public:
    CubeReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    Cube read() {
        if (text_.starts_with("\xef\xbb\xbf")) { // some editors begin a file with this mark
            text_.remove_prefix(3);
        }
        while (!text_.empty()) {
            ++line_;
            const std::size_t end = std::min(text_.find('\n'), text_.size());
            take_line(text_.substr(0, end));
            text_.remove_prefix(std::min(end + 1, text_.size()));
        }
        check_whole();
        return std::move(cube_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorCode::input, fmt::format("{}:{}: {}", name_, std::max<std::size_t>(line_, 1), what));
    }

    void take_line(std::string_view line) {
        rest_ = line;
        const std::string_view word = next_word();
        if (word.empty() || word.front() == '#' || word == "TITLE") {
            return;
        }
        const char first = word.front();
        if (first != '+' && first != '-' && first != '.' && (first < '0' || first > '9')) {
            return take_keyword(word);
        }
        if (cube_.size == 0) {
            fail("numbers before LUT_1D_SIZE or LUT_3D_SIZE");
        }
        if (cube_.values.size() == expected()) {
            fail(fmt::format("more than {} entries", expected() / 3));
        }
        rest_ = line;
        const std::array<float, 3> entry = three_numbers();
        cube_.values.insert(cube_.values.end(), entry.begin(), entry.end());
    }

    void take_keyword(std::string_view word) {
        if (word == "LUT_1D_SIZE" || word == "LUT_3D_SIZE") {
            take_size(word == "LUT_3D_SIZE");
        } else if (word == "DOMAIN_MIN") {
            cube_.low = three_numbers();
        } else if (word == "DOMAIN_MAX") {
            cube_.high = three_numbers();
        } else if (word == "LUT_1D_INPUT_RANGE" || word == "LUT_3D_INPUT_RANGE") {
            const float low = number();
            const float high = number();
            end_line();
            cube_.low.fill(low);
            cube_.high.fill(high);
        } else if (printable(word) != word) {
            fail("not text, so not a .cube file");
        } else {
            fail(fmt::format("unknown keyword '{}'", word));
        }
    }

    void take_size(bool has_three_axes) {
        if (cube_.size != 0) {
            fail("a second size");
        }
        const int most = has_three_axes ? max_cube_size : max_cube_size_alone;
        const double size = number();
        end_line();
        if (size != std::floor(size) || size < 2 || size > most) {
            fail(fmt::format("a size of {}; from 2 to {} are possible", size, most));
        }
        cube_.size = static_cast<int>(size);
        cube_.has_three_axes = has_three_axes;
    }

    std::size_t expected() const {
        const auto size = static_cast<std::size_t>(cube_.size);
        return 3 * (cube_.has_three_axes ? size * size * size : size);
    }

    void check_whole() const {
        if (cube_.size == 0) {
            fail("neither LUT_1D_SIZE nor LUT_3D_SIZE: not a .cube file");
        }
        if (cube_.values.size() < expected()) {
            fail(fmt::format("it ends after {} of {} entries", cube_.values.size() / 3, expected() / 3));
        }
        for (std::size_t i = 0; i < 3; ++i) {
            if (!(cube_.high[i] - cube_.low[i] > 1e-6F)) {
                fail(fmt::format("the domain goes from {} to {}", cube_.low[i], cube_.high[i]));
            }
        }
    }

    /// The next word of the line; empty at its end.
    std::string_view next_word() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
        rest_.remove_prefix(word.size());
        return word;
    }

    float number() {
        std::string_view word = next_word();
        if (word.empty()) {
            fail("a number is missing");
        }
        const std::string_view shown = word;
        word.remove_prefix(word.starts_with('+') ? 1 : 0);
        float value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || !(std::abs(value) <= 1e30F)) {
            fail(fmt::format("'{}' is not a number that can be used", printable(shown)));
        }
        return value;
    }

    void end_line() {
        if (const std::string_view word = next_word(); !word.empty() && word.front() != '#') {
            fail(fmt::format("'{}' is one too many", printable(word)));
        }
    }

    std::array<float, 3> three_numbers() {
        std::array<float, 3> numbers{};
        for (float& value : numbers) {
            value = number();
        }
        end_line();
        return numbers;
    }

    /// The beginning of a word as a message can show it.
    static std::string printable(std::string_view word) {
        std::string shown(word.substr(0, 32));
        std::replace_if(
            shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
        return shown;
    }

    std::string_view text_; ///< not read yet
    std::string_view name_;
    std::string_view rest_; ///< of the line
    std::size_t line_ = 0;
    Cube cube_;
};

} // namespace

Cube parse_cube(std::span<const std::byte> file, std::string_view name) {
    return CubeReader({reinterpret_cast<const char*>(file.data()), file.size()}, name).read();
}

} // namespace glproc
