#include "glproc/ops/denoise.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/denoise/rows.hpp"

namespace glproc {

namespace {

constexpr Limit strength_limit{1e-6, 1e6};
constexpr Limit noise_limit{0, 1e6};
constexpr Limit patch_limit{1, 3};
constexpr Limit search_limit{1, 10};

GpuImage run_denoise(Context& gpu, const GpuImage& source, const Denoise& op) {
    const Form& form = source.form();
    const PatchWeights weights(op, form);
    const bool is_one_word = form.depth == Depth::u8 || source.stored_channels() < 4;
    const Int2 block = is_one_word ? Int2{64, 32} : Int2{32, 16}; // WIDE and TALL of glsl/denoise/means.comp
    GpuImage dst = gpu.make_image(form, "result");
    gpu.pass("denoise", "denoise/means.comp",
             {{"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"PATCH", text(op.patch)},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", source)
        .writes("i_dst", dst)
        .set("u_size", Int2{form.width, form.height})
        .set("u_search", op.search)
        .set("u_free", weights.free)
        .set("u_per_sum", weights.per_sum)
        .groups(covering(form.width, block[0]), covering(form.height, block[1]));
    return dst;
}

} // namespace

Plan plan(const Denoise& op, const Form& form) {
    check_level("strength", op.strength, form, between_black_and_white, strength_limit);
    check_level("noise", op.noise, form, between_black_and_white, noise_limit);
    check_limit("patch", op.patch, patch_limit);
    check_limit("search", op.search, search_limit);
    const int side = 2 * op.search + 1;
    const double work = side * side * (12.0 + 4 * op.patch);
    Plan plan{.shape = {.source = form, .result = form}};
    plan.work.needs = [=](Context&) {
        const int pixels = pixels_per_texel(form);
        const int reach = op.search + op.patch;
        return TileNeeds{.what = "denoise",
                         .halo = {covering(reach, pixels) * pixels, reach},
                         .grain = {pixels, 1},
                         .texel_pixels = pixels,
                         .pixel_bytes = 32.0 / pixels,
                         .pixel_work = work};
    };
    plan.work.run = [op](Context& gpu, const Part& source, const Rect&) {
        return run_denoise(gpu, source.image, op);
    };
    set_by_processor(
        plan, [op](const Image& source) { return denoised(op, {{&source}}); }, work * form.width);
    plan.twin.only_proves = op.method == PointMethod::gpu;
    plan = over_filled(std::move(plan), filling_of(op));
    return op.method == PointMethod::cpu ? on_cpu(std::move(plan)) : plan;
}

const OpInfo& denoise_info() {
    static const OpInfo info =
        Describe<Denoise>("denoise", "remove noise and keep detail (non-local means)",
                          "in.png out.png --strength 0.05")
            .example("Clean a noisy photo, whose noise is about 3 % of white",
                     "photo.jpg out.jpg --strength 0.03 --noise 0.03")
            .example("Clean a noisy video, or a GIF, with the help of the frames before and after each",
                     "glproc video clip.mp4 out.mp4 denoise --frames 3 --strength 0.03")
            .found_by({"fastnlmeansdenoising", "nlmeans"}, "IN OUT --strength 0.05")
            .found_by({"-wavelet-denoise N", "-enhance"})
            .field("strength", &Denoise::strength,
                   {.value = "H",
                    .limit = strength_limit,
                    .slider = {0.005, 0.3, 0.001},
                    .help = "how different places may be and still be averaged: about the noise"})
            .field("noise", &Denoise::noise,
                   {.value = "S",
                    .limit = noise_limit,
                    .slider = {0, 0.3, 0.001},
                    .help = "standard deviation of the noise, which then does not count as a difference"})
            .field("patch", &Denoise::patch,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = patch_limit,
                    .help = "how far the places reach that are compared"})
            .field("search", &Denoise::search,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = search_limit,
                    .help = "how far away similar places may be"})
            .method(&Denoise::method,
                    {.size = "512x512",
                     .ladders = {{.title = "Non-local means of a random 512x512 RGBA8 image, ms",
                                  .columns = {{"search 10", "512x512"},
                                              {"search 5", "512x512", {{"search", "5"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
