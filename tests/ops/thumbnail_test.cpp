#include "glproc/ops/thumbnail.hpp"

#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"
#include "support/resample_reference.hpp"

#include "glproc/ops/resize.hpp"

#include <string>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

std::string size_in(const Extent& box, int width, int height) {
    const Form result = plan(Thumbnail{.box = box}, {width, height, 3, Depth::u8}).shape.result;
    return fmt::format("{}x{}", result.width, result.height);
}

} // namespace

TEST_CASE("it fits into the box, keeps the aspect and is never enlarged") {
    CHECK(size_in({256, 256}, 2448, 1505) == "256x157");
    CHECK(size_in({256, 256}, 1505, 2448) == "157x256");
    CHECK(size_in({256, 0}, 1505, 2448) == "256x416");
    CHECK(size_in({0, 256}, 1505, 2448) == "157x256");
    CHECK(size_in({400, 300}, 1000, 1000) == "300x300");
    CHECK(size_in({256, 256}, 100, 80) == "100x80");
    CHECK(size_in({256, 256}, 256, 256) == "256x256");
    CHECK(size_in({256, 256}, 100000, 3) == "256x1");
}

TEST_CASE("it is what resize makes of the same picture") {
    for (const Shape& shape : all_kinds({61, 47})) {
        const Image image = photo_like_image(shape, 7);
        const Resize resize{.size = {20, 20}, .fit = true};
        CHECK_THAT(whole(Thumbnail{.box = {20, 20}}, image), IsBitwise(whole(resize, image)));
    }
    const Image small = random_image({19, 20, 4, Depth::u8}, 3);
    CHECK_THAT(whole(Thumbnail{.box = {20, 20}}, small), IsBitwise(small));
    // Where nothing changes the colour of transparent pixels stays, too.
    const Thumbnail by_reference{.box = {20, 20}, .method = GatherMethod::cpu};
    CHECK_THAT(whole(by_reference, small), IsBitwise(small));
}

TEST_CASE("of a fraction it has the size and the place of the whole picture") {
    // A fourth of 2450x1503, which the last column and row go beyond.
    const Fraction fraction = fraction_of({2450, 1503}, 4);
    const Image image = photo_like_image({613, 376, 3, Depth::u16}, 5);
    const Image result = whole(Thumbnail{.box = {256, 256}, .fraction = fraction}, image);
    CHECK(result.width() == 256);
    CHECK(result.height() == 157);
    CHECK_THAT(result, Matches(resampled(image, "lanczos3", {256, 0, 612.5}, {157, 0, 375.75}, true, false)));
}

TEST_CASE("boxes that are none are refused") {
    CHECK(usage_error(Thumbnail{.box = {0, 0}}) == "thumbnail needs a box to shrink into");
    CHECK(usage_error(Thumbnail{.box = {-5, 20}}) == "thumbnail needs a box to shrink into");
    CHECK(usage_error(Thumbnail{.alpha = AlphaMode::ignore}) ==
          "--alpha ignore keeps alpha as it is, which thumbnail cannot");
}

TEST_CASE("a box as text") {
    const FieldContext context{"size", "pixels", {}};
    for (const std::string text : {"256", "800x600", "800x", "x600"}) {
        CHECK(FieldText<Extent>::print(FieldText<Extent>::parse(context, text)) == text);
    }
    for (const char* text : {"", "x", "50%", "0", "0x5", "-1x5", "8x8x8", "axb", "2000000", "1.5", "256>"}) {
        INFO(text);
        CHECK_THROWS_AS(FieldText<Extent>::parse(context, text), Error);
    }
}
