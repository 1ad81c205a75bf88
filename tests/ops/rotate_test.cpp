#include "glproc/ops/rotate.hpp"

#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr double pi = 3.14159265358979323846;

double weight(ResampleFilter filter, double x) {
    const double t = std::abs(x);
    switch (filter) {
    case ResampleFilter::lanczos3:
        return t < 1e-12 ? 1 : t < 3 ? 3 * std::sin(pi * t) * std::sin(pi * t / 3) / (pi * pi * t * t) : 0;
    case ResampleFilter::cubic:
        return t < 1   ? 1.5 * t * t * t - 2.5 * t * t + 1
               : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2
                       : 0;
    case ResampleFilter::mitchell:
        return (t < 1   ? 7 * t * t * t - 12 * t * t + 16.0 / 3
                : t < 2 ? -7.0 / 3 * t * t * t + 12 * t * t - 20 * t + 32.0 / 3
                        : 0) /
               6;
    default:
        return std::max(0.0, 1 - t);
    }
}

/// The mean around a point of the source, by looking at all its pixels and three rings around it.
void add_mean(const Image& image, const Rotate& op, double sx, double sy, std::vector<double>& values) {
    const int last = image.channels() - 1;
    const bool weighted = image.has_alpha() && op.alpha == AlphaMode::premultiply;
    std::vector<double> sums(static_cast<std::size_t>(image.channels()), 0.0);
    double total_x = 0;
    for (int x = static_cast<int>(sx) - 5; x < sx + 5; ++x) {
        total_x += weight(op.filter, x + 0.5 - sx);
    }
    double total_y = 0;
    for (int y = static_cast<int>(sy) - 5; y < sy + 5; ++y) {
        total_y += weight(op.filter, y + 0.5 - sy);
        for (int x = static_cast<int>(sx) - 5; x < sx + 5; ++x) {
            const double w = weight(op.filter, x + 0.5 - sx) * weight(op.filter, y + 0.5 - sy);
            const int column = test::border_index(op.border.mode, x, image.width());
            const int row = test::border_index(op.border.mode, y, image.height());
            const auto value = [&](int c) {
                const bool is_alpha = image.has_alpha() && c == last;
                const double beyond = (is_alpha ? 0 : op.border.value) * max_code(image.depth());
                return column < 0 || row < 0 ? round_to_depth(beyond, image.depth())
                                             : image.at(column, row, c);
            };
            for (int c = 0; c <= last && w != 0; ++c) {
                sums[static_cast<std::size_t>(c)] += w * value(c) * (weighted && c < last ? value(last) : 1);
            }
        }
    }
    for (int c = 0; c <= last; ++c) {
        const double alpha = sums.back();
        const double sum = sums[static_cast<std::size_t>(c)] / (total_x * total_y);
        const bool shows = image.depth() == Depth::f32 ? alpha != 0 : alpha > 0;
        values.push_back(!weighted || c == last ? sum : shows ? sum * total_x * total_y / alpha : 0);
    }
}

Reference expected(const Image& image, const Rotate& op) {
    const Form form = plan(op, image.form()).shape.result;
    Reference answer = reference_of(image);
    answer.width = form.width;
    answer.height = form.height;
    answer.values.clear();
    const double angle = op.angle / 180 * pi;
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            const double dx = x + 0.5 - form.width / 2.0;
            const double dy = y + 0.5 - form.height / 2.0;
            add_mean(image, op, image.width() / 2.0 + std::cos(angle) * dx + std::sin(angle) * dy,
                     image.height() / 2.0 - std::sin(angle) * dx + std::cos(angle) * dy, answer.values);
        }
    }
    return answer;
}

} // namespace

TEST_CASE("a quarter turn takes the left edge to the top") {
    for (const Shape& shape : all_kinds({37, 22})) {
        const Image image = random_image(shape, 7);
        const auto turned = [&](double angle, int width, int height, const auto& from) {
            Reference answer = reference_of(image);
            answer.width = width;
            answer.height = height;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const auto [sx, sy] = from(x, y);
                    for (int c = 0; c < shape.channels; ++c) {
                        answer.at(x, y, c) = image.at(sx, sy, c);
                    }
                }
            }
            check_operation(Rotate{.angle = angle}, image, answer);
        };
        turned(90, 22, 37, [](int x, int y) { return std::pair(y, 21 - x); });
        turned(-180, 37, 22, [](int x, int y) { return std::pair(36 - x, 21 - y); });
        turned(270, 22, 37, [](int x, int y) { return std::pair(36 - y, x); });
        turned(720, 37, 22, [](int x, int y) { return std::pair(x, y); });
    }
}

TEST_CASE("four quarter turns are none, and two are a half") {
    for (const Size& size : {Size{1, 1}, Size{1, 65}, Size{130, 3}, Size{64, 64}}) {
        const Image image = random_image({size.width, size.height, 4, Depth::u8}, 8);
        const Rotate quarter{.angle = 90};
        const Image half = whole(quarter, whole(quarter, image));
        CHECK_THAT(half, IsBitwise(whole(Rotate{.angle = 180}, image)));
        CHECK_THAT(whole(quarter, whole(quarter, half)), IsBitwise(image));
        CHECK_THAT(whole(Rotate{.angle = -90}, whole(quarter, image)), IsBitwise(image));
    }
}

TEST_CASE("a quarter turn within the same size keeps the middle") {
    const Image image = random_image({9, 4, 1, Depth::u8}, 9);
    const Image turned = whole(Rotate{.angle = 90, .keep_size = true}, image);
    REQUIRE((turned.width() == 9 && turned.height() == 4));
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 9; ++x) {
            const int sx = y + 3; // of the turned picture, 4 wide and 9 high, 2 columns in and 3 rows up
            const int sy = 3 - (x - 2);
            CHECK(turned.at(x, y, 0) == (sy < 0 || sy > 3 ? 0 : image.at(sx, sy, 0)));
        }
    }
}

TEST_CASE("any angle, by filter, border and format, whole and in tiles") {
    int turn = 0;
    for (const ResampleFilter filter :
         {ResampleFilter::cubic, ResampleFilter::linear, ResampleFilter::lanczos3}) {
        for (const Shape& shape : all_kinds({15, 13})) {
            const Image image = photo_like_image(shape, 10);
            Rotate op{.angle = 360 * hash_01(5, static_cast<std::uint32_t>(turn)), .filter = filter};
            op.border = all_borders()[static_cast<std::size_t>(turn) % 5];
            op.keep_size = turn % 2 == 1;
            // Weights below 0 may leave next to no alpha, and a quotient of floats that says little.
            const bool may_divide = shape.depth != Depth::f32 || filter == ResampleFilter::linear;
            op.alpha = may_divide && turn % 4 != 0 ? AlphaMode::premultiply : AlphaMode::straight;
            INFO("angle " << op.angle << " filter " << name_of(filter) << " border "
                          << FieldText<Border>::print(op.border));
            // What a table of 2048 phases misses of a sinc.
            check_operation(op, image, expected(image, op),
                            {filter == ResampleFilter::lanczos3 ? 2e-6 : 1e-6, 0.001});
            ++turn;
        }
    }
}

TEST_CASE("16 bits over any alpha are rounded right, also where next to nothing is opaque") {
    for (const ResampleFilter filter : {ResampleFilter::linear, ResampleFilter::cubic,
                                        ResampleFilter::mitchell, ResampleFilter::lanczos3}) {
        for (const double angle : {10.0, 45.0, 33.3}) {
            for (const int channels : {2, 4}) {
                const Image image = random_image({97, 61, channels, Depth::u16}, 15);
                const Rotate op{.angle = angle, .filter = filter};
                INFO(name_of(filter) << ", " << angle << " degrees");
                check_operation(op, image, expected(image, op), {1e-9, 0}, "texture_size:32");
            }
        }
    }
}

TEST_CASE("rotate: a picture larger than a texture, by any border") {
    for (const Border& border : all_borders()) {
        for (const int channels : {1, 3, 4}) {
            const Image image = photo_like_image({131, 89, channels, Depth::u8}, 12);
            const Rotate op{.angle = 25, .filter = ResampleFilter::linear, .border = border};
            check_operation(op, image, expected(image, op), {1e-6, 0.001}, "texture_size:64");
        }
    }
}

TEST_CASE("pictures with a middle that no border reaches") {
    int turn = 0;
    for (const Form& form : {Form{700, 130, 1, Depth::u8}, Form{390, 120, 4, Depth::u8},
                             Form{230, 150, 2, Depth::u16}, Form{120, 110, 3, Depth::f32}}) {
        const Image image = photo_like_image(form, 12);
        for (const ResampleFilter filter : {ResampleFilter::cubic, ResampleFilter::linear}) {
            Rotate op{.angle = 4.0 + 9 * turn, .filter = filter};
            op.border = turn % 2 == 0 ? Border(BorderMode::constant, 0.5) : Border(BorderMode::mirror);
            // Where little is opaque, a quotient shows what 16 bits do not.
            op.alpha = form.depth == Depth::u8 ? AlphaMode::premultiply : AlphaMode::straight;
            INFO("angle " << op.angle << " filter " << name_of(filter) << " border "
                          << FieldText<Border>::print(op.border));
            check_operation(op, image, expected(image, op), {1e-6, 0.001});
            ++turn;
        }
    }
}

TEST_CASE("nearest invents no pixel") {
    const Image image = random_image({31, 17, 4, Depth::u8}, 11);
    const Rotate op{.angle = 33, .filter = ResampleFilter::nearest};
    const Image result = whole(op, image);
    const double c = std::cos(33 * pi / 180);
    const double s = std::sin(33 * pi / 180);
    int inside = 0;
    for (int y = 0; y < result.height(); ++y) {
        for (int x = 0; x < result.width(); ++x) {
            const double dx = x + 0.5 - result.width() / 2.0;
            const double dy = y + 0.5 - result.height() / 2.0;
            const int sx = static_cast<int>(std::floor(15.5 + c * dx + s * dy));
            const int sy = static_cast<int>(std::floor(8.5 - s * dx + c * dy));
            const bool within = sx >= 0 && sy >= 0 && sx < 31 && sy < 17;
            inside += within ? 1 : 0;
            for (int channel = 0; channel < 4; ++channel) {
                REQUIRE(result.at(x, y, channel) == (within ? image.at(sx, sy, channel) : 0));
            }
        }
    }
    CHECK(inside > 31 * 17 * 9 / 10);
}

TEST_CASE("the result holds the turned picture, or has its size") {
    const Form form{400, 300, 3, Depth::u8};
    const auto size = [&](const Rotate& op) {
        const Form result = plan(op, form).shape.result;
        return PixelSize{result.width, result.height};
    };
    CHECK(size({.angle = 90}) == PixelSize{300, 400});
    CHECK(size({.angle = 45}) == PixelSize{495, 495}); // 700 / sqrt(2) = 494.97
    CHECK(size({.angle = 36.86989764584402}) == PixelSize{500, 480});
    CHECK(size({.angle = 45, .keep_size = true}) == PixelSize{400, 300});
    CHECK(size({.angle = 1e-9}) == PixelSize{400, 300});
}

TEST_CASE("angles that are none are refused") {
    CHECK(usage_error(Rotate{.angle = std::nan("")}) == "angle nan is out of range");
    CHECK(usage_error(Rotate{.angle = 1e7}) == "angle 10000000 is out of range");
    CHECK(usage_error(Rotate{.angle = 10, .alpha = AlphaMode::ignore}) ==
          "--alpha ignore keeps alpha as it is, which rotate cannot");
}
