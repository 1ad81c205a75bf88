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
    CHECK(error({0, 0, 3, 2}) == "crop to 0,0,3,2 does not lie within a picture of 2x2");
    CHECK(error({-1, 0, 1, 1}) == "crop to -1,0,1,1 does not lie within a picture of 2x2");
    CHECK(error({0, 0, 0, 1}) == "crop to 0,0,0,1 does not lie within a picture of 2x2");
    CHECK(error({0, 2147483647, 1, 2147483647}) ==
          "crop to 0,2147483647,1,2147483647 does not lie within a picture of 2x2");
    CHECK(usage_error(Crop{.size = PixelSize{3, 1}}) == "crop to 3x1 does not lie within a picture of 2x2");
    CHECK(usage_error(Crop{}) == "crop needs --rect or --size, and not both");
    CHECK(usage_error(Crop{.rect = Rect{0, 0, 1, 1}, .size = PixelSize{1, 1}}) ==
          "crop needs --rect or --size, and not both");
}

TEST_CASE("a rectangle as text") {
    const FieldContext context{"rect", "pixels", {}};
    CHECK(FieldText<Rect>::parse(context, "1,2,3,4") == Rect{1, 2, 3, 4});
    CHECK(FieldText<Rect>::print({1, 2, 3, 4}) == "1,2,3,4");
    for (const char* text : {"", "1", "1,2,3", "1,2,3,4,5", "a,b,c,d", "1,2,3,", "1.5,2,3,4"}) {
        CHECK_THROWS_AS(FieldText<Rect>::parse(context, text), Error);
    }
}
