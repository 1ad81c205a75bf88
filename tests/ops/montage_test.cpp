#include "glproc/ops/montage.hpp"

#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/draw.hpp"
#include "support/joined.hpp"

#include <array>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Montage with(const std::vector<Image>& images, Montage op = {}) {
    for (std::size_t i = 1; i < images.size(); ++i) {
        op.more.push_back(rows_of(images[i]));
    }
    return op;
}

/// Red, green, blue and alpha from 0 to 1 of a pixel.
std::array<double, 4> pixel_of(const Image& image, int x, int y) {
    const double full = max_code(image.depth());
    const bool grey = image.channels() < 3;
    return {image.at(x, y, 0) / full, image.at(x, y, grey ? 0 : 1) / full, image.at(x, y, grey ? 0 : 2) / full,
            image.has_alpha() ? image.at(x, y, image.channels() - 1) / full : 1.0};
}

void put_pixel(Image& image, int x, int y, const std::array<double, 4>& pixel) {
    for (int c = 0; c < image.channels(); ++c) {
        const bool is_alpha = image.has_alpha() && c == image.channels() - 1;
        set_value(image, x, y, c, pixel[is_alpha ? 3 : static_cast<std::size_t>(c)]);
    }
}

void copy_to(Image& sheet, const Image& image, int left, int top) {
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            put_pixel(sheet, left + x, top + y, pixel_of(image, x, y));
        }
    }
}

/// Image by image, each by the operations that users know; `labels` are what is written.
Image expected(const std::vector<Image>& images, const Montage& op, const Form& form, int columns,
               const std::vector<std::string>& labels = {}) {
    Image sheet(form);
    const std::array<double, 4> background{op.background.red, op.background.green, op.background.blue, op.background.alpha};
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            put_pixel(sheet, x, y, background);
        }
    }
    const int label_height = labels.empty() ? 0 : static_cast<int>(1.5 * op.size);
    for (std::size_t i = 0; i < images.size(); ++i) {
        const Plan fit = plan(Resize{.size = op.cell, .fit = !op.cell.only_shrinks}, images[i].form());
        const Image small = fit.twin.run
                                ? whole(Resize{.size = op.cell, .fit = !op.cell.only_shrinks}, images[i])
                                : image_by_processor(fit, images[i]);
        const int column = static_cast<int>(i) % columns;
        const int row = static_cast<int>(i) / columns;
        const int left = op.gap + column * (op.cell.width + op.gap);
        const int top = op.gap + row * (op.cell.height + label_height + op.gap);
        copy_to(sheet, small, left + (op.cell.width - small.width()) / 2, top + (op.cell.height - small.height()) / 2);
        if (!labels.empty()) {
            Image strip(op.cell.width, label_height, form.channels, form.depth);
            for (int y = 0; y < strip.height(); ++y) {
                for (int x = 0; x < strip.width(); ++x) {
                    put_pixel(strip, x, y, background);
                }
            }
            Draw draw;
            draw.text = labels[i];
            draw.size = op.size;
            draw.color = *op.color;
            draw.gravity = Gravity::center;
            draw.margin = 0;
            copy_to(sheet, labels[i].empty() ? strip : whole(draw, strip), left, top + op.cell.height);
        }
    }
    return sheet;
}

void check_sheet(const std::vector<Image>& images, const Montage& op, const Image& answer) {
    check_joined(op, images.front(), answer);
}

} // namespace

TEST_CASE("montage puts fitted images into cells, bit for bit") {
    for (const Shape& shape : all_kinds({67, 23})) {
        std::vector<Image> images;
        for (const Size& size : {Size{67, 23}, Size{1, 1}, Size{13, 41}, Size{40, 30}, Size{500, 300}}) {
            images.push_back(random_image({size.width, size.height, shape.channels, shape.depth},
                                          static_cast<std::uint32_t>(images.size() + 1)));
        }
        for (const bool only_shrinks : {false, true}) {
            const Montage op = with(images, {.tile = {.columns = 3},
                                             .cell = {.width = 40, .height = 30, .only_shrinks = only_shrinks},
                                             .gap = 5});
            const Image answer = expected(images, op, {3 * 45 + 5, 2 * 35 + 5, shape.channels, shape.depth}, 3);
            check_sheet(images, op, answer);
            const NewSize share{.percent = 60, .percent_y = 130, .only_shrinks = only_shrinks}; // of 67x23
            check_sheet(images, with(images, {.tile = {.columns = 3}, .cell = share, .gap = 5}), answer);
        }
    }
}

TEST_CASE("montage: images of other depths and channels") {
    const std::vector<Image> images = {random_image({40, 30, 1, Depth::u8}, 1), random_image({40, 30, 3, Depth::u8}, 2),
                                       random_image({40, 30, 2, Depth::u16}, 3)};
    const Montage op = with(images, {.tile = {.columns = 2}, .cell = {.width = 40, .height = 30}, .gap = 0, .background = {0.2, 0.4, 0.6, 0.6}});
    check_sheet(images, op, expected(images, op, {80, 60, 4, Depth::u16}, 2));
}

TEST_CASE("montage writes labels as draw does") {
    const std::vector<Image> images(3, random_image({64, 48, 3, Depth::u8}, 4));
    Montage op = with(images, {.tile = {.columns = 3}, .cell = {.width = 100, .height = 48}, .label = "{stem}: {name}", .size = 10, .color = Colour{1, 0, 0, 1}});
    op.files = {{.path = "a/one.png"}, {.path = "b.x"}, {.path = "long-name-of-a-file-that-has-no-room-here.jpeg"}};
    const Plan planned = plan(op, images.front().form());
    const Image answer = expected(images, op, planned.shape.result, 3, {"one: one.png", "b: b.x", ""});
    const Image got = whole(op, images.front());
    REQUIRE(got.form() == answer.form());
    int differing = 0;
    int long_label = 0;
    for (int y = 0; y < got.height(); ++y) {
        for (int x = 0; x < got.width(); ++x) {
            const bool differs = pixel_of(got, x, y) != pixel_of(answer, x, y);
            differing += differs && x < 2 * 110 + 10 ? 1 : 0;
            long_label += differs && x >= 2 * 110 + 10 && x < 3 * 110 ? 1 : 0;
        }
    }
    CHECK(differing == 0);
    CHECK(long_label > 20); // shortened, so it lies within its cell
    op.files.back().path = "x";
    op.files.front().path = "{}\\n.png"; // a name of a file is no pattern
    CHECK_NOTHROW(whole(op, images.front()));
}

TEST_CASE("montage: columns and rows") {
    const Image image = random_image({4, 4, 1, Depth::u8});
    const auto size_of = [&](SheetTile tile, std::size_t count) {
        const Form form = plan(with(std::vector<Image>(count, image),
                                    {.tile = tile, .cell = {.width = 10, .height = 10}, .gap = 0}),
                               image.form())
                              .shape.result;
        return std::array{form.width / 10, form.height / 10};
    };
    CHECK(size_of({}, 1) == std::array{1, 1});
    CHECK(size_of({}, 5) == std::array{3, 2});
    CHECK(size_of({.columns = 5}, 11) == std::array{5, 3});
    CHECK(size_of({.rows = 2}, 11) == std::array{6, 2});
    CHECK(size_of({.columns = 4, .rows = 4}, 11) == std::array{4, 4});
    CHECK_THROWS_WITH(size_of({.columns = 2, .rows = 2}, 5), "montage: 2x2 has 4 cells, but there are 5 images");
    const FieldContext context{"tile", "", {}};
    CHECK(FieldText<SheetTile>::print(FieldText<SheetTile>::parse(context, "5x")) == "5x");
    CHECK(FieldText<SheetTile>::print(FieldText<SheetTile>::parse(context, "x4")) == "x4");
    for (const char* text : {"", "x", "5", "0x1", "5x4x3", "ax"}) {
        CHECK_THROWS_AS(FieldText<SheetTile>::parse(context, text), Error);
    }
}

TEST_CASE("montage: what cannot be is refused") {
    const Image image = random_image({4, 4, 1, Depth::u8});
    const std::vector<Image> two(2, image);
    CHECK_THROWS_AS(plan(with(two, {.gap = -1}), image.form()), Error);
    CHECK_THROWS_AS(plan(with(two, {.cell = {.width = 50}}), image.form()), Error);
    const Montage wide{.tile = {.columns = 50}, .cell = {.width = 1048576, .height = 10}};
    CHECK_THROWS_AS(plan(with(std::vector<Image>(50, image), wide), image.form()), Error);
    CHECK_THROWS_AS(plan(with(two, {.label = "{what}"}), image.form()), Error);
    CHECK_THROWS_AS(plan(with(two, {.label = "{stem}"}), image.form()), Error); // there is no file
}
