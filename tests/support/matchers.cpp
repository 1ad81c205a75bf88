#include "support/matchers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace glproc::test {

namespace {

struct Miss {
    int x;
    int y;
    int channel;
    double got;
    double expected;
    double error; ///< what it misses the answer by
};

/// NaN is as wrong as can be, unless it is what was expected.
double error_of(double got, double expected) {
    if (std::isnan(got) || std::isnan(expected)) {
        return std::isnan(got) == std::isnan(expected) ? 0 : std::numeric_limits<double>::infinity();
    }
    return got == expected ? 0 : std::abs(got - expected);
}

std::string list_worst(std::vector<Miss> misses) {
    constexpr std::size_t most = 8;
    const std::size_t count = std::min(most, misses.size());
    std::partial_sort(misses.begin(), misses.begin() + static_cast<std::ptrdiff_t>(count), misses.end(),
                      [](const Miss& a, const Miss& b) { return a.error > b.error; });
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        const Miss& miss = misses[i];
        text += fmt::format("\n  ({}, {}) channel {}: got {:.9g}, expected {:.9g}", miss.x, miss.y,
                            miss.channel, miss.got, miss.expected);
    }
    return text;
}

/// A small map of the image, one character a cell: '.' where all is well, else how many tenths of its values
/// miss.
std::string map_of(const std::vector<Miss>& misses, int width, int height, int channels) {
    constexpr int most_columns = 64;
    constexpr int most_rows = 24;
    const int cell_w = (width + most_columns - 1) / most_columns;
    const int cell_h = (height + most_rows - 1) / most_rows;
    const int columns = (width + cell_w - 1) / cell_w;
    const int rows = (height + cell_h - 1) / cell_h;
    std::vector<int> counts(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    for (const Miss& miss : misses) {
        const auto row = static_cast<std::size_t>(miss.y / cell_h);
        ++counts[row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(miss.x / cell_w)];
    }
    std::string text =
        fmt::format("\n  map ('.' is well, 0-9 tenths of the values of {}x{} pixels miss):", cell_w, cell_h);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const int tenths = std::min(9, counts[i] * 10 / (cell_w * cell_h * channels));
        text += i % static_cast<std::size_t>(columns) == 0 ? "\n  " : "";
        text += counts[i] == 0 ? '.' : static_cast<char>('0' + tenths);
    }
    return text;
}

Shape shape_of(const Reference& reference) {
    return {reference.width, reference.height, reference.channels, reference.depth};
}

/// How many values of an image may differ from the rounded answer.
std::size_t most_off(std::size_t values, Depth depth, double share) {
    const auto part = static_cast<std::size_t>(static_cast<double>(values) * share);
    return depth == Depth::u8 ? std::max<std::size_t>(1, part) : values;
}

/// Every value of both images; runs visit(miss) for each.
template <class Visit>
void each_value(const Image& got, const Reference& expected, Visit visit) {
    for (int y = 0; y < expected.height; ++y) {
        for (int x = 0; x < expected.width; ++x) {
            for (int c = 0; c < expected.channels; ++c) {
                // What lies beyond the codes is clamped: the nearest code is no miss.
                const double answer = expected.depth == Depth::f32
                                          ? expected.at(x, y, c)
                                          : std::clamp(expected.at(x, y, c), 0.0, max_code(expected.depth));
                const double value = got.at(x, y, c);
                visit(Miss{x, y, c, value, answer, error_of(value, answer)});
            }
        }
    }
}

} // namespace

Comparison compare(const Image& got, const Reference& expected, const Tolerance& tolerance) {
    Comparison result;
    if (describe(got) != describe(shape_of(expected))) {
        result.problem = fmt::format("it is {}, not {}", describe(got), describe(shape_of(expected)));
        return result;
    }
    const double rounding = expected.depth == Depth::f32 ? 0.0 : 0.5;
    const double allowed = rounding + tolerance.relative * expected.full_scale;
    std::vector<Miss> too_far;
    std::vector<Miss> off;
    each_value(got, expected, [&](const Miss& miss) {
        ++result.values;
        result.max_error = std::max(result.max_error, miss.error);
        result.mean_error += miss.error;
        if (!(miss.error <= allowed)) {
            too_far.push_back(miss);
        }
        if (expected.depth != Depth::f32 && miss.got != round_to_depth(miss.expected, expected.depth)) {
            off.push_back(miss);
        }
    });
    result.mean_error /= static_cast<double>(result.values);
    result.too_far = too_far.size();
    result.off = off.size();
    if (!too_far.empty() || off.size() > most_off(result.values, expected.depth, tolerance.off_share)) {
        const std::vector<Miss>& shown = too_far.empty() ? off : too_far;
        result.problem = fmt::format("max error {:.6g}, mean {:.6g}, allowed {:.6g}; {} of {} values miss "
                                     "it, {} are not the rounded answer",
                                     result.max_error, result.mean_error, allowed, result.too_far,
                                     result.values, result.off) +
                         list_worst(shown) +
                         map_of(shown, expected.width, expected.height, expected.channels);
    }
    return result;
}

std::string difference(const Image& got, const Image& expected) {
    if (describe(got) != describe(expected)) {
        return fmt::format("it is {}, not {}", describe(got), describe(expected));
    }
    if (std::equal(got.bytes().begin(), got.bytes().end(), expected.bytes().begin())) {
        return {};
    }
    const std::size_t value_bytes = bytes_of(got.depth());
    std::vector<Miss> misses;
    for (int y = 0; y < got.height(); ++y) {
        for (int i = 0; i < got.width() * got.channels(); ++i) {
            const std::size_t at = static_cast<std::size_t>(i) * value_bytes;
            if (std::memcmp(got.row(y) + at, expected.row(y) + at, value_bytes) != 0) {
                const int x = i / got.channels();
                const int c = i % got.channels();
                const double error = error_of(got.at(x, y, c), expected.at(x, y, c));
                misses.push_back({x, y, c, got.at(x, y, c), expected.at(x, y, c), error});
            }
        }
    }
    return fmt::format("{} values differ", misses.size()) + list_worst(misses) +
           map_of(misses, got.width(), got.height(), got.channels());
}

} // namespace glproc::test
