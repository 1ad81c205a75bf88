#include "glproc/ops/crop.hpp"

#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"
#include "support/rects.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("crop gives the pixels of the rectangle") {
    for (const Rect& rect :
         {Rect{0, 0, 61, 47}, Rect{60, 46, 1, 1}, Rect{3, 0, 5, 47}, Rect{17, 5, 33, 29}}) {
        for (const Shape& shape : all_kinds({61, 47})) {
            const Image image = random_image(shape, 7);
            check_operation(Crop{.rect = rect}, image, reference_of(cut(image, rect)));
        }
    }
}

TEST_CASE("a size lies where the gravity says") {
    const Image image = random_image({20, 11, 3, Depth::u8}, 8);
    const auto check = [&](Gravity gravity, int x, int y) {
        INFO(name_of(gravity));
        CHECK_THAT(whole(Crop{.size = PixelSize{7, 4}, .gravity = gravity}, image),
                   IsBitwise(cut(image, {x, y, 7, 4})));
    };
    check(Gravity::center, 6, 3);
    check(Gravity::north, 6, 0);
    check(Gravity::northeast, 13, 0);
    check(Gravity::east, 13, 3);
    check(Gravity::southeast, 13, 7);
    check(Gravity::south, 6, 7);
    check(Gravity::southwest, 0, 7);
    check(Gravity::west, 0, 3);
    check(Gravity::northwest, 0, 0);
}

TEST_CASE("what does not lie within the picture is refused") {
    const auto error = [](const Rect& rect) { return usage_error(Crop{.rect = rect}); }; // of 2x2
    CHECK(error({0, 0, 3, 2}) == "crop to 0,0,3,2 does not lie within an image of 2x2");
    CHECK(error({-1, 0, 1, 1}) == "crop to -1,0,1,1 does not lie within an image of 2x2");
    CHECK(error({0, 0, 0, 1}) == "crop to 0,0,0,1 does not lie within an image of 2x2");
    CHECK(error({0, 2147483647, 1, 2147483647}) ==
          "crop to 0,2147483647,1,2147483647 does not lie within an image of 2x2");
    CHECK(usage_error(Crop{.size = PixelSize{3, 1}}) == "crop to 3x1 does not lie within an image of 2x2");
    CHECK(usage_error(Crop{}) == "crop needs one of --rect, --size and --aspect");
    CHECK(usage_error(Crop{.rect = Rect{0, 0, 1, 1}, .size = PixelSize{1, 1}}) ==
          "crop needs one of --rect, --size and --aspect");
}

TEST_CASE("a part may say where it lies, as ImageMagick writes it") {
    const Image image = random_image({20, 11, 3, Depth::u8}, 9);
    const FieldContext context{"size", "pixels", {1, 1e6}};
    const PartSize part = FieldText<PartSize>::parse(context, "7x4+10+2");
    CHECK(FieldText<PartSize>::print(part) == "7x4+10+2");
    CHECK_THAT(whole(Crop{.size = part}, image), IsBitwise(cut(image, {10, 2, 7, 4})));
    for (const char* text : {"7x4+10", "7x4+10+", "7x4+-1+2", "+1+2", "7+1+2"}) {
        CHECK_THROWS_AS(FieldText<PartSize>::parse(context, text), Error);
    }
}

TEST_CASE("the largest part of an aspect") {
    const Image image = random_image({20, 11, 3, Depth::u8}, 10);
    const auto check = [&](const char* text, Gravity gravity, const Rect& rect) {
        INFO(text);
        const Aspect aspect = FieldText<Aspect>::parse({"aspect", "", {}}, text);
        CHECK_THAT(whole(Crop{.aspect = aspect, .gravity = gravity}, image), IsBitwise(cut(image, rect)));
    };
    check("1:1", Gravity::center, {4, 0, 11, 11});
    check("1", Gravity::west, {0, 0, 11, 11});
    check("4:1", Gravity::center, {0, 3, 20, 5});
    check("1:2", Gravity::east, {14, 0, 6, 11});
    check("16/9", Gravity::northwest, {0, 0, 20, 11});
    for (const char* text : {"", "0:1", "1:", ":1", "a", "1:2:3"}) {
        CHECK_THROWS_AS(FieldText<Aspect>::parse({"aspect", "", {}}, text), Error);
    }
}

TEST_CASE("a rectangle as text") {
    const FieldContext context{"rect", "pixels", {}};
    CHECK(FieldText<Rect>::parse(context, "1,2,3,4") == Rect{1, 2, 3, 4});
    CHECK(FieldText<Rect>::parse(context, "1, 2, 3, 4") == Rect{1, 2, 3, 4});
    CHECK(FieldText<Rect>::print({1, 2, 3, 4}) == "1,2,3,4");
    for (const char* text : {"", "1", "1,2,3", "1,2,3,4,5", "a,b,c,d", "1,2,3,", "1.5,2,3,4"}) {
        CHECK_THROWS_AS(FieldText<Rect>::parse(context, text), Error);
    }
}
