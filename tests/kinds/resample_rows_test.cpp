// Pictures of another size by the processor alone have the bits that the kernels give.
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/twins.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/resize.hpp"

#include <algorithm>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Takes rows in parts, as decoders give them.
Image by_processor(const Resize& op, const Image& image) {
    const Plan plan = glproc::plan(op, image.form());
    REQUIRE(plan.twin.run);
    ImageRows rows(plan.shape.result);
    plan.twin.run(*rows_of(image).open(), rows);
    rows.finish();
    return std::move(rows.image());
}

void check_same_bits(const Resize& op, const Image& image) {
    INFO(fmt::format("{}x{} of {} channels, {} bits, to {}x{} by {}", image.width(), image.height(), image.channels(),
                     static_cast<int>(image.depth()), op.size.width, op.size.height, name_of(op.filter)));
    CHECK_THAT(by_processor(op, image), IsBitwise(whole(op, image)));
}

} // namespace

TEST_CASE("every filter, depth and number of channels, smaller and larger") {
    for (const auto& row : enum_rows<ResampleFilter>) {
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            for (const int channels : {1, 2, 3, 4}) {
                const Image image = random_image({61, 47, channels, depth}, channels + 10);
                for (const Size& size : {Size{20, 13}, Size{35, 27}, Size{150, 101}, Size{20, 90}, Size{90, 20}, Size{61, 20}, Size{20, 47}, Size{61, 47}}) {
                    check_same_bits({.size = {size.width, size.height}, .filter = row.value, .alpha = AlphaMode::straight},
                                    image);
                }
            }
        }
    }
}

TEST_CASE("lines, single pixels, and pictures of several batches of rows") {
    for (const Size& from : {Size{1, 1}, Size{1, 37}, Size{53, 1}, Size{2, 2}, Size{700, 999}, Size{9, 5000}}) {
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            const Image image = photo_like_image({from.width, from.height, 3, depth}, 8);
            for (const Size& size : {Size{1, 1}, Size{30, 20}, Size{97, 701}, Size{from.width, 3}, Size{3, from.height}}) {
                check_same_bits({.size = {size.width, size.height}}, image);
            }
        }
    }
}

TEST_CASE("parts of a picture that fill a box") {
    const Image image = photo_like_image({161, 87, 3, Depth::u8}, 9);
    check_same_bits({.size = {20, 20}, .fill = true}, image);
    check_same_bits({.size = {64, 31}, .fill = true, .gravity = Gravity::southeast}, image);
}

TEST_CASE("values mixed by alpha, light and floats, smaller and larger") {
    std::vector<ResampleFilter> filters;
    for (const auto& row : enum_rows<ResampleFilter>) {
        filters.push_back(row.value);
    }
    const std::vector<Size> sizes{{20, 13}, {150, 101}, {20, 90}, {90, 20}, {61, 20}, {20, 47}, {5, 3}, {61, 47}};
    for (const auto& [filter, depth, channels, alpha, linear, size, content] :
         combinations(filters, every_depth, std::vector{1, 2, 3, 4}, std::vector{AlphaMode::premultiply, AlphaMode::straight}, std::vector{false, true}, sizes, every_content)) {
        const Image image = picture_of({61, 47, channels, depth}, content, 5);
        const Resize op{.size = {size.width, size.height}, .filter = filter, .linear = linear, .alpha = alpha};
        INFO(describe(image) << " to " << size.width << "x" << size.height << " by " << name_of(filter) << " " << name_of(alpha) << (linear ? " linear" : ""));
        CHECK(difference_of_machines(plan(op, image.form()), image) == "");
    }
}

TEST_CASE("the processor resizes where no kernel is named") {
    const auto alone = [](const Resize& op) { return needs_no_device(plan(op, {61, 47, 4, Depth::f32})); };
    CHECK(alone({.size = {20, 20}}));
    CHECK(alone({.size = {20, 20}, .method = GatherMethod::cpu}));
    CHECK_FALSE(alone({.size = {20, 20}, .method = GatherMethod::gpu}));
}
