#include "glproc/ops/pad.hpp"

#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"

#include <algorithm>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Pixel by pixel, by definition.
Reference expected(const Image& image, const Margin& margin, const Border& border) {
    Reference answer = reference_of(image);
    answer.width += margin.left + margin.right;
    answer.height += margin.top + margin.bottom;
    answer.values.clear();
    for (int y = -margin.top; y < image.height() + margin.bottom; ++y) {
        for (int x = -margin.left; x < image.width() + margin.right; ++x) {
            const int column = test::border_index(border.mode, x, image.width());
            const int row = test::border_index(border.mode, y, image.height());
            for (int c = 0; c < image.channels(); ++c) {
                const bool is_alpha = image.has_alpha() && c == image.channels() - 1;
                const double beyond =
                    (is_alpha ? border.alpha() : border.channel(c)) * max_code(image.depth());
                answer.values.push_back(column < 0 || row < 0 ? round_to_depth(beyond, image.depth())
                                                              : image.at(column, row, c));
            }
        }
    }
    return answer;
}

} // namespace

TEST_CASE("the picture lies within its margins, and every border around it") {
    for (const Border& border : all_borders()) {
        for (const Shape& shape : all_kinds({13, 15})) {
            const Image image = random_image(shape, 7);
            const Margin margin{5, 0, 22, 31};
            check_operation(Pad{.margin = margin, .border = border}, image, expected(image, margin, border));
        }
    }
    const Image image = random_image({1, 1, 4, Depth::u8}, 7);
    const Margin margin{3, 5, 2, 0};
    check_operation(Pad{.margin = margin}, image, expected(image, margin, BorderMode::constant));
}

TEST_CASE("pad: a picture larger than a texture, by any border") {
    for (const Border& border : all_borders()) {
        for (const Shape& shape : all_kinds({131, 89})) {
            const Image image = random_image(shape, 8);
            const Margin margin{150, 7, 9, 100};
            check_operation(Pad{.margin = margin, .border = border}, image, expected(image, margin, border),
                            {}, "texture_size:40");
        }
    }
}

TEST_CASE("by default what is added is black, or transparent") {
    const Image result = whole(Pad{.margin = Margin{1, 1, 1, 1}}, constant_image({2, 2, 4, Depth::u8}, 1));
    for (int c = 0; c < 4; ++c) {
        CHECK(result.at(0, 0, c) == 0);
        CHECK(result.at(1, 1, c) == 255);
        CHECK(result.at(3, 2, c) == 0);
    }
    const Border red{Colour{1, 0, 0, 1}};
    const Image opaque =
        whole(Pad{.margin = Margin{1, 0, 0, 0}, .border = red}, constant_image({1, 1, 4, Depth::u16}, 0));
    CHECK(opaque.at(0, 0, 0) == 65535);
    CHECK(opaque.at(0, 0, 1) == 0);
    CHECK(opaque.at(0, 0, 3) == 65535);
}

TEST_CASE("a size holds the picture where the gravity says") {
    const Image image = random_image({4, 3, 1, Depth::u8}, 8);
    const auto check = [&](Gravity gravity, const Margin& margin) {
        INFO(name_of(gravity));
        CHECK_THAT(whole(Pad{.size = PixelSize{9, 8}, .gravity = gravity}, image),
                   Matches(expected(image, margin, BorderMode::constant)));
    };
    check(Gravity::center, {2, 2, 3, 3});
    check(Gravity::northwest, {0, 0, 5, 5});
    check(Gravity::southeast, {5, 5, 0, 0});
    check(Gravity::north, {2, 0, 3, 5});
}

TEST_CASE("a size may be a share of the picture's own") {
    const FieldContext context{"size", "pixels", {1, 1e6}};
    const Image image = random_image({4, 3, 1, Depth::u8}, 8);
    const SizeOrShare half_more = FieldText<SizeOrShare>::parse(context, "150%");
    CHECK(FieldText<SizeOrShare>::print(half_more) == "150%x150%");
    CHECK_THAT(whole(Pad{.size = half_more, .gravity = Gravity::northwest}, image),
               Matches(expected(image, {0, 0, 2, 2}, BorderMode::constant)));
    const SizeOrShare wide = FieldText<SizeOrShare>::parse(context, "200%x100%");
    CHECK_THAT(whole(Pad{.size = wide, .gravity = Gravity::northwest}, image),
               Matches(expected(image, {0, 0, 4, 0}, BorderMode::constant)));
    CHECK(usage_error(Pad{.size = FieldText<SizeOrShare>::parse(context, "50%")}) ==
          "pad to 50%x50% would make an image of 2x2 smaller");
    for (const char* text : {"%", "0%", "10%x%", "x10%", "10%x5"}) {
        CHECK_THROWS_AS(FieldText<SizeOrShare>::parse(context, text), Error);
    }
}

TEST_CASE("margins and sizes that are none are refused") {
    CHECK(usage_error(Pad{}) == "pad needs --margin or --size, and not both");
    CHECK(usage_error(Pad{.size = PixelSize{3, 1}}) == "pad to 3x1 would make an image of 2x2 smaller");
    CHECK(usage_error(Pad{.margin = Margin{-1, 0, 0, 0}}) == "margin -1 is out of range");
    CHECK(usage_error(Pad{.margin = Margin{1048576, 0, 0, 0}}) == "pad to 1048578x2 is out of range");
}

TEST_CASE("margins as text") {
    const FieldContext context{"margin", "pixels", {0, 100}};
    const Margin all = FieldText<Margin>::parse(context, "7");
    CHECK(FieldText<Margin>::print(all) == "7,7,7,7");
    CHECK(FieldText<Margin>::print(FieldText<Margin>::parse(context, "1,2,3,4")) == "1,2,3,4");
    for (const char* text : {"", "1,2", "1,2,3", "-1", "101", "a", "1,2,3,"}) {
        CHECK_THROWS_AS(FieldText<Margin>::parse(context, text), Error);
    }
}
