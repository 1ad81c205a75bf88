#include "glproc/ops/background.hpp"

#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/morphology.hpp"
#include "support/hidden.hpp"
#include "support/operation_cases.hpp"
#include "support/reference.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr Tolerance exact{1e-9, 0};

/// The least of value + rise, or the largest of value - rise, where the rise is distance² / (2 radius) steps
/// of 1/255. All are multiplied by 510 radius, so that of codes they are whole numbers.
double extreme(const Reference& from, int radius, bool is_least, int x, int y, int c) {
    double found = is_least ? 1e30 : -1e30;
    const double full = max_code(from.depth);
    for (int v = 0; v < from.height; ++v) {
        for (int u = 0; u < from.width; ++u) {
            const auto rise = [&](int along) { return along * along; };
            if (rise(u - x) < 510 * radius && rise(v - y) < 510 * radius) {
                const double both = (rise(u - x) + rise(v - y)) * full;
                const double value = from.at(u, v, c);
                found = is_least ? std::min(found, value + both) : std::max(found, value - both);
            }
        }
    }
    return found;
}

Reference eroded(const Reference& from, int radius, bool is_least) {
    Reference result = from;
    for (int y = 0; y < from.height; ++y) {
        for (int x = 0; x < from.width; ++x) {
            for (int c = 0; c < from.channels; ++c) {
                result.at(x, y, c) = extreme(from, radius, is_least, x, y, c);
            }
        }
    }
    return result;
}

/// Opened, or closed under a light background.
Reference paraboloid(const Image& image, const Background& op) {
    const double far = image.depth() == Depth::f32 ? 1e20 : op.light ? 0 : max_code(image.depth());
    const Image seen = with_hidden(image, op.light && image.depth() == Depth::f32 ? -far : far);
    Reference values = reference_of(seen);
    for (double& value : values.values) {
        value *= 510.0 * op.radius;
    }
    values = eroded(eroded(values, op.radius, !op.light), op.radius, op.light);
    for (double& value : values.values) {
        value /= 510.0 * op.radius;
    }
    return values;
}

Reference answer_to(const Image& image, const Background& op, const Reference& around) {
    Reference answer = around;
    const Reference own = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                const double there = round_to_depth(around.at(x, y, c), image.depth());
                const double white = op.light ? max_code(image.depth()) : 0;
                const bool is_alpha = image.has_alpha() && c == image.channels() - 1;
                answer.at(x, y, c) = is_alpha ? own.at(x, y, c)
                                     : image.depth() == Depth::f32 && is_hidden(image, x, y) ? 0
                                     : op.output == BackgroundOutput::background
                                         ? around.at(x, y, c)
                                         : white + own.at(x, y, c) - there;
            }
        }
    }
    return answer;
}

void check(const Background& op, const Image& image, const std::string& limits) {
    INFO("radius " << op.radius << ", light " << op.light);
    check_operation(op, image, answer_to(image, op, paraboloid(image, op)),
                    image.depth() == Depth::f32 ? Tolerance{} : exact, limits);
}

constexpr std::array outputs{BackgroundOutput::background, BackgroundOutput::subtracted};

} // namespace

TEST_CASE("background: a paraboloid below or above every kind of picture") {
    for (const Size& size : {Size{1, 1}, Size{1, 17}, Size{19, 1}, Size{29, 23}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const bool light : {false, true}) {
                const Background op{.radius = 3, .light = light, .output = outputs[size.height % 2]};
                check(op, photo_like_image(shape), "texture_size:256");
                check(op, two_valued_image(shape), "texture_size:256");
            }
        }
    }
}

TEST_CASE("background: paraboloids in tiles that are smaller than they are") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        check({.radius = 1, .output = BackgroundOutput::background}, random_image({131, 7, 1, depth}, 4),
              "texture_size:32");
        check({.radius = 1, .light = true}, photo_like_image({7, 131, 4, depth}), "texture_size:100");
    }
}

TEST_CASE("background: the other methods are the operations of that name") {
    const Image image = photo_like_image({41, 37, 3, Depth::u8});
    for (const bool light : {false, true}) {
        const auto found = [&](BackgroundMethod by) {
            return whole(
                Background{.radius = 3, .by = by, .light = light, .output = BackgroundOutput::background},
                image);
        };
        CHECK_THAT(found(BackgroundMethod::gauss), IsBitwise(whole(Blur{.sigma = 3}, image)));
        CHECK_THAT(found(BackgroundMethod::median), IsBitwise(whole(Median{.radius = 3}, image)));
        const MorphologyStep step = light ? MorphologyStep::close : MorphologyStep::open;
        CHECK_THAT(found(BackgroundMethod::tophat),
                   IsBitwise(whole(Morphology{.step = step, .radius = 3}, image)));
    }
    for (const EnumRow<BackgroundMethod>& row : enum_rows<BackgroundMethod>) {
        for (const Shape& shape : all_kinds({23, 17})) {
            const Background op{.radius = 2, .by = row.value, .light = shape.channels % 2 == 0};
            Background around = op;
            around.output = BackgroundOutput::background;
            const Image picture = photo_like_image(shape);
            // By the processor, a mean halfway between two codes may be rounded the other way.
            const Tolerance tolerance =
                row.value == BackgroundMethod::gauss ? Tolerance{4e-3, 1} : Tolerance{};
            check_operation(op, picture, answer_to(picture, op, reference_of(whole(around, picture))),
                            tolerance, "texture_size:200");
        }
    }
}

TEST_CASE("background: a slope stays, and an object on it vanishes") {
    Image image(Form{90, 40, 1, Depth::u8});
    for (int i = 0; i < 90 * 40; ++i) {
        const int x = i % 90;
        const bool is_object = x > 40 && x < 46 && i / 90 > 17 && i / 90 < 23;
        image.values<std::uint8_t>()[static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>(x / 3 + (is_object ? 90 : 0));
    }
    const Image flat = whole(Background{.radius = 40}, image);
    CHECK(flat.at(43, 20, 0) >= 88);
    CHECK(flat.at(10, 20, 0) <= 1);
    CHECK(flat.at(80, 5, 0) <= 1);
}

TEST_CASE("background: parameters out of range are refused") {
    const Form form{10, 10, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Background{.radius = 0}, form), Error);
    CHECK_THROWS_AS(plan(Background{.radius = 501}, form), Error);
    CHECK_THROWS_AS(plan(Background{.radius = 128, .by = BackgroundMethod::median}, form), Error);
}
