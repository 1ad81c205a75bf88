// stack over frames of a video.
#include "glproc/ops/stack/frames.hpp"

#include "glproc/ops/stack/roads.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <algorithm>

using namespace glproc;
using namespace glproc::test;

namespace {

/// By the processor's road, of files: those that a window of `frames` holds around `own`, with the ends repeated.
Image right_answer(Stack op, const std::vector<Image>& video, int frames, int own) {
    StackedImages around;
    for (int i = own - frames / 2; i <= own + frames / 2; ++i) {
        around.push_back(&video[static_cast<std::size_t>(std::clamp(i, 0, static_cast<int>(video.size()) - 1))]);
    }
    Image result(stack_form(op, video.front().form()));
    op.more.resize(around.size() - 1);
    std::ranges::copy(stack_on_cpu(op, around), result.bytes().begin());
    return result;
}

void check(const Stack& op, const std::vector<Image>& video, int frames) {
    Context& on = gpu();
    std::vector<GpuImage> uploaded;
    for (const Image& frame : video) {
        uploaded.push_back(on.upload(frame));
    }
    const int last = static_cast<int>(video.size()) - 1;
    for (int own = 0; own <= last; ++own) {
        const int first = std::max(own - frames / 2, 0);
        FrameWindow window{{}, static_cast<std::size_t>(own - first)};
        for (int i = first; i <= std::min(own + frames / 2, last); ++i) {
            window.frames.push_back(&uploaded[static_cast<std::size_t>(i)]);
        }
        INFO(describe(video.front()) << ", " << FieldText<StackBy>::print(op.by) << " of " << frames << ", frame " << own);
        CHECK_THAT(on.download(stack_frames(on, op, frames, window)), IsBitwise(right_answer(op, video, frames, own)));
    }
}

} // namespace

TEST_CASE("stack over frames: every measure has the bits of a stack of files") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 3, 4}) {
            std::vector<Image> video;
            for (unsigned k = 0; k < 4; ++k) {
                video.push_back(random_image({33, 13, channels, depth}, k + 1));
            }
            for (const char* by : {"mean", "median", "min", "max", "sum", "stddev", "percentile:30", "clip:2"}) {
                check({.by = FieldText<StackBy>::parse({"by", "", {}}, by)}, video, 3);
            }
            check({.by = {StackMeasure::mean}, .weights = {1, 2, 3, 2, 1}}, video, 5);
            check({.by = {StackMeasure::median}}, video, 7);
        }
    }
}

TEST_CASE("stack over frames: by the processor there are the same bits") {
    const std::vector<Image> video{random_image({16, 9, 3, Depth::u8}, 1), random_image({16, 9, 3, Depth::u8}, 2)};
    check({.by = {StackMeasure::median}, .method = StackMethod::cpu}, video, 3);
    check({.by = {StackMeasure::median}, .method = StackMethod::gpu}, video, 3);
}

TEST_CASE("stack over frames: what it refuses") {
    Context& on = gpu();
    const GpuImage frame = on.upload(random_image({8, 8, 3, Depth::u8}, 1));
    const Stack deviations{.by = {StackMeasure::stddev}, .method = StackMethod::gpu};
    CHECK_THROWS_AS(stack_frames(on, deviations, 3, {{&frame}, 0}), Error);
    const Stack weights{.weights = {1, 2}};
    CHECK_THROWS_AS(stack_frames(on, weights, 3, {{&frame}, 0}), Error);
}
