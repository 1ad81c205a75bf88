// What every separable filter must do: blur and box run through the same tests.
#include "glproc/kinds/separable/separable.hpp"

#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array all_depths{Depth::u8, Depth::u16, Depth::f32};

} // namespace

TEMPLATE_TEST_CASE("every awkward size gives the answer, also where the radius is larger than the image", "",
                   Blur, Box) {
    Tally tally;
    std::size_t next = 0;
    for (const Size& size : awkward_sizes()) {
        const Image image = random_image({size.width, size.height, 1, Depth::u8}, 5);
        for (const Border& border : all_borders()) {
            for (const int reach : {2, 70}) {
                auto filter = with_reach<TestType>(reach, reach);
                filter.border = border;
                tally += check_methods(filter, image);
            }
        }
        auto tiles_larger_than_images = with_reach<TestType>(9, 9);
        tiles_larger_than_images.border = all_borders()[next++ % all_borders().size()];
        tally += check_methods(tiles_larger_than_images, image);
    }
    CHECK(tally.ran >= static_cast<int>(awkward_sizes().size()) * (5 * (3 + 2) + 2));
}

TEMPLATE_TEST_CASE("images one pixel smaller and larger than tiles give the answer", "", Blur, Box) {
    auto filter = with_reach<TestType>(3, 2);
    filter.border = BorderMode::wrap;
    for (const auto& [channels, depth] :
         {std::pair{1, Depth::u8}, {4, Depth::u8}, {2, Depth::u16}, {4, Depth::f32}}) {
        const auto plan = plan_blocks(gpu().limits(), {1, 1, channels, depth}, {3, 2});
        REQUIRE(plan.has_value());
        const int tile_w = plan->group_w * pixels_per_texel(channels, depth);
        const int tile_h = plan->group_h - 4;
        for (const int more : {-1, 0, 1}) {
            check_methods(filter, random_image({tile_w + more, tile_h + more, channels, depth}, 6));
        }
        check_methods(filter, random_image({2 * tile_w + 1, 2 * tile_h - 1, channels, depth}, 7));
    }
}

TEMPLATE_TEST_CASE("each axis has its own reach", "", Blur, Box) {
    for (const auto& [x, y] : {std::pair{1, 6}, {6, 1}, {0, 20}, {20, 0}}) {
        auto filter = with_reach<TestType>(x, y);
        filter.border = BorderMode::symmetric;
        check_methods(filter, random_image({41, 29, 1, Depth::u8}, 8));
        check_methods(filter, random_image({41, 29, 4, Depth::f32}, 8));
    }
}

TEMPLATE_TEST_CASE("an impulse in each corner is spread as the border says", "", Blur, Box) {
    for (const Depth depth : {Depth::u8, Depth::f32}) {
        for (const Border& border : all_borders()) {
            for (const auto& [x, y] : {std::pair{0, 0}, {18, 0}, {0, 12}, {18, 12}, {9, 6}}) {
                auto filter = with_reach<TestType>(3, 2);
                filter.border = border;
                check_methods(filter, impulse_image({19, 13, 1, depth}, x, y));
            }
        }
    }
}

TEMPLATE_TEST_CASE("an image of one value keeps it, whatever the radius", "", Blur, Box) {
    for (const Depth depth : all_depths) {
        for (const double value : {1.0, 0.7, 1.0 / 255}) {
            for (const int reach : {3, 40, 900}) {
                const Image image = constant_image({21, 17, 4, depth}, value);
                const auto filter = with_reach<TestType>(reach, reach);
                INFO(describe(filter) << " on " << value << " as " << name_of(depth));
                check_methods(filter, image);
                if (depth != Depth::f32) {
                    CHECK_THAT(gpu().download(filter(gpu(), gpu().upload(image))), IsBitwise(image));
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("a sum over thousands of pixels is as exact as a short one", "", Blur, Box) {
    for (const bool tall : {false, true}) {
        const Shape line{tall ? 1 : 1501, tall ? 1501 : 1, 1, Depth::f32};
        for (const int reach : {120, 1400}) {
            auto filter = with_reach<TestType>(tall ? 0 : reach, tall ? reach : 0);
            check_methods(filter, constant_image(line, 0.7));
        }
        check_methods(with_reach<TestType>(tall ? 0 : 500, tall ? 500 : 0), random_image(line, 15));
    }
}

TEMPLATE_TEST_CASE("a radius of 65535 does not exhaust the renderer's loops", "", Blur, Box) {
    // llvmpipe leaves all loops of an invocation after 65535 turns together.
    for (const Border& border : all_borders()) {
        auto filter = with_reach<TestType>(65535, 65535);
        filter.border = border;
        check_methods(filter, random_image({13, 9, 1, Depth::u8}, 16));
    }
}

TEMPLATE_TEST_CASE("the constant beyond the border is rounded to the depth, and its alpha is 0", "", Blur,
                   Box) {
    auto filter = with_reach<TestType>(3, 2);
    for (const double value : {0.0, 1.0, 0.3017}) {
        filter.border = {BorderMode::constant, value};
        filter.alpha = AlphaMode::premultiply;
        for (const Depth depth : all_depths) {
            check_methods(filter, random_image({9, 8, 1, depth}, 9));
            check_methods(filter, random_image({9, 8, 4, depth}, 9));
        }
        filter.alpha = AlphaMode::straight;
        check_methods(filter, random_image({9, 8, 2, Depth::u16}, 9));
        filter.alpha = AlphaMode::ignore;
        check_methods(filter, random_image({9, 8, 4, Depth::u8}, 9));
    }
}

TEMPLATE_TEST_CASE("a constant beyond the codes of an integer image is refused, and taken by a float one", "",
                   Blur, Box) {
    auto filter = with_reach<TestType>(3, 2);
    for (const double value : {128.0, 1.01, -0.01}) {
        filter.border = {BorderMode::constant, value};
        CHECK(usage_error(filter) ==
              fmt::format("the border constant:{} is out of range: 0 is black and 1 white", value));
    }
    filter.border = Border(Colour{1, 0, 0, 1});
    CHECK(usage_error(filter) == "the border #ff0000 is a colour, but the image is grey");
    filter.border = {BorderMode::constant, 7.5};
    check_methods(filter, random_image({9, 8, 1, Depth::f32}, 10));
}

TEMPLATE_TEST_CASE("an opaque white square on transparent red stays white just outside its edge", "", Blur,
                   Box) {
    Image image(40, 40, 4, Depth::u8);
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) {
            const bool square = x >= 12 && x < 28 && y >= 12 && y < 28;
            const std::array<double, 4> pixel =
                square ? std::array{1.0, 1.0, 1.0, 1.0} : std::array{1.0, 0.0, 0.0, 0.0};
            for (int c = 0; c < 4; ++c) {
                set_value(image, x, y, c, pixel[static_cast<std::size_t>(c)]);
            }
        }
    }
    const auto filter = with_reach<TestType>(12, 12);
    check_methods(filter, image);
    const Image result = gpu().download(filter(gpu(), gpu().upload(image)));
    for (const auto& [x, y] : {std::pair{11, 20}, {28, 20}, {20, 11}, {20, 28}, {8, 8}}) {
        INFO("at " << x << ", " << y);
        CHECK(result.at(x, y, 0) == 255);
        CHECK(result.at(x, y, 1) == 255);
        CHECK(result.at(x, y, 2) == 255);
        CHECK(result.at(x, y, 3) < 255);
        CHECK(result.at(x, y, 3) > 0);
    }
}

TEMPLATE_TEST_CASE("where nothing is opaque under the filter, the result is transparent black", "", Blur,
                   Box) {
    Image image(20, 20, 4, Depth::f32);
    for (int i = 0; i < 400; ++i) {
        set_value(image, i % 20, i / 20, 0, 0.5); // colour without alpha
    }
    check_methods(with_reach<TestType>(3, 2), image);
}

TEMPLATE_TEST_CASE("a filter that reaches nowhere copies bit for bit", "", Blur, Box) {
    for (const Depth depth : all_depths) {
        for (int channels = 1; channels <= 4; ++channels) {
            Image image = random_image({13, 5, channels, depth}, 12, FloatRange::wide);
            if (depth == Depth::f32) {
                const std::vector<std::uint32_t> odd{0x7fc12345U, 0x7f800001U, 0xff800000U, 0x80000000U,
                                                     0x00000001U};
                for (std::size_t i = 0; i < odd.size(); ++i) {
                    image.values<float>()[i] = std::bit_cast<float>(odd[i]); // NaNs, −∞, −0, a denormal
                }
            }
            if (image.has_alpha()) {
                set_value(image, 12, 4, channels - 1, 0); // colour below alpha 0 must not be lost
            }
            for (const auto& row : enum_rows<FilterMethod>) {
                auto filter = with_reach<TestType>(0, 0);
                filter.method = row.value;
                CHECK_THAT(gpu().download(filter(gpu(), gpu().upload(image))), IsBitwise(image));
            }
        }
    }
}

TEMPLATE_TEST_CASE("auto gives, bit for bit, what one of the methods gives", "", Blur, Box) {
    for (const int reach : {2, 8, 60}) {
        const Image image = random_image({50, 40, 3, Depth::u16}, 13);
        auto filter = with_reach<TestType>(reach, reach);
        const GpuImage src = gpu().upload(image);
        const Image chosen = gpu().download(filter(gpu(), src));
        bool found = false;
        for (const FilterMethod method : {FilterMethod::tiled, FilterMethod::window, FilterMethod::walk,
                                          FilterMethod::direct, FilterMethod::fast}) {
            filter.method = method;
            const bool fits = method == FilterMethod::tiled
                                  ? plan_blocks(gpu().limits(), {1, 1, 4, Depth::u16}, reach).has_value()
                              : method == FilterMethod::walk ? can_walk(reach)
                                                             : method != FilterMethod::window || reach <= 16;
            found = found || (fits && difference(chosen, gpu().download(filter(gpu(), src))).empty());
        }
        CHECK(found);
    }
}

TEMPLATE_TEST_CASE("tiled, window and walk refuse what does not fit, and the others run it", "", Blur, Box) {
    const Tally tally = check_methods(with_reach<TestType>(3, 600), random_image({12, 10, 1, Depth::u8}, 14));
    CHECK(tally.refused == 3);
    CHECK(tally.ran == static_cast<int>(enum_rows<FilterMethod>.size()) - 3);
}

TEMPLATE_TEST_CASE("filters follow one another on the GPU without a download between them", "", Blur, Box) {
    const Image image = photo_like_image({90, 60, 4, Depth::f32});
    auto filter = with_reach<TestType>(3, 2);
    for (const auto& row : enum_rows<FilterMethod>) {
        filter.method = row.value;
        GpuImage on_gpu = gpu().upload(image);
        Image step_by_step = image;
        for (int i = 0; i < 4; ++i) {
            on_gpu = filter(gpu(), on_gpu);
            step_by_step = gpu().download(filter(gpu(), gpu().upload(step_by_step)));
        }
        CHECK_THAT(gpu().download(on_gpu), IsBitwise(step_by_step));
    }
}

TEMPLATE_TEST_CASE("the same call gives the same bits", "", Blur, Box) {
    const GpuImage src = gpu().upload(photo_like_image({200, 150, 3, Depth::u8}));
    const auto filter = with_reach<TestType>(3, 2);
    const Image first = gpu().download(filter(gpu(), src));
    for (int i = 0; i < 5; ++i) {
        CHECK_THAT(gpu().download(filter(gpu(), src)), IsBitwise(first));
    }
}
