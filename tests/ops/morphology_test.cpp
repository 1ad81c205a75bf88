#include "glproc/ops/morphology.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/operation_cases.hpp"
#include "support/reference.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Whether the shape has the pixel this far from its middle.
bool is_under(const Morphology& op, int dx, int dy) {
    if (op.shape == MorphologyShape::cross) {
        return dx == 0 || dy == 0;
    }
    const double rx = std::max(op.radius.x, 1);
    const double ry = std::max(op.radius.y, 1);
    return op.shape == MorphologyShape::box || dx * dx * ry * ry + dy * dy * rx * rx <= rx * rx * ry * ry;
}

double value_beyond(const Morphology& op, const Reference& image, int channel) {
    const bool is_alpha = image.channels % 2 == 0 && channel == image.channels - 1;
    const double value = is_alpha ? 0 : op.border.value;
    return image.depth == Depth::f32 ? static_cast<float>(value)
                                     : round_to_depth(value * max_code(image.depth), image.depth);
}

bool keeps(const Morphology& op, const Reference& image, int channel) {
    const bool is_difference = op.step == MorphologyStep::gradient || op.step == MorphologyStep::tophat ||
                               op.step == MorphologyStep::blackhat;
    return (op.alpha == RankAlpha::ignore || is_difference) && image.channels % 2 == 0 &&
           channel == image.channels - 1;
}

/// Whether a colour belongs to a pixel of alpha 0, and so to none.
bool is_hidden(const Reference& image, int x, int y, int channel) {
    const int last = image.channels - 1;
    return image.channels % 2 == 0 && channel != last && image.at(x, y, last) == 0;
}

/// One erosion or dilation as it is defined; NaN is left out, and so are colours that cannot be seen.
Reference extreme(const Morphology& op, const Reference& image, bool largest) {
    Reference result = image;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            for (int c = 0; c < image.channels; ++c) {
                double best = nan;
                for (int dy = -op.radius.y; dy <= op.radius.y; ++dy) {
                    for (int dx = -op.radius.x; dx <= op.radius.x; ++dx) {
                        const int from_x = test::border_index(op.border.mode, x + dx, image.width);
                        const int from_y = test::border_index(op.border.mode, y + dy, image.height);
                        const double value = from_x < 0 || from_y < 0 ? value_beyond(op, image, c)
                                                                      : image.at(from_x, from_y, c);
                        const bool inside = from_x >= 0 && from_y >= 0;
                        if (is_under(op, dx, dy) && !std::isnan(value) && !(inside && is_hidden(image, from_x, from_y, c))) {
                            const bool is_better = largest ? value > best : value < best;
                            best = std::isnan(best) || is_better ? value : best;
                        }
                    }
                }
                result.at(x, y, c) = keeps(op, image, c) ? image.at(x, y, c) : best;
            }
        }
    }
    return result;
}

Reference less(Reference a, const Reference& b) {
    for (int y = 0; y < a.height; ++y) {
        for (int x = 0; x < a.width; ++x) {
            for (int c = 0; c < a.channels; ++c) {
                const double difference = a.at(x, y, c) - b.at(x, y, c);
                if (!(a.channels % 2 == 0 && c == a.channels - 1)) {
                    a.at(x, y, c) =
                        a.depth == Depth::f32 ? static_cast<float>(difference) : std::max(difference, 0.0);
                }
            }
        }
    }
    return a;
}

Reference expected(const Morphology& op, const Image& image) {
    const Reference source = reference_of(image);
    const auto erode = [&](const Reference& from) { return extreme(op, from, false); };
    const auto dilate = [&](const Reference& from) { return extreme(op, from, true); };
    switch (op.step) {
    case MorphologyStep::erode:
        return erode(source);
    case MorphologyStep::dilate:
        return dilate(source);
    case MorphologyStep::open:
        return dilate(erode(source));
    case MorphologyStep::close:
        return erode(dilate(source));
    case MorphologyStep::gradient:
        return less(dilate(source), erode(source));
    case MorphologyStep::tophat:
        return less(source, dilate(erode(source)));
    case MorphologyStep::blackhat:
        return less(erode(dilate(source)), source);
    case MorphologyStep::fill:
    case MorphologyStep::clear_border:
    case MorphologyStep::hitmiss:
    case MorphologyStep::reconstruct:
        break; // see morphology_objects_test.cpp
    }
    return source;
}

/// The first value that is not the answer, bit for bit but for the sign of 0; empty where there is none.
std::string problem(const Image& got, const Reference& answer) {
    for (int y = 0; y < got.height(); ++y) {
        for (int x = 0; x < got.width(); ++x) {
            for (int c = 0; c < got.channels(); ++c) {
                if (is_hidden(answer, x, y, c)) {
                    continue; // nothing says what stands there
                }
                const double value = got.at(x, y, c);
                const double right = answer.at(x, y, c);
                if (!(value == right || (std::isnan(value) && std::isnan(right)))) {
                    return fmt::format("channel {} of {},{} is {}, not {}", c, x, y, value, right);
                }
            }
        }
    }
    return {};
}

/// Runs every method that is there for it, and returns how many.
int check(Morphology op, const Image& image) {
    const Reference answer = expected(op, image);
    int ran = 0;
    for (const auto& row : enum_rows<MorphologyMethod>) {
        op.method = row.value;
        INFO(fmt::format("{} {} {} radius {},{} border {} alpha {} on {}", row.name, name_of(op.step),
                         name_of(op.shape), op.radius.x, op.radius.y, FieldText<Border>::print(op.border),
                         name_of(op.alpha), describe(image)));
        if (row.value == MorphologyMethod::flat && op.shape != MorphologyShape::box) {
            CHECK_THROWS_AS(op(gpu(), gpu().upload(image)), Error);
            continue;
        }
        if (const auto why = plan(op, image.form()).work.why_unavailable(gpu())) {
            CHECK(row.value == MorphologyMethod::direct); // whose loops are too long for some renderers
            CHECK(op.radius.x + op.radius.y > 100);
            continue;
        }
        const Image result = whole(op, image);
        REQUIRE(result.form() == image.form());
        CHECK(problem(result, answer) == "");
        ++ran;
    }
    return ran;
}

} // namespace

TEST_CASE("a bright pixel dilates into the shape, a dark one erodes into it") {
    const Image image = impulse_image({9, 9, 1, Depth::u8}, 4, 4);
    for (const auto& row : enum_rows<MorphologyMethod>) {
        const Morphology op{.radius = 2, .shape = MorphologyShape::disk, .method = row.value};
        if (row.value == MorphologyMethod::flat) {
            continue;
        }
        const Image result = whole(op, image);
        int lit = 0;
        for (const std::uint8_t value : result.values<std::uint8_t>()) {
            lit += value == 255 ? 1 : 0;
        }
        INFO("method " << row.name);
        CHECK(lit == 13); // 1 3 5 3 1
        CHECK(result.at(6, 4, 0) == 255);
        CHECK(result.at(6, 5, 0) == 0);
    }
}

TEST_CASE("every awkward size gives the extremes, also where the radius is larger than the image") {
    std::size_t next = 0;
    for (const Size& size : awkward_sizes()) {
        const Image image = random_image({size.width, size.height, 1, Depth::u8}, 61);
        for (const int radius : {1, 4}) { // with each border in turn
            const Border border = all_borders()[++next % all_borders().size()];
            CHECK(check({.step = MorphologyStep::erode, .radius = radius, .border = border}, image) == 4);
            CHECK(check({.step = MorphologyStep::dilate, .radius = radius, .border = border}, image) == 4);
        }
    }
}

TEST_CASE("every radius gives the extremes, up to the most of a pass and beyond") {
    for (const int radius : {2, 3, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17, 20, 23, 24, 25, 31, 33, 40}) {
        const MorphologyStep step = radius % 2 == 0 ? MorphologyStep::erode : MorphologyStep::dilate;
        check({.step = step, .radius = {radius, 1}, .border = BorderMode::mirror},
              random_image({150, 5, 4, Depth::u8}, 62));
        check({.step = step, .radius = {1, radius}}, random_image({3, 170, 2, Depth::u8}, 62));
        check({.step = step, .radius = {0, radius}}, random_image({2, 170, 1, Depth::u8}, 62));
    }
    for (const int radius : {100, 127, 128, 254, 300, 65535}) {
        for (const Border& border : all_borders()) {
            check({.radius = {0, radius}, .border = border, .method = MorphologyMethod::flat},
                  random_image({1, 401, 1, Depth::u8}, 63));
            check({.step = MorphologyStep::erode, .radius = {radius, 0}, .border = border},
                  random_image({301, 1, 4, Depth::u16}, 63));
        }
    }
}

TEST_CASE("every depth, number of channels and way with alpha gives the extremes") {
    for (const auto& [depth, channels, radius, alpha, step, border] :
         combinations(every_depth, std::vector{1, 2, 3, 4}, std::vector<PerAxis<int>>{1, {4, 6}, {9, 17}},
                      std::vector{RankAlpha::straight, RankAlpha::ignore},
                      std::vector{MorphologyStep::dilate, MorphologyStep::erode}, all_borders())) {
        check({.step = step, .radius = radius, .border = border, .alpha = alpha},
              random_image({37, 21, channels, depth}, 64, FloatRange::wide));
    }
}

TEST_CASE("what is turned through shared memory has the bits of what is turned from registers") {
    std::size_t next = 0;
    for (const Shape& shape : all_kinds({83, 57})) {
        const Border border = all_borders()[next++ % all_borders().size()];
        const GpuImage image = gpu().upload(random_image(shape, 5));
        for (const int radius : {4, 5, 7}) {
            const Morphology op{.radius = radius, .border = border, .alpha = RankAlpha::straight};
            const auto result = [&](TurnedStores stores) {
                return gpu().download(run_flat(gpu(), image, op, Extreme::largest, stores));
            };
            CHECK_THAT(result(TurnedStores::shared), IsBitwise(result(TurnedStores::registers)));
        }
    }
}

TEST_CASE("disks, ellipses and crosses give the extremes") {
    std::size_t next = 0;
    for (const MorphologyShape shape : {MorphologyShape::disk, MorphologyShape::cross}) {
        for (const PerAxis<int> radius : {PerAxis<int>{1}, {2}, {5}, {7, 2}, {0, 4}, {4, 0}}) {
            CHECK(check({.radius = radius,
                         .shape = shape,
                         .border = all_borders()[next++ % all_borders().size()]},
                        random_image({29, 17, 4, Depth::u8}, 65)) == 3);
            check({.step = MorphologyStep::erode, .radius = radius, .shape = shape},
                  random_image({29, 17, 1, Depth::u8}, 66));
            check({.radius = radius, .shape = shape}, random_image({13, 11, 2, Depth::u16}, 66));
            check({.radius = radius, .shape = shape},
                  random_image({13, 11, 3, Depth::f32}, 66, FloatRange::wide));
        }
    }
}

TEST_CASE("what is made of erosion and dilation") {
    std::vector<MorphologyStep> steps;
    for (const auto& step : std::span(enum_rows<MorphologyStep>).first(7)) { // those with a shape
        steps.push_back(step.value);
        check({.step = step.value, .radius = 0}, random_image({9, 8, 4, Depth::u8}, 68));
    }
    for (const auto& [step, depth, channels, shape] :
         combinations(steps, every_depth, std::vector{1, 3, 4},
                      std::vector{MorphologyShape::box, MorphologyShape::cross})) {
        const bool is_box = shape == MorphologyShape::box;
        check({.step = step,
               .radius = is_box ? PerAxis<int>(2) : PerAxis<int>(1, 3),
               .shape = shape,
               .border = is_box ? BorderMode::symmetric : BorderMode::clamp},
              random_image({23, 19, channels, depth}, 67));
    }
}

TEST_CASE("NaN counts as missing: the extremes are those of the others, and NaN only where there are none") {
    Image image = random_image({31, 23, 3, Depth::f32}, 69, FloatRange::wide);
    std::uint32_t i = 0;
    for (float& value : image.values<float>()) {
        const double draw = hash_01(70, ++i);
        value = draw < 0.5    ? std::numeric_limits<float>::quiet_NaN()
                : draw < 0.52 ? -std::numeric_limits<float>::infinity()
                : draw < 0.54 ? std::numeric_limits<float>::infinity()
                              : value;
    }
    for (const MorphologyStep step : {MorphologyStep::erode, MorphologyStep::dilate, MorphologyStep::open}) {
        check({.step = step, .radius = 1}, image);
        check({.step = step, .radius = 5}, image);
        check({.step = step, .radius = 1, .shape = MorphologyShape::cross}, image);
    }
    std::ranges::fill(image.values<float>(), -std::numeric_limits<float>::quiet_NaN());
    const Image none = whole(Morphology{.radius = 1}, image);
    CHECK(std::bit_cast<std::uint32_t>(none.values<float>()[40]) == 0x7fc00000U);
}

TEST_CASE("morphology in tiles has the same bits") {
    for (const auto& [depth, step, shape, border] :
         combinations(every_depth, std::vector{MorphologyStep::dilate, MorphologyStep::tophat},
                      std::vector{MorphologyShape::box, MorphologyShape::disk},
                      std::vector{BorderMode::clamp, BorderMode::wrap, BorderMode::constant})) {
        const Image image = random_image({70, 53, 4, depth}, 71);
        const Morphology op{.step = step, .radius = 2, .shape = shape, .border = border};
        const Image answer = whole(op, image);
        const ScopedLimits limits("texture_size:24", plenty);
        CHECK_THAT(tiled(op, image), IsBitwise(answer));
    }
}

TEST_CASE("morphology out of range is refused by name") {
    CHECK(usage_error(Morphology{.radius = -1}) == "radius -1 is out of range");
    CHECK(usage_error(Morphology{.radius = {3, 65536}}) == "radius 65536 is out of range");
    CHECK(usage_error(Morphology{.radius = 128, .shape = MorphologyShape::disk}) ==
          "radius 128 is out of range");
}
