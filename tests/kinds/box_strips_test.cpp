// The box in strips, which a software renderer does not choose by itself.
#include "glproc/kinds/separable/passes.hpp"

#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

SeparableFilter filter_of(const Box& box) {
    return {.name = "box", .radius = box.radius, .border = box.border, .alpha = box.alpha};
}

bool has_lanes() {
    return gpu().device().has_subgroup && gpu().limits().subgroup_size == 32;
}

/// Runs the box with barriers, and by the device's subgroups where it has them.
void check_strips(const Box& box, const Image& image) {
    INFO(describe(box) << " on " << describe(image));
    const GpuImage src = gpu().upload(image);
    REQUIRE(can_box_in_strips(src.form(), filter_of(box)));
    for (const bool shuffle : {false, true}) {
        if (!shuffle || has_lanes()) {
            const GpuImage result = run_box_in_strips(gpu(), src, filter_of(box), shuffle);
            CHECK_THAT(gpu().download(result), Matches(expected(box, image)));
        }
    }
}

} // namespace

TEST_CASE("a box in strips gives the answer for every border but the wrapped one") {
    for (const Border& border : all_borders()) {
        for (const AlphaMode alpha : {AlphaMode::straight, AlphaMode::premultiply}) {
            const Box box{.radius = {5, 3}, .border = border, .alpha = alpha};
            if (border.mode == BorderMode::wrap) {
                CHECK_FALSE(can_box_in_strips({1, 1, 4, Depth::u8}, filter_of(box)));
                continue;
            }
            for (const Size& size : awkward_sizes()) {
                check_strips(box, random_image({size.width, size.height, 4, Depth::u8}, 41));
            }
            // Two strips and a bit, and one whose halo alone reaches beyond the image.
            for (const int width : {1027, 509, 197, 93}) {
                check_strips(box, random_image({width, 37, 4, Depth::u8}, 42));
            }
            check_strips(box, random_image({35, 67, 3, Depth::u8}, 43));
        }
    }
}

TEST_CASE("a box in strips gives transparent pixels no weight, and no colour where nothing is opaque") {
    for (const int radius : {3, 20, 70}) { // a kernel each
        Image image = random_image({301, 40, 4, Depth::u8}, 46);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const bool is_opaque = x % 97 == 5;
                image.values<std::uint8_t>()[static_cast<std::size_t>((y * image.width() + x) * 4 + 3)] =
                    is_opaque ? static_cast<std::uint8_t>(1 + (x + 31 * y) % 250) : 0;
            }
        }
        check_strips(Box{.radius = radius, .border = {BorderMode::mirror}}, image);
    }
}

TEST_CASE("a box in strips gives the answer for every radius it takes") {
    for (const auto& [x, y] : {std::pair{0, 4}, {4, 0}, {1, 1}, {15, 128}, {16, 3}, {62, 63}, {63, 128}, {64, 1},
                               {127, 128}}) {
        for (const AlphaMode alpha : {AlphaMode::straight, AlphaMode::premultiply}) {
            for (const BorderMode border : {BorderMode::clamp, BorderMode::mirror}) {
                const Box box{.radius = {x, y}, .border = border, .alpha = alpha};
                check_strips(box, random_image({531, 45, 4, Depth::u8}, 44));
                check_strips(box, random_image({7, 45, 4, Depth::u8}, 45));
            }
            check_strips(Box{.radius = {x, y}, .border = {BorderMode::constant, 1}, .alpha = alpha},
                         constant_image({531, 45, 4, Depth::u8}, 1)); // the largest sums there are
        }
    }
}

TEST_CASE("wider boxes than strips, and a kept alpha, are not for strips") {
    const auto can = [&](int x, int y, AlphaMode alpha) {
        return can_box_in_strips({4, 4, 4, Depth::u8}, filter_of(Box{.radius = {x, y}, .alpha = alpha}));
    };
    CHECK(can(127, 127, AlphaMode::straight));
    CHECK_FALSE(can(128, 127, AlphaMode::straight));
    CHECK(can(127, 128, AlphaMode::straight));
    CHECK_FALSE(can(1, 129, AlphaMode::straight));
    CHECK(can(127, 128, AlphaMode::premultiply));
    CHECK_FALSE(can(1, 1, AlphaMode::ignore));
    CHECK_FALSE(can_box_in_strips({4, 4, 4, Depth::u16}, filter_of(Box{.radius = 1})));
    CHECK_FALSE(can_box_in_strips({4, 4, 1, Depth::u8}, filter_of(Box{.radius = 1})));
}
