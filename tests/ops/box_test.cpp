#include "glproc/ops/box.hpp"

#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("the mean of nine pixels is rounded to the nearest code") {
    Image image(3, 3, 1, Depth::u8);
    for (int i = 0; i < 9; ++i) {
        image.values<std::uint8_t>()[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i * i);
    }
    for (const auto& row : enum_rows<FilterMethod>) {
        const Box box{.radius = 1, .border = BorderMode::constant, .method = row.value};
        const Image result = gpu().download(box(gpu(), gpu().upload(image)));
        INFO("method " << row.name);
        CHECK(result.at(1, 1, 0) == 23); // 204 / 9 = 22.67
        CHECK(result.at(0, 0, 0) == 3);  // 26 / 9 = 2.89, the rest lies beyond the border
        CHECK(result.at(2, 2, 0) == 17); // 154 / 9 = 17.11
    }
}

TEST_CASE("any radius gives the answer, up to 65535") {
    for (const int radius : {1, 5, 17, 129, 1000, 65535}) {
        const Box box{.radius = radius, .border = BorderMode::mirror};
        check_methods(box, random_image({9, 5, 1, Depth::u8}, 31));
        check_methods(box, random_image({9, 5, 4, Depth::f32}, 31));
    }
}

TEST_CASE("box sums over large radii stay within the tolerance of 16-bit and float images") {
    for (const Depth depth : {Depth::u16, Depth::f32}) {
        for (const int radius : {20, 128, 500, 2000, 20000}) {
            check_methods(Box{.radius = radius}, constant_image({13, 7, 1, depth}, 0.7));
            check_methods(Box{.radius = radius}, two_valued_image({13, 7, 1, depth}, 0.1, 1, 32));
        }
    }
}

TEST_CASE("what a long sum of floats loses where parts are added is carried on") {
    const Image image = constant_image({9001, 1, 1, Depth::f32}, 0.7);
    const Box box{.radius = {4000, 0}, .method = FilterMethod::direct};
    const Image result = gpu().download(box(gpu(), gpu().upload(image)));
    float most = 0;
    for (const float value : result.values<float>()) {
        most = std::max(most, std::abs(value - 0.7F));
    }
    CHECK(most < 5e-7F); // 1.7e-6 without
}

TEST_CASE("16-bit sums beyond 2^24 stay within a rounding of the answer") {
    check_methods(Box{.radius = 200, .border = BorderMode::wrap}, random_image({97, 61, 1, Depth::u16}, 33));
}

TEST_CASE("the radius is one for each axis, and radius 0 leaves its axis alone") {
    for (const auto& [x, y] : {std::pair{1, 3}, {3, 1}, {0, 2}, {2, 0}}) {
        check_methods(Box{.radius = {x, y}, .border = BorderMode::mirror},
                      random_image({33, 31, 3, Depth::u8}, 34));
    }
}

TEST_CASE("the whole image is under the box where the radius says so") {
    // A wrapped box of the image's size sees every pixel once, wherever it stands: one mean everywhere.
    const Image image = random_image({11, 11, 1, Depth::f32}, 35);
    const Image result =
        gpu().download(Box{.radius = 5, .border = BorderMode::wrap}(gpu(), gpu().upload(image)));
    double mean = 0;
    for (const float value : image.values<float>()) {
        mean += value / 121.0;
    }
    for (const float value : result.values<float>()) {
        CHECK(value == Approx(mean).epsilon(1e-6));
    }
}

TEST_CASE("on a photograph-like picture hardly a value of a box mean differs from the rounded answer") {
    const Image image = photo_like_image({240, 160, 3, Depth::u8}, 36);
    for (const int radius : {1, 5, 50}) {
        const Box box{.radius = radius};
        const Image result = gpu().download(box(gpu(), gpu().upload(image)));
        const Comparison comparison = compare(result, expected(box, image));
        INFO(comparison.problem);
        CHECK(comparison.problem.empty());
        CHECK(comparison.off * 1000 < comparison.values);
        CHECK(comparison.mean_error < 0.26); // rounding alone gives 0.25
    }
}

TEST_CASE("a radius out of range is refused by name") {
    CHECK(usage_error(Box{.radius = -1}) == "radius -1 is out of range");
    CHECK(usage_error(Box{.radius = {3, 65536}}) == "radius 65536 is out of range");
}

TEST_CASE("a wide image under as wide a box comes out right or is refused, never wrong") {
    // Texels of one pixel take the most turns. Of 65535 bytes a driver that ends no loop early would add for minutes.
    const Image image = constant_image({5600, 1, 4, Depth::f32}, 0.8);
    const Box box{.radius = {5600, 0}, .method = FilterMethod::direct};
    try {
        const Image result = gpu().download(box(gpu(), gpu().upload(image)));
        CHECK_THAT(result, Matches(reference_of(image), Tolerance{1e-6, 0}));
    } catch (const Error& error) {
        CHECK(gpu().device().has_workaround("loops_end_early"));
        CHECK(std::string(error.what()).find("too wide for the loops of") != std::string::npos);
    }
}
