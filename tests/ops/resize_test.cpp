#include "glproc/ops/resize.hpp"

#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"
#include "support/rects.hpp"
#include "support/resample_reference.hpp"

#include <string>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

Reference expected(const Resize& op, const Image& image, int width, int height) {
    return resampled(image, std::string(name_of(op.filter)), {width, 0, double(image.width())},
                     {height, 0, double(image.height())}, op.alpha == AlphaMode::premultiply, op.linear);
}

/// Between the axes 8 bits are rounded to 256ths: see tests/kinds/gather_resample_test.cpp.
constexpr Tolerance in_256ths{2e-5, 0.003};

PixelSize size_of(const Resize& op, const Form& form) {
    const Form result = plan(op, form).shape.result;
    CHECK(result.channels == form.channels);
    CHECK(result.depth == form.depth);
    return {result.width, result.height};
}

} // namespace

TEST_CASE("every format at a larger and a smaller size, whole and in tiles") {
    for (const Size& size : {Size{19, 90}, Size{90, 19}, Size{30, 23}}) {
        for (const Shape& shape : all_kinds({61, 47})) {
            const Image image = photo_like_image(shape, 7);
            const Resize op{.size = {size.width, size.height}, .filter = ResampleFilter::linear};
            const bool weighted = image.has_alpha();
            check_operation(op, image, expected(op, image, size.width, size.height),
                            shape.depth == Depth::u8 && !weighted ? in_256ths : Tolerance{});
        }
    }
}

TEST_CASE("every filter, and pictures of a pixel or a line") {
    for (const auto& row : enum_rows<ResampleFilter>) {
        for (const Size& from : {Size{1, 1}, Size{1, 37}, Size{53, 1}, Size{16, 16}}) {
            const Image image = random_image({from.width, from.height, 3, Depth::u16}, 8);
            const Resize op{.size = {30, 20}, .filter = row.value};
            INFO("filter " << row.name);
            check_operation(op, image, expected(op, image, 30, 20));
            const Resize to_pixel{.size = {1, 1}, .filter = row.value};
            CHECK_THAT(whole(to_pixel, image), Matches(expected(to_pixel, image, 1, 1)));
        }
    }
}

TEST_CASE("sizes keep the aspect where one side is given, and never vanish") {
    const Form form{2448, 1505, 3, Depth::u8};
    CHECK(size_of({.size = {800, 600}}, form) == PixelSize{800, 600});
    CHECK(size_of({.size = {800, 0}}, form) == PixelSize{800, 492});
    CHECK(size_of({.size = {0, 301}}, form) == PixelSize{490, 301});
    CHECK(size_of({.size = {.percent = 50}}, form) == PixelSize{1224, 753});
    CHECK(size_of({.size = {.percent = 0.01}}, form) == PixelSize{1, 1});
    CHECK(size_of({.size = {1, 0}}, {1000, 2, 1, Depth::u8}) == PixelSize{1, 1});
    CHECK(size_of({.size = {800, 600}, .fit = true}, form) == PixelSize{800, 492});
    CHECK(size_of({.size = {800, 300}, .fit = true}, form) == PixelSize{488, 300});
    CHECK(size_of({.size = {800, 600}, .fill = true}, form) == PixelSize{800, 600});
}

TEST_CASE("what fills the box is cut off evenly") {
    const Image image = photo_like_image({60, 40, 3, Depth::u16}, 9);
    const Image result = whole(Resize{.size = {20, 20}, .fill = true}, image);
    CHECK_THAT(result, Matches(resampled(image, "lanczos3", {20, 10, 40}, {20, 0, 40}, true, false)));
    const Image same = whole(Resize{.size = {40, 40}, .fill = true}, image);
    CHECK_THAT(same, Matches(resampled(image, "lanczos3", {40, 10, 40}, {40, 0, 40}, true, false)));
}

TEST_CASE("the same size is the same picture") {
    const Image image = random_image({33, 21, 4, Depth::f32}, 10, FloatRange::wide);
    CHECK_THAT(whole(Resize{.size = {33, 21}}, image), IsBitwise(image));
    CHECK_THAT(whole(Resize{.size = {33, 21}, .fill = true}, image), IsBitwise(image));
}

TEST_CASE("sizes that are none are refused") {
    CHECK(usage_error(Resize{.max = 0}) == "max 0 is out of range");
    CHECK(usage_error(Resize{.size = {.width = 8, .height = 8, .only_shrinks = true}, .fill = true}) ==
          "--fill and a size that only shrinks cannot be given together");
    CHECK(usage_error(Resize{}) == "resize needs a size");
    CHECK(usage_error(Resize{.size = {-1, 5}}) == "resize needs a size");
    CHECK(usage_error(Resize{.size = {2000000, 0}}) == "resize to 2000000x2000000 is out of range");
    CHECK(usage_error(Resize{.size = {800, 0}, .fit = true}) == "--fit needs a width and a height");
    CHECK(usage_error(Resize{.size = {.percent = 50}, .fill = true}) == "--fill needs a width and a height");
    CHECK(usage_error(Resize{.size = {8, 8}, .alpha = AlphaMode::ignore}) ==
          "--alpha ignore keeps alpha as it is, which resize cannot");
}

TEST_CASE("a size as text") {
    const FieldContext context{"size", "pixels", {}};
    for (const std::string text : {"800x600", "800x", "x600", "50%", "12.5%"}) {
        CHECK(FieldText<NewSize>::print(FieldText<NewSize>::parse(context, text)) == text);
    }
    for (const char* text : {"", "x", "800", "0x5", "5x0", "-1x5", "8x8x8", "%", "0%", "-5%", "nan%", "1e9%",
                             "axb", "2000000x", "1.5x2"}) {
        INFO(text);
        CHECK_THROWS_AS(FieldText<NewSize>::parse(context, text), Error);
    }
}

TEST_CASE("a size that only shrinks keeps the aspect, and smaller pictures as they are") {
    const auto result_of = [](const char* text, int width, int height) {
        const NewSize size = FieldText<NewSize>::parse({"size", "pixels", {}}, text);
        const Form form = plan(Resize{.size = size}, {width, height, 3, Depth::u8}).shape.result;
        return fmt::format("{}x{}", form.width, form.height);
    };
    CHECK(result_of("80x60>", 160, 60) == "80x30");
    CHECK(result_of("80x60>", 160, 240) == "40x60");
    CHECK(result_of("80x60>", 79, 60) == "79x60");
    CHECK(result_of("80x>", 160, 60) == "80x30");
    CHECK(result_of("x30>", 160, 60) == "80x30");
    CHECK(result_of("80x60!", 10, 10) == "80x60");
    const Image image = random_image({33, 21, 3, Depth::f32}, 4);
    CHECK_THAT(whole(Resize{.max = 33}, image), IsBitwise(image));
    const Form longest = plan(Resize{.max = 11}, {22, 33, 3, Depth::u8}).shape.result;
    CHECK((longest.width == 7 && longest.height == 11));
}

TEST_CASE("the part that stays when a box is filled lies where the gravity says") {
    const Image image = random_image({40, 10, 3, Depth::u8}, 5);
    const auto filled = [&](Gravity gravity) {
        return whole(Resize{.size = {10, 10}, .fill = true, .gravity = gravity}, image);
    };
    CHECK_THAT(filled(Gravity::west), IsBitwise(cut(image, {0, 0, 10, 10})));
    CHECK_THAT(filled(Gravity::center), IsBitwise(cut(image, {15, 0, 10, 10})));
    CHECK_THAT(filled(Gravity::southeast), IsBitwise(cut(image, {30, 0, 10, 10})));
}
