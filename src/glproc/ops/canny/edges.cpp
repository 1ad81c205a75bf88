#include "glproc/ops/canny/edges.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/fetched.hpp"
#include "glproc/kinds/hidden.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

namespace {

/// The pixels of a group of glsl/canny/edges.comp.
struct EdgeBlock {
    int wide;
    int tall;
};

/// Its texels fit into shared memory.
EdgeBlock block_of(const GpuImage& image) {
    const int pixel_bytes = image.stored_channels() * static_cast<int>(image.depth()) / 8;
    return pixel_bytes <= 4 ? EdgeBlock{128, 14} : pixel_bytes == 8 ? EdgeBlock{64, 14} : EdgeBlock{32, 30};
}

/// Normalised in double precision.
std::vector<float> taps_of(double sigma) {
    const int reach = static_cast<int>(std::floor(4 * sigma + 0.5));
    std::vector<double> weights;
    double sum = 0;
    for (int i = 0; i <= reach; ++i) {
        weights.push_back(i == 0 ? 1 : std::exp(-0.5 * i * i / (sigma * sigma)));
        sum += (i == 0 ? 1 : 2) * weights.back();
    }
    std::vector<float> taps;
    for (const double weight : weights) {
        taps.push_back(static_cast<float>(weight / sum));
    }
    return taps;
}

/// A threshold in the unit of sizes.
double in_sizes(double threshold, const Form& form, bool is_squared) {
    constexpr double most = 32767; // of OpenCV, in steps
    const double step = max_code(form.depth) / 255;
    const double size = (is_squared ? std::min(threshold, most) : threshold) * step;
    return is_squared ? size * size : size;
}

GpuImage blurred(Context& gpu, const GpuImage& image, const Buffer& taps, int reach, Int2 step) {
    GpuImage dst = gpu.make_image({image.width(), image.height(), image.channels() < 3 ? 1 : 3, Depth::f32},
                                  "canny.blurred");
    gpu.pass("canny.blur", "canny/blur.comp",
             {{"CHANNELS", text(image.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(image.depth()))},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", image)
        .reads("b_taps", taps)
        .writes("i_dst", dst)
        .set("u_size", Int2{image.width(), image.height()})
        .set("u_step", step)
        .set("u_reach", reach)
        .over(dst.texture().width(), dst.height());
    return dst;
}

void set_thresholds(Pass& pass, const CannyRules& rules) {
    constexpr double most = 1 << 30; // larger than any size
    if (rules.is_whole) {
        pass.set("u_low", static_cast<int>(std::min(std::floor(rules.low), most)))
            .set("u_high", static_cast<int>(std::min(std::floor(rules.high), most)));
    } else {
        pass.set("u_low", static_cast<float>(rules.low)).set("u_high", static_cast<float>(rules.high));
    }
}

MaskBits no_bits(Context& gpu, int width, int height) {
    const auto words =
        static_cast<std::size_t>(MaskBits::row_words_of(width)) * static_cast<std::size_t>(height);
    return {width, height, gpu.make_buffer(words * sizeof(std::uint32_t), "canny.bits")};
}

} // namespace

CannyRules::CannyRules(const Canny& op, const Form& form)
    : is_whole(form.depth == Depth::u8 && taps_of(op.sigma).size() == 1), is_squared(op.norm == CannyNorm::l2),
      low(in_sizes(std::min(op.low.of(255), op.high.of(255)), form, is_squared)),
      high(in_sizes(std::max(op.low.of(255), op.high.of(255)), form, is_squared)), taps(taps_of(op.sigma)),
      hides(form.has_alpha()) {}

EdgeBits edge_bits(Context& gpu, const GpuImage& given, const CannyRules& rules, const CannyRows& rows) {
    const std::optional<GpuImage> seen = rules.hides ? filled(gpu, given, {.reach = rules.seen()}) : std::nullopt;
    const GpuImage& image = seen ? *seen : given;
    if (rules.blur_reach() > 0) {
        Buffer taps = gpu.make_buffer(rules.taps.size() * sizeof(float), "canny.taps");
        taps.write(rules.taps);
        CannyRules unblurred = rules;
        unblurred.taps.resize(1);
        unblurred.hides = false;
        const GpuImage across = blurred(gpu, image, taps, rules.blur_reach(), {1, 0});
        return edge_bits(gpu, blurred(gpu, across, taps, rules.blur_reach(), {0, 1}), unblurred, rows);
    }
    EdgeBits bits{no_bits(gpu, image.width(), rows.count), no_bits(gpu, image.width(), rows.count)};
    const EdgeBlock block = block_of(image);
    Pass pass = gpu.pass("canny.edges", "canny/edges.comp",
                         {{"CHANNELS", text(image.stored_channels())},
                          {"SRC_DEPTH", text(static_cast<int>(image.depth()))},
                          {"SQUARED", rules.is_squared ? "1" : "0"},
                          {"WIDE", text(block.wide)},
                          {"TALL", text(block.tall)},
                          {"GROUP", text(block.wide / 8 * (block.tall + 2))},
                          {"FETCHED", fetched(gpu.device())}});
    pass.reads("i_src", image)
        .writes("b_weak", bits.weak.words)
        .writes("b_strong", bits.strong.words)
        .set("u_size", Int2{image.width(), image.height()})
        .set("u_above", rows.above)
        .set("u_rows", rows.count)
        .set("u_row_words", static_cast<int>(bits.weak.row_words()));
    set_thresholds(pass, rules);
    const int block_words = block.wide / 32;
    pass.groups(covering(bits.weak.row_words(), block_words), covering(rows.count, block.tall));
    return bits;
}

} // namespace glproc
