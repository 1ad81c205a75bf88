#include "glproc/ops/denoise/frames.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/workload.hpp"
#include "glproc/ops/denoise/rows.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace glproc {

namespace {

std::vector<Image> downloaded(Context& gpu, const FrameWindow& window) {
    std::vector<Image> images;
    for (const GpuImage* frame : window.frames) {
        images.push_back(gpu.download(*frame));
    }
    return images;
}

DenoiseFrames pointers_to(const std::vector<Image>& images, std::size_t own) {
    DenoiseFrames frames{{}, own};
    for (const Image& image : images) {
        frames.frames.push_back(&image);
    }
    return frames;
}

GpuImage by_processor(Context& gpu, const Denoise& op, const FrameWindow& window) {
    const std::vector<Image> images = downloaded(gpu, window);
    return gpu.upload(denoised(op, pointers_to(images, window.own)), "result");
}

void add_frame(Context& gpu, const Denoise& op, const GpuImage& own, const GpuImage& other, GpuImage& sums,
               bool first) {
    const Form& form = own.form();
    const PatchWeights weights(op, form);
    const bool is_one_word = form.depth == Depth::u8 || own.stored_channels() < 4;
    const int block = is_one_word ? 32 : 16; // WIDE and TALL of glsl/denoise/frames.comp
    gpu.pass("denoise.frame", "denoise/frames.comp",
             {{"CHANNELS", text(own.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"PATCH", text(op.patch)},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", own)
        .reads("i_other", other)
        .updates("i_sums", sums)
        .set("u_size", Int2{form.width, form.height})
        .set("u_search", op.search)
        .set("u_fresh", first ? 1 : 0)
        .set("u_free", weights.free)
        .set("u_per_sum", weights.per_sum)
        .groups(covering(form.width, block), covering(form.height, block));
}

GpuImage by_gpu(Context& gpu, const Denoise& op, const FrameWindow& window) {
    const GpuImage& own = *window.frames.at(window.own);
    const Form& form = own.form();
    GpuImage sums = gpu.make_image({form.width, form.height, 4, Depth::f32}, "sums");
    for (const GpuImage* frame : window.frames) {
        add_frame(gpu, op, own, *frame, sums, frame == window.frames.front());
    }
    GpuImage result = gpu.make_image(form, "result");
    gpu.pass("denoise.mean", "denoise/mean_of_frames.comp",
             {{"CHANNELS", text(own.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", own)
        .reads("i_sums", sums)
        .writes("i_dst", result)
        .set("u_size", Int2{form.width, form.height})
        .over(texels_per_row(form), form.height);
    return result;
}

/// A picture and the same moved down, as two frames.
Workload probe_of(const Denoise& op, Context& gpu, const ImageInput& input) {
    const auto pictures = std::make_shared<std::vector<Image>>(2, input.pixels);
    Image& moved = pictures->front();
    const auto bytes = input.pixels.bytes();
    const auto rows = static_cast<std::ptrdiff_t>(std::min(2, moved.height() - 1));
    std::rotate_copy(bytes.begin(), bytes.begin() + rows * static_cast<std::ptrdiff_t>(moved.form().row_bytes()),
                     bytes.end(), moved.bytes().begin());
    const auto before = std::make_shared<GpuImage>(gpu.upload(moved, "frame"));
    return image_workload(
        gpu, input, [=, &gpu, &input] { return by_gpu(gpu, op, {{before.get(), &input.image}, 1}); },
        [=](const Image& got) { return Verdict{.wrong = difference_of_bits(got, denoised(op, pointers_to(*pictures, 1))), .rows = got.height()}; });
}

} // namespace

GpuImage denoise_frames(Context& gpu, const Denoise& op, const FrameWindow& frames) {
    FrameWindow window = frames;
    std::vector<std::optional<GpuImage>> seen; // of frames with hidden pixels
    seen.reserve(window.frames.size());
    for (const GpuImage*& frame : window.frames) {
        const std::optional<GpuImage>& made = seen.emplace_back(filled(gpu, *frame, filling_of(op)));
        frame = made ? &*made : frame;
    }
    const Form form = window.frames.at(window.own)->form();
    return run_by_proved_method(
        gpu, op, &Denoise::method,
        [&](const Denoise& by) {
            return by.method == PointMethod::cpu ? by_processor(gpu, by, window) : by_gpu(gpu, by, window);
        },
        [&](const Denoise& by) {
            prove_on_picture(gpu, form, [&](const ImageInput& probe) { return probe_of(by, gpu, probe); });
        });
}

const OverTime& denoise_over_time() {
    static const OverTime over_time{
        .result_form = [](const Operation& call, int, const Form& form) { return call.result_form(form); },
        .run = [](Context& gpu, const Operation& call, int,
                  const FrameWindow& window) { return denoise_frames(gpu, parameters_of<Denoise>(call), window); }};
    return over_time;
}

} // namespace glproc
