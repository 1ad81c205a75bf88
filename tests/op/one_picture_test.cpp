// Programs for one picture, as expect_one_picture() asks for them: compiled sooner, and the same bits.
#include "glproc/gl/context_state.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/resize.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <cstdint>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

int times_asked = 0;
unsigned threads_asked_for = 0;

void ask(unsigned most) {
    ++times_asked;
    threads_asked_for = most;
}

struct Made {
    std::vector<Image> images;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> identities; ///< of the programs of the blur
};

const Defines window_of_blur{{"ALPHA", "0"}, {"BORDER", "0"},  {"CHANNELS", "4"}, {"EDGE", "1"},
                             {"GROUP", "128"}, {"RADIUS", "8"}, {"SHARPEN", "0"},  {"SRC_DEPTH", "8"}};

Made make(bool soon) {
    Made made;
    with_second_context(second_context_options(), [&](Context& gpu) {
        if (soon) {
            gpu.state().programs.make_soon(&ask);
        }
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            const GpuImage source = gpu.upload(photo_like_image({.width = 139, .height = 87, .channels = 3, .depth = depth}));
            made.images.push_back(gpu.download(Blur{.sigma = 2, .method = FilterMethod::window}(gpu, source)));
            made.images.push_back(gpu.download(Resize{.size = {40, 30}}(gpu, source)));
            made.images.push_back(gpu.download(Median{.radius = 2, .method = MedianMethod::network}(gpu, source)));
            made.counts = Histogram{.variant = HistogramVariant::fused}(gpu, source).front().counts;
        }
        made.identities.push_back(gpu.state().programs.get("kinds/separable/window.comp", window_of_blur).identity());
        made.identities.push_back(gpu.state().programs.get("copy.comp", {}).identity());
    });
    return made;
}

} // namespace

TEST_CASE("programs for one picture: the same values, threads are asked for once, other kernels stay as they are") {
    const Made usual = make(false);
    CHECK(times_asked == 0);
    const Made soon = make(true);
    CHECK(times_asked <= 1); // none where the store had all of them
    CHECK((times_asked == 0 || threads_asked_for == 16));
    REQUIRE(soon.images.size() == usual.images.size());
    for (std::size_t i = 0; i < usual.images.size(); ++i) {
        CHECK_THAT(soon.images[i], IsBitwise(usual.images[i]));
    }
    CHECK(soon.counts == usual.counts);
    CHECK(soon.identities.front() != usual.identities.front()); // it mentions ONE_PICTURE
    CHECK(soon.identities.back() == usual.identities.back());
}
