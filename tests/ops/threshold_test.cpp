#include "glproc/ops/threshold.hpp"

#include "support/operation_cases.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

double luma(const std::array<double, 4>& v) {
    // Grey is its own luma.
    return v[0] == v[1] && v[1] == v[2] ? v[0] : (2126 * v[0] + 7152 * v[1] + 722 * v[2]) / 10000;
}

std::array<double, 4> black_or_white(bool is_white, double alpha) {
    const double value = is_white ? 1 : 0;
    return {value, value, value, alpha};
}

} // namespace

TEST_CASE("threshold is 1 where luma is above, else 0, and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const double at : {-0.25, 0.0, 0.3, 0.5, 1.0, 1.5}) {
                const Image image = random_image(shape, 21, FloatRange::wide);
                // Beside the threshold floats decide by their own rounding; noise never comes so near.
                const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                    return black_or_white(luma(v) > (shape.depth == Depth::f32 ? double(float(at)) : at),
                                          v[3]);
                });
                check_operation(Threshold{.at = at}, image, answer);
            }
        }
    }
}

TEST_CASE("threshold compares every code of integers exactly") {
    for (const int code : {0, 1, 51, 127, 128, 254, 255}) {
        Image image(256, 1, 1, Depth::u8);
        for (int i = 0; i < 256; ++i) {
            image.values<std::uint8_t>()[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
        }
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            const Image result = whole(Threshold{.at = code / 255.0, .method = method}, image);
            for (int i = 0; i < 256; ++i) {
                INFO("code " << i << " at " << code);
                CHECK(result.at(i, 0, 0) == (i > code ? 255 : 0));
            }
        }
    }
}

TEST_CASE("threshold compares the luma of 16-bit colours exactly") {
    // 7152 parts of 10000 of the largest code are one unit of luma above or at the threshold.
    Image image(3, 1, 3, Depth::u16);
    const std::array<std::uint16_t, 9> codes{40000, 40000, 40000, 40000, 40001, 40000, 40000, 39999, 40000};
    std::copy(codes.begin(), codes.end(), image.values<std::uint16_t>().begin());
    const Image result = whole(Threshold{.at = 40000.0 / 65535}, image);
    CHECK(result.at(0, 0, 0) == 0);
    CHECK(result.at(1, 0, 1) == 65535);
    CHECK(result.at(2, 0, 2) == 0);
}

TEST_CASE("threshold of floats that are no numbers or endless") {
    Image image(3, 1, 1, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 3> values{std::nanf(""), inf, -inf};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image result = whole(Threshold{.at = 0, .method = method}, image);
        CHECK(result.at(0, 0, 0) == 0);
        CHECK(result.at(1, 0, 0) == 1);
        CHECK(result.at(2, 0, 0) == 0);
    }
}

namespace {

/// Pictures that any language can make: the thresholds below are those of OpenCV 4.6.
Image made_image(int kind) {
    Image image(97, 61, 1, Depth::u8);
    for (int y = 0; y < 61; ++y) {
        for (int x = 0; x < 97; ++x) {
            const std::array<int, 4> values{
                (x * 7 + y * 13 + (x * y) % 29 * 5) % 256,
                40 + (x * x + 3 * y) % 31 + ((x / 8 + y / 8) % 3 == 0 ? 120 + (x * y) % 17 : 0),
                200 - (x * y) % 23 - ((x + 2 * y) % 11 == 0 ? (x * 5 + y) % 150 : 0),
                (x + y) % 7 == 0 ? (x * 3) % 256 : 12,
            };
            set_value(image, x, y, 0, values[static_cast<std::size_t>(kind)] / 255.0);
        }
    }
    return image;
}

/// The same codes twice as deep, or as floats: each code v becomes the value v / 255.
Image in_depth(const Image& image, Depth depth, int channels) {
    Image result(image.width(), image.height(), channels, depth);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < channels; ++c) {
                set_value(result, x, y, c, image.at(x, y, 0) / 255.0);
            }
        }
    }
    return result;
}

/// Which share of the pixels of the first channel is white, by code of the source.
void check_split(const Threshold& op, const Image& codes, const Image& image, int last_black) {
    const Image result = whole(op, image);
    std::size_t wrong = 0;
    for (int y = 0; y < codes.height(); ++y) {
        for (int x = 0; x < codes.width(); ++x) {
            wrong += (result.at(x, y, 0) == max_code(image.depth())) != (codes.at(x, y, 0) > last_black);
        }
    }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("threshold finds what OpenCV finds") {
    struct Found {
        int otsu, triangle, mean;
    };
    const std::array<Found, 4> found{{{127, 63, 127}, {70, 72, 97}, {140, 176, 183}, {93, 14, 26}}};
    for (int kind = 0; kind < 4; ++kind) {
        const Image codes = made_image(kind);
        const Found& right = found[static_cast<std::size_t>(kind)];
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            INFO("picture " << kind << " method " << name_of(method));
            check_split({.rule = SplitRule::otsu, .method = method}, codes, codes, right.otsu);
            check_split({.rule = SplitRule::triangle, .method = method}, codes, codes, right.triangle);
            check_split({.rule = SplitRule::mean, .method = method}, codes, codes, right.mean);
        }
    }
}

TEST_CASE("threshold splits deeper pictures where it splits those of 8 bits, and colours by luma") {
    for (int kind = 0; kind < 4; ++kind) {
        const Image codes = made_image(kind);
        const std::array<int, 4> otsu{127, 70, 140, 93};
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (const int channels : {1, 3}) {
                INFO("picture " << kind << " with " << channels << " channels, " << static_cast<int>(depth)
                                << " bits");
                check_split({.rule = SplitRule::otsu}, codes, in_depth(codes, depth, channels),
                            otsu[static_cast<std::size_t>(kind)]);
            }
        }
    }
}

TEST_CASE("threshold by a rule is the same by every method, whole and in tiles") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const auto& row : enum_rows<SplitRule>) {
                const Image image = random_image(shape, 22, FloatRange::wide);
                INFO(row.name);
                const Image on_cpu = whole(Threshold{.rule = row.value, .method = PointMethod::cpu}, image);
                const auto answer =
                    point_reference(on_cpu, shape.channels, shape.depth, [](const auto& v) { return v; });
                check_operation(Threshold{.rule = row.value}, image, answer);
            }
        }
    }
}

TEST_CASE("threshold by a rule of a picture of one value") {
    for (const double value : {0.0, 0.5, 1.0}) {
        const Image image = constant_image({7, 5, 1, Depth::u8}, value);
        CHECK(whole(Threshold{.rule = SplitRule::mean}, image).at(3, 3, 0) == 0); // nothing is above the mean
    }
    const Image none = constant_image({7, 5, 1, Depth::f32}, std::nan(""));
    for (const auto& row : enum_rows<SplitRule>) {
        CHECK(whole(Threshold{.rule = row.value}, none).at(3, 3, 0) == 0);
    }
}
