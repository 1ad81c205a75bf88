#include "glproc/ops/trim.hpp"

#include "glproc/files/memory_rows.hpp"
#include "glproc/kinds/chain.hpp"
#include "glproc/ops/invert.hpp"
#include "glproc/ops/resize.hpp"
#include "support/operation_cases.hpp"
#include "support/rects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Pixel = std::array<double, 4>;

/// In parts of full scale, alpha where there is any.
Pixel pixel_at(const Image& image, int x, int y) {
    Pixel pixel{};
    for (int c = 0; c < image.channels(); ++c) {
        pixel[static_cast<std::size_t>(c)] = image.at(x, y, c) / max_code(image.depth());
    }
    return pixel;
}

void put_pixel(Image& image, int x, int y, const Pixel& pixel) {
    for (int c = 0; c < image.channels(); ++c) {
        set_value(image, x, y, c, pixel[static_cast<std::size_t>(c)]);
    }
}

bool is_border(const Image& image, const Pixel& pixel, const Pixel& border, double tolerance) {
    const auto last = static_cast<std::size_t>(image.channels() - 1);
    const bool alpha = image.has_alpha();
    for (std::size_t c = 0; c <= last; ++c) {
        const double seen = alpha && c < last ? pixel[c] * pixel[last] : pixel[c];
        const double there = alpha && c < last ? border[c] * border[last] : border[c];
        if (!(std::abs(seen - there) <= tolerance + 1e-9)) {
            return false;
        }
    }
    return true;
}

/// Pixel by pixel.
std::optional<Rect> expected_box(const Image& image, const Pixel& border, double tolerance) {
    const double full = max_code(image.depth());
    tolerance = image.depth() == Depth::f32 ? tolerance : std::floor(tolerance * full + 1e-6) / full; // whole codes
    int left = image.width();
    int top = image.height();
    int right = 0;
    int bottom = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (!is_border(image, pixel_at(image, x, y), border, tolerance)) {
                left = std::min(left, x);
                right = std::max(right, x + 1);
                top = std::min(top, y);
                bottom = std::max(bottom, y + 1);
            }
        }
    }
    return right == 0 ? std::nullopt : std::optional(Rect{left, top, right - left, bottom - top});
}

/// By each method, by the processor alone, and in bands.
void check_trim(Trim op, const Image& image, const Rect& kept) {
    INFO(describe(image));
    const Image answer = cut(image, kept);
    for (const GatherMethod method : {GatherMethod::automatic, GatherMethod::gpu, GatherMethod::cpu}) {
        op.method = method;
        INFO(name_of(method));
        CHECK_THAT(whole(op, image), IsBitwise(answer));
    }
    op.method = GatherMethod::automatic;
    const Plan planned = plan(op, image.form());
    const Plan alone = planned.look.alone(rows_of(image));
    ImageRows by_processor(alone.shape.result);
    alone.twin.run(*rows_of(image).open(), by_processor);
    by_processor.finish();
    CHECK_THAT(by_processor.image(), IsBitwise(answer));
    const ScopedLimits small("texture_size:16", plenty);
    const RowSource source = rows_of(image);
    const Plan sized = settled(gpu(), planned, &source);
    ImageRows rows(sized.shape.result);
    run_rows(gpu(), sized, source, rows);
    rows.finish();
    CHECK_THAT(rows.image(), IsBitwise(answer));
}

/// Noise within a border that varies by `spread`.
Image framed(const Shape& shape, const Rect& part, const Pixel& border, double spread = 0) {
    Image image = random_image(shape, 11);
    const Image noise = random_image(shape, 12);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const bool inside = x >= part.x && y >= part.y && x < part.right() && y < part.bottom();
            Pixel pixel = border;
            for (int c = 0; c < image.channels(); ++c) {
                const double step = std::round(spread * pixel_at(noise, x, y)[static_cast<std::size_t>(c)] * 255) / 255;
                pixel[static_cast<std::size_t>(c)] += x + y == 0 ? 0 : step;
            }
            if (!inside) {
                put_pixel(image, x, y, pixel);
            }
        }
    }
    for (const int x : {part.x, part.right() - 1}) { // its corners are surely no border
        for (const int y : {part.y, part.bottom() - 1}) {
            put_pixel(image, x, y, {1, 1, 1, 1});
        }
    }
    return image;
}

} // namespace

TEST_CASE("trim finds what is unlike the border, in every kind of image") {
    for (const Rect& part : {Rect{7, 5, 41, 30}, Rect{1, 1, 1, 1}, Rect{0, 20, 61, 1}, Rect{60, 46, 1, 1}, Rect{30, 0, 3, 47}}) {
        for (const Shape& shape : all_kinds({61, 47})) {
            const Image image = framed(shape, part, {0.2, 0.4, 0.2, 0.6}, 0.1);
            const Pixel corner = pixel_at(image, 0, 0);
            for (const double tolerance : {0.0, 0.04, 0.12, 0.3}) {
                INFO("tolerance " << tolerance);
                check_trim({.tolerance = tolerance}, image, expected_box(image, corner, tolerance).value());
            }
            CHECK(expected_box(image, corner, 0.12) == part);
        }
    }
}

TEST_CASE("trim: the border has a colour that is named") {
    for (const Shape& shape : all_kinds({40, 33})) {
        const Colour grey{0.2, 0.2, 0.2, shape.channels % 2 == 0 ? 0.6 : 1};
        Image image = framed(shape, {3, 4, 20, 9}, {0.2, 0.2, 0.2, 0.6});
        if (shape.channels == 2) {
            image = framed(shape, {3, 4, 20, 9}, {0.2, 0.6, 0, 0});
        }
        check_trim({.background = {grey}}, image, {3, 4, 20, 9});
        check_trim({.background = {Colour{0.9, 0.9, 0.9, 1}}}, image, whole_of(image.form()));
    }
    // A colour that the image cannot have is nowhere.
    const Image image = random_image({5, 4, 1, Depth::u8}, 3);
    check_trim({.tolerance = 1, .background = {Colour{1, 0, 0, 1}}}, image, whole_of(image.form()));
    check_trim({.tolerance = 1, .background = {Colour{0, 0, 0, 0}}}, image, whole_of(image.form()));
}

TEST_CASE("trim: what is transparent has no colour") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        Image image = random_image({30, 20, 4, depth}, 5);
        for (int y = 0; y < 20; ++y) {
            for (int x = 0; x < 30; ++x) {
                const bool inside = x >= 4 && x < 25 && y >= 3 && y < 6;
                set_value(image, x, y, 3, inside ? 1 : 0);
            }
        }
        put_pixel(image, 4, 3, {1, 1, 1, 1});
        check_trim({}, image, {4, 3, 21, 3});
        check_trim({.background = {Colour{0, 0, 0, 0}}}, image, {4, 3, 21, 3});
    }
}

TEST_CASE("trim: black is no border where it is less transparent") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        Image image(20, 10, 2, depth);
        put_pixel(image, 7, 4, {0, 0.2, 0, 0});
        check_trim({}, image, {7, 4, 1, 1});
        check_trim({.tolerance = 0.1}, image, {7, 4, 1, 1});
    }
}

TEST_CASE("trim leaves a margin, as far as there is any") {
    const Image image = framed({40, 33, 3, Depth::u8}, {3, 4, 20, 9}, {0.2, 0.4, 0.6, 1});
    check_trim({.margin = 2}, image, {1, 2, 24, 13});
    check_trim({.margin = 4}, image, {0, 0, 27, 17});
    check_trim({.margin = 1048576}, image, {0, 0, 40, 33});
}

TEST_CASE("trim: a tolerance in codes is exact") {
    Image image(9, 7, 1, Depth::u8);
    set_value(image, 4, 3, 0, 11.0 / 255);
    set_value(image, 2, 2, 0, 10.0 / 255);
    check_trim({.tolerance = Level(10.0 / 255, true)}, image, {4, 3, 1, 1});
    check_trim({.tolerance = Level(9.0 / 255, true)}, image, {2, 2, 3, 2});
}

TEST_CASE("trim: values that are no numbers are no border") {
    Image image(17, 9, 3, Depth::f32);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    image.values<float>()[(2 * 17 + 5) * 3 + 1] = nan;
    image.values<float>()[(4 * 17 + 9) * 3 + 2] = infinity;
    check_trim({.tolerance = Level(1e30, true)}, image, {5, 2, 5, 3});
    std::fill(image.values<float>().begin(), image.values<float>().end(), infinity);
    image.values<float>()[(2 * 17 + 5) * 3 + 1] = 0;
    check_trim({}, image, {5, 2, 1, 1});
    image.values<float>()[0] = nan; // which is not even like itself
    check_trim({}, image, whole_of(image.form()));
}

TEST_CASE("trim: large images, and rows that end within texels") {
    for (const int width : {1, 2, 1023, 1025}) {
        Image image(width, 700, 1, Depth::u8);
        set_value(image, width / 2, 350, 0, 1);
        set_value(image, width - 1, 600, 0, 1);
        check_trim({}, image, {width / 2, 350, width - width / 2, 251});
    }
    for (const int y : {0, 1, 30, 31, 32, 33, 63, 64, 99}) { // the first and the last rows of strips
        Image image(5, 100, 1, Depth::u8);
        set_value(image, 3, y, 0, 1);
        set_value(image, 0, 0, 0, 0);
        check_trim({}, image, {3, y, 1, 1});
    }
}

TEST_CASE("trim: an image of border alone is an error") {
    const Image image(20, 10, 3, Depth::u8);
    CHECK_THROWS_WITH(whole(Trim{}, image), "trim: all of the image is border, so nothing would be left");
    CHECK_THROWS_AS(plan(Trim{}, image.form()).look.alone(rows_of(image)), Error);
    CHECK_THROWS_AS(plan(Trim{.tolerance = 20}, image.form()), Error);
    CHECK_THROWS_AS(plan(Trim{.margin = -1}, image.form()), Error);
}

TEST_CASE("a chain goes on with the size that trim finds") {
    const Image image = framed({61, 47, 4, Depth::u8}, {7, 5, 41, 30}, {0.2, 0.4, 0.6, 1});
    const Image cut_out = cut(image, {7, 5, 41, 30});
    const Resize half{.size = {.percent = 50}};
    const Image answer = whole(half, whole(Trim{}, whole(Invert{}, image)));
    CHECK(answer.width() == 21);
    for (const Chain& chain : {Chain{Invert{}, Trim{}, half}, Chain{Trim{}, Invert{}, half}, Chain{Trim{}, Invert{}, Trim{}, half}}) {
        CHECK_THAT(gpu().download(chain(gpu(), gpu().upload(image))), IsBitwise(answer));
        const ScopedLimits small("texture_size:16", plenty);
        const RowSource source = rows_of(image);
        const Plan sized = settled(gpu(), plan(chain, image.form()), &source);
        ImageRows rows(sized.shape.result);
        run_rows(gpu(), sized, source, rows);
        rows.finish();
        CHECK_THAT(rows.image(), IsBitwise(answer));
    }
    CHECK_THROWS_AS(form_for_all(plan(Chain{Trim{}, Invert{}}, image.form())), Error);
}
