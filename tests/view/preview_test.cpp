// What is shown first where the whole takes long, without a window.
#include "view/engine/preview.hpp"

#include "cli/arguments.hpp"
#include "glproc/gl/context.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"

#include <cmath>
#include <memory>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

using Words = std::vector<std::string>;

Steps typed(const Words& words) {
    Words call{"view"};
    call.insert(call.end(), words.begin(), words.end());
    return steps_from(cli::parse_arguments(call));
}

Image made(const Steps& steps, const Image& image) {
    Context gpu;
    const std::unique_ptr<Operation> operation = operation_of(steps.at(0));
    const GpuImage source = gpu.upload(image);
    return gpu.download(operation->run(gpu, ImageInput{"image", image, source}).picture.value());
}

double mean_difference(const Image& a, const Image& b) {
    REQUIRE(a.form() == b.form());
    double sum = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            sum += std::abs(a.at(x, y, 1) - b.at(x, y, 1));
        }
    }
    return sum / a.width() / a.height();
}

Words at_half(const Words& words) {
    return words_of(scaled(typed(words), 0.5));
}

} // namespace

TEST_CASE("preview: what is counted in pixels shrinks with the picture, and nothing else") {
    CHECK(at_half({"blur", "--sigma", "3"}) == Words{"blur", "--sigma", "1.500000"});
    CHECK(at_half({"blur", "--sigma", "3,5"}) == Words{"blur", "--sigma", "1.500000,2.500000"});
    CHECK(at_half({"box", "--radius", "5"}) == Words{"box", "--radius", "3"});
    CHECK(at_half({"median", "--radius", "1"}) == Words{"median", "--radius", "1"});
    CHECK(at_half({"box", "--radius", "0"}) == Words{"box", "--radius", "0"});
    CHECK(at_half({"resize", "--size", "800x600"}) == Words{"resize", "--size", "400x300"});
    CHECK(at_half({"resize", "--size", "800x"}) == Words{"resize", "--size", "400x"});
    CHECK(at_half({"resize", "--size", "50%"}) == Words{"resize", "--size", "50%"});
    CHECK(at_half({"crop", "--rect", "10,20,101,60"}) == Words{"crop", "--rect", "5,10,51,30"});
    CHECK(at_half({"pad", "--margin", "10"}) == Words{"pad", "--margin", "5"});
    CHECK(at_half({"adjust", "--exposure", "2"}) == Words{"adjust", "--exposure", "2"});
    CHECK(at_half({"unsharp"}) == Words{"unsharp", "--sigma", "0.500000"}); // of defaults, too
    CHECK(at_half({"invert"}) == Words{"invert"});
    const Words text = at_half({"draw", "--text", "x", "--size", "5%"});
    CHECK(std::find(text.begin(), text.end(), "5%") != text.end());
}

TEST_CASE("preview: matrices and areas shrink with the picture as well") {
    CHECK(at_half({"warp", "--affine", "1,0.25,100,-1e-3,1,-30"}) == Words{"warp", "--affine", "1,0.25,50,-0.001,1,-15"});
    CHECK(at_half({"warp", "--affine", "1 0.25  100, 0 1 -30"}) == Words{"warp", "--affine", "1 0.25  50, 0 1 -15"});
    CHECK(at_half({"warp", "--perspective", "1,0,8,0,1,6,1e-05,0,2"}) ==
          Words{"warp", "--perspective", "1,0,4,0,1,3,2e-05,0,2"});
    CHECK(at_half({"warp", "--lens", "0.1,0,0,0,0"}) == Words{"warp", "--lens", "0.1,0,0,0,0"});
    CHECK(at_half({"components", "--min-area", "100", "--max-area", "2"}) ==
          Words{"components", "--min-area", "25", "--max-area", "1"});
    CHECK(at_half({"draw", "--scale-bar", "50,um", "--pixel-size", "0.25,um"}) ==
          Words{"draw", "--margin", "5", "--size", "12.000000", "--wrap", "0", "--stroke", "1.000000", "--scale-bar", "50,um",
                "--pixel-size", "0.5,um"});
    CHECK(at_half({"draw", "--scale-bar", "100,px"}).back() == "50,px");
    CHECK(can_scale(typed({"draw", "--text", "a", "then", "blur", "--sigma", "2"})));
    CHECK_FALSE(can_scale(typed({"blur", "--sigma", "2", "then", "draw", "--from", "list.json"})));
    CHECK_FALSE(can_scale(typed({"components", "--keep", "area > 50"})));
}

TEST_CASE("preview: a warp of the smaller picture shows what a smaller picture of the warp shows") {
    const Steps halve = typed({"resize", "--size", "50%", "--filter", "box"});
    const Image photo = photo_like_image({400, 300, 3, Depth::u8});
    const Image half = made(halve, photo);
    for (const Words& words : {Words{"warp", "--affine", "0.9,0.2,60,-0.1,0.8,40"},
                               Words{"warp", "--perspective", "1,0.1,-30,0.05,1,50,0.0005,0.0002,1"}}) {
        INFO(words[1]);
        const Steps steps = typed(words);
        const Image wanted = made(halve, made(steps, photo));
        const double right = mean_difference(made(scaled(steps, 0.5), half), wanted);
        const double as_they_are = mean_difference(made(steps, half), wanted);
        INFO(right << ", with the numbers as they are " << as_they_are);
        CHECK(right < 4); // interpolated of other pixels
        CHECK(as_they_are > 4 * right);
    }
}

TEST_CASE("preview: a map of places is halved with the places in it") {
    Image map(5, 4, 3, Depth::f32);
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 5; ++x) {
            float* const pixel = &map.values<float>()[static_cast<std::size_t>((y * 5 + x) * 3)];
            pixel[0] = static_cast<float>(100 + x);
            pixel[1] = static_cast<float>(-8 * y);
            pixel[2] = 7;
        }
    }
    const Image small = thinned_places(map, 1);
    REQUIRE(small.width() == 2);
    REQUIRE(small.height() == 2);
    CHECK(small.at(1, 0, 0) == 51.5); // of the pixel at 3, 1
    CHECK(small.at(1, 0, 1) == -4);
    CHECK(small.at(1, 0, 2) == 7);
    CHECK(thinned(map, 1).at(1, 0, 0) == 103); // any other picture keeps its values
}

TEST_CASE("preview: a picture is halved until it takes no longer than a person waits") {
    CHECK(halvings(4, 1, 10) == 0);
    CHECK(halvings(4, 10, 10) == 1);
    CHECK(halvings(100, 10, 10) == 4);  // 0.39 megapixels
    CHECK(halvings(100, 1e9, 10) == 4); // and no further than what can still be seen
    CHECK(halvings(0.2, 1e9, 10) == 0);
    CHECK(halvings(4, 0, 10) == 0);
}

TEST_CASE("preview: what took long once is taken to do so again") {
    Pace pace(2);
    const Steps blur = typed({"blur", "--sigma", "2"});
    const Steps both = typed({"blur", "--sigma", "2", "then", "invert"});
    CHECK(pace.rate(blur) == 2);
    CHECK(pace.rate(both) == 4);
    pace.note(blur, 10, 500);
    CHECK(pace.rate(blur) == 50);
    CHECK(pace.rate(typed({"blur", "--sigma", "9"})) == 50);
    CHECK(pace.rate(typed({"blur", "--sigma", "9", "--method", "direct"})) == 2);
    CHECK(pace.rate(both) == 4);
    pace.note(blur, 10, 100);
    CHECK(pace.rate(blur) == 30);
}
