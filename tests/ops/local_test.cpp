#include "glproc/ops/local.hpp"

#include "support/hidden.hpp"
#include "support/operation_cases.hpp"
#include "support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array spreads{LocalMeasure::stddev, LocalMeasure::variance, LocalMeasure::entropy};

/// Codes are those of the exact value, unless that is as near to a tie as doubles can tell.
constexpr Tolerance exact{1e-9, 0};

double entropy_of(const std::vector<double>& values) {
    double bits = 0;
    double all = 0;
    for (const double value : values) {
        all += value >= 0 && value <= 1 ? 1 : 0;
    }
    for (int level = 0; level < 256; ++level) {
        const auto count = static_cast<double>(std::count_if(values.begin(), values.end(), [&](double value) {
            return value >= 0 && value <= 1 && std::min(static_cast<int>(value * 256), 255) == level;
        }));
        bits -= count > 0 ? count / all * std::log2(count / all) : 0;
    }
    return bits;
}

/// From values of 0 to 1, or floats as they are.
double measured(LocalMeasure measure, std::vector<double> values) {
    if (values.empty()) {
        return 0; // nothing that can be seen
    }
    if (measure == LocalMeasure::entropy) {
        return entropy_of(values) / 8;
    }
    values.erase(std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }),
                 values.end());
    const double count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values) {
        mean += value / count;
    }
    double variance = 0;
    for (const double value : values) {
        variance += (value - mean) * (value - mean) / count;
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    switch (measure) {
    case LocalMeasure::mean:
        return mean;
    case LocalMeasure::stddev:
        return std::sqrt(variance);
    case LocalMeasure::variance:
        return variance;
    case LocalMeasure::min:
        return *least;
    case LocalMeasure::max:
        return *most;
    default:
        return *most - *least;
    }
}

std::vector<double> around(const Image& image, const Local& op, int x, int y, int channel) {
    std::vector<double> values;
    for (int dy = -op.radius; dy <= op.radius; ++dy) {
        for (int dx = -op.radius; dx <= op.radius; ++dx) {
            const int column = border_index(op.border.mode, x + dx, image.width());
            const int row = border_index(op.border.mode, y + dy, image.height());
            const double full = max_code(image.depth());
            if (column >= 0 && row >= 0 && is_hidden(image, column, row)) {
                continue;
            }
            values.push_back(column >= 0 && row >= 0
                                 ? image.at(column, row, channel) / full
                                 : round_to_depth(op.border.value * full, image.depth()) / full);
        }
    }
    return values;
}

Reference answer_to(const Image& image, const Local& op) {
    Reference answer = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels() - (image.has_alpha() ? 1 : 0); ++c) {
                answer.at(x, y, c) =
                    measured(op.measure, around(image, op, x, y, c)) * max_code(image.depth());
            }
        }
    }
    return answer;
}

void check(const Local& op, const Image& image) {
    INFO(name_of(op.measure) << " of radius " << op.radius << ", border "
                             << FieldText<Border>::print(op.border));
    const bool is_exact = image.depth() != Depth::f32 && op.measure != LocalMeasure::mean &&
                          op.measure != LocalMeasure::entropy;
    check_operation(op, image, answer_to(image, op), is_exact ? exact : Tolerance{}, "texture_size:32");
}

} // namespace

TEST_CASE("local: every measure of every kind of picture") {
    for (const EnumRow<LocalMeasure>& row : enum_rows<LocalMeasure>) {
        for (const Shape& shape : all_kinds({19, 13})) {
            check({.measure = row.value, .radius = 2}, random_image(shape, 6));
        }
    }
}

TEST_CASE("local: deviations, variances and entropies at awkward sizes, with every border") {
    for (const LocalMeasure measure : spreads) {
        for (const Size& size : {Size{1, 1}, Size{1, 17}, Size{19, 1}, Size{2, 3}, Size{37, 131}}) {
            check({.measure = measure, .radius = 1},
                  photo_like_image({size.width, size.height, 3, Depth::u8}));
            check({.measure = measure, .radius = 3},
                  photo_like_image({size.width, size.height, 2, Depth::u16}));
            check({.measure = measure, .radius = 1},
                  photo_like_image({size.width, size.height, 1, Depth::f32}));
        }
        for (const BorderMode mode : {BorderMode::clamp, BorderMode::mirror, BorderMode::symmetric,
                                      BorderMode::wrap, BorderMode::constant}) {
            for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
                check({.measure = measure, .radius = 4, .border = {mode, 0.4}},
                      random_image({11, 7, 4, depth}, 9));
            }
        }
    }
}

TEST_CASE("local: sums of the largest codes do not overflow") {
    for (const LocalMeasure measure : spreads) {
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            const Local op{.measure = measure, .radius = 80, .border = BorderMode::wrap};
            const Image image = two_valued_image({9, 5, 1, depth});
            const bool is_entropy = measure == LocalMeasure::entropy;
            CHECK_THAT(whole(op, image), Matches(answer_to(image, op), is_entropy ? Tolerance{} : exact));
            CHECK(whole(op, constant_image({9, 5, 1, depth}, 1)).at(4, 2, 0) == 0);
        }
    }
}

TEST_CASE("local: values that are missing do not count") {
    constexpr float missing = std::numeric_limits<float>::quiet_NaN();
    Image image = photo_like_image({17, 13, 3, Depth::f32});
    for (int i = 0; i < 17 * 13; i += 5) {
        image.values<float>()[static_cast<std::size_t>(3 * i + i % 3)] = missing;
    }
    image.values<float>()[50] = 3; // not one of the levels of an entropy
    for (const LocalMeasure measure : spreads) {
        check({.measure = measure, .radius = 2}, image);
    }
    const Image none = constant_image({9, 7, 1, Depth::f32}, missing);
    CHECK(std::isnan(whole(Local{.measure = LocalMeasure::stddev, .radius = 1}, none).at(4, 3, 0)));
    CHECK(whole(Local{.measure = LocalMeasure::entropy, .radius = 1}, none).at(4, 3, 0) == 0);
}

TEST_CASE("local: floats far from 0 that are equal have no deviation") {
    const Image image = constant_image({12, 9, 4, Depth::f32}, 1000.1);
    CHECK(whole(Local{.measure = LocalMeasure::stddev, .radius = 5}, image).at(3, 3, 1) == 0);
}

TEST_CASE("local: parameters out of range are refused") {
    const Form form{10, 10, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Local{.radius = 0}, form), Error);
    CHECK_THROWS_AS(plan(Local{.radius = 81}, form), Error);
    CHECK_THROWS_AS(plan(Local{.border = {BorderMode::constant, 1.5}}, form), Error);
}
