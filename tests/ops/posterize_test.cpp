#include "glproc/ops/posterize.hpp"

#include "support/operation_cases.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr Tolerance none{0, 0};

/// A code of a picture whose largest is `full`.
double right_code(double code, double full, int levels) {
    const int steps = levels - 1;
    return std::floor(full * std::floor(code * steps / full + 0.5) / steps + 0.5);
}

/// A product of 24 bits and 8 is exact in double precision, until it is rounded to a float.
float right_float(double v, int levels) {
    const int steps = levels - 1;
    const double scaled = static_cast<float>(std::clamp(v, 0.0, 1.0) * steps);
    return static_cast<float>(std::floor(scaled + 0.5) / steps);
}

Reference answer_to(const Image& image, int levels) {
    Reference answer = reference_of(image);
    const int colours = image.channels() - (image.has_alpha() ? 1 : 0);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < colours; ++c) {
                const double v = image.at(x, y, c);
                answer.at(x, y, c) = image.depth() == Depth::f32
                                         ? right_float(v, levels)
                                         : right_code(v, max_code(image.depth()), levels);
            }
        }
    }
    return answer;
}

} // namespace

TEST_CASE("posterize takes the nearest level of each colour and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const int levels : {2, 3, 4, 5, 255, 256}) {
                INFO(levels << " levels");
                const Image image = random_image(shape, 7, FloatRange::wide);
                check_operation(Posterize{.levels = levels}, image, answer_to(image, levels), none);
            }
        }
    }
}

TEST_CASE("posterize: every code, by every number of levels") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        Image codes(depth == Depth::u8 ? 16 : 256, depth == Depth::u8 ? 16 : 256, 1, depth);
        for (int i = 0; i <= static_cast<int>(max_code(depth)); ++i) {
            set_value(codes, i % codes.width(), i / codes.width(), 0, i / max_code(depth));
        }
        for (int levels = 2; levels <= 256; ++levels) {
            INFO(levels << " levels of " << describe(codes));
            CHECK_THAT(whole(Posterize{.levels = levels}, codes), Matches(answer_to(codes, levels), none));
        }
        CHECK_THAT(whole(Posterize{.levels = 256}, whole(Posterize{.levels = 256}, codes)),
                   IsBitwise(whole(Posterize{.levels = 256}, codes)));
    }
}

TEST_CASE("posterize: floats beside the middle of two levels, and beyond 0 and 1") {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    for (const int levels : {2, 3, 4, 5, 50, 255, 256}) {
        std::vector<float> values{-infinite, -1e30F, -1,      -0.0F, 0, 1e-30F, 1, std::nextafter(1.0F, 2.0F),
                                  7,         1e30F,  infinite};
        for (int step = 0; step < levels - 1; ++step) {
            const auto middle = static_cast<float>((step + 0.5) / (levels - 1));
            values.insert(values.end(), {std::nextafter(middle, 0.0F), middle, std::nextafter(middle, 1.0F)});
        }
        Image image(static_cast<int>(values.size()), 1, 1, Depth::f32);
        std::ranges::copy(values, image.values<float>().begin());
        INFO(levels << " levels");
        Posterize op{.levels = levels};
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            op.method = method;
            const Image made = whole(op, image);
            for (std::size_t i = 0; i < values.size(); ++i) {
                INFO(values[i]);
                CHECK(std::bit_cast<std::uint32_t>(made.values<float>()[i]) ==
                      std::bit_cast<std::uint32_t>(right_float(values[i], levels)));
            }
        }
    }
}

TEST_CASE("posterize: NaN stays, and the others beside it are as without it") {
    Image image = constant_image({5, 3, 4, Depth::f32}, 0.6);
    image.values<float>()[4] = std::numeric_limits<float>::quiet_NaN();
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image made = whole(Posterize{.levels = 3, .method = method}, image);
        CHECK(std::isnan(made.values<float>()[4]));
        CHECK(made.values<float>()[5] == 0.5F);
        CHECK(made.values<float>()[7] == 0.6F);
    }
}

TEST_CASE("posterize: numbers of levels out of range are refused") {
    CHECK_THROWS_AS(plan(Posterize{.levels = 1}, {10, 10, 3, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Posterize{.levels = 257}, {10, 10, 3, Depth::u8}), Error);
}
