#include "glproc/kinds/convolution.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/convolution_rows.hpp"
#include "glproc/kinds/convolution_window.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/kinds/stencil.hpp"
#include "glproc/op/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr auto many_weights_methods = tuning<ConvolutionMethod>(
    {{"llvmpipe", any_radius, ConvolutionMethod::direct,
      "2448x1505 RGB8, laplacian of sigma 2: along x and then along y 0.59 s, window 0.64 (llvmpipe, Mesa "
      "22.3.6, two busy cores, 2026-11-22)"},
     {"", any_radius, ConvolutionMethod::window,
      "8192x8192 RGBA8: 15x15 8.99 ms by direct, 7.54 by window; laplacian of sigma 2 13.4 along x and then "
      "along y, 2.42 by window (NVIDIA H200, driver 580.159.04, 2026-11-22)"}});

/// A convolution of pictures of one form, with everything that follows from these two.
class Job {
  public:
    Job(const Form& form, const Convolution& convolution)
        : source_(form), convolution_(convolution), sum_(convolution.sum_of_weights()) {
        const bool weighs = convolution.alpha == AlphaMode::premultiply && std::abs(sum_) > 1e-12;
        // RGB has an opaque fourth channel, which stays opaque.
        alpha_ = form.channels == 3                                              ? 2
                 : !form.has_alpha() || convolution.alpha == AlphaMode::straight ? 0
                 : weighs                                                        ? 1
                                                                                 : 2;
        ratio_ = max_code(result_depth()) / max_code(form.depth);
    }

    /// The same with weights that need fewer roundings, if the result shows no difference.
    Job with_short_weights() const {
        Job job = *this;
        if (source_.depth == Depth::u8 && result_depth() == Depth::u8 && alpha_ != 1) {
            job.convolution_.weights = shortened(convolution_.weights, convolution_.scale);
        }
        return job;
    }

    bool is_separable() const {
        using enum ConvolutionMethod;
        const ConvolutionMethod method = convolution_.method;
        return method == separable || ((method == automatic || method == cpu || method == window) && pays_as_product());
    }

    bool pays_as_product() const {
        const bool pays = convolution_.width * convolution_.height > 100;
        return !convolution_.products.empty() && (pays || convolution_.weights.empty());
    }

    bool keeps_alpha() const { return alpha_ == 2; }

    bool can_walk() const { return reach_of(convolution_) <= Stencil::most_reach && alpha_ != 1; }
    bool walks() const {
        using enum ConvolutionMethod;
        const ConvolutionMethod method = convolution_.method;
        return can_walk() && (method == walk || method == automatic || method == cpu);
    }

    /// The same as a stencil.
    Stencil as_stencil() const {
        const int reach = reach_of(convolution_);
        const int size = 2 * reach + 1;
        std::vector<float> params{static_cast<float>(convolution_.scale * ratio_),
                                  static_cast<float>(convolution_.offset * max_code(result_depth())),
                                  convolution_.absolute ? 1.0F : 0.0F};
        params.resize(3 + static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
        bool is_exact = source_.depth == Depth::u8;
        for (int y = 0; y < convolution_.height; ++y) {
            for (int x = 0; x < convolution_.width; ++x) {
                const double weight = convolution_.weight(x, y);
                const int column = convolution_.first.x + x + reach;
                const int row = convolution_.first.y + y + reach;
                params[static_cast<std::size_t>(3 + row * size + column)] = static_cast<float>(weight);
                is_exact = is_exact && is_short(weight);
            }
        }
        return {.name = convolution_.name,
                .glsl = "kinds/convolution/small.glsl",
                .reach = reach,
                .params = params,
                .defines = {{"EXACT", is_exact ? "1" : "0"}},
                .border = convolution_.border,
                .keeps_alpha = alpha_ != 0,
                .depth = convolution_.depth,
                .method = convolution_.method == ConvolutionMethod::walk  ? StencilMethod::walk
                          : convolution_.method == ConvolutionMethod::cpu ? StencilMethod::cpu
                                                                          : StencilMethod::automatic};
    }

    Depth result_depth() const { return convolution_.depth.value_or(source_.depth); }

    /// The number of products that `window` splits the kernel into, or 0 for all weights. Either way it gives
    /// the same bits as the method that would be taken without `window`.
    int terms() const { return pays_as_product() ? static_cast<int>(convolution_.products.size()) : 0; }

    std::optional<StripPlan> plan_window(Context& gpu) const {
        return plan_convolution_window(gpu, source_, convolution_, terms());
    }

    GpuImage run(Context& gpu, const GpuImage& source) const {
        const bool may_go_by_window =
            convolution_.method == ConvolutionMethod::window ||
            (convolution_.method == ConvolutionMethod::automatic &&
             tuned(many_weights_methods, gpu.device()) == ConvolutionMethod::window);
        const Form form{source.width(), source.height(), source.channels(), result_depth()};
        GpuImage dst = gpu.make_image(form, "result");
        const std::optional<StripPlan> window = may_go_by_window ? plan_window(gpu) : std::nullopt;
        if (window) {
            const ConvolutionPass shared{source_.depth == Depth::u8 && alpha_ != 1, defines(dst),
                                         [&](Pass& pass) { supply(pass, source); }};
            run_convolution_window(gpu, source, convolution_, *window, terms(), shared, dst);
            return dst;
        }
        if (!is_separable()) {
            std::vector<double> weights;
            for (int i = 0; i < convolution_.width * convolution_.height; ++i) {
                weights.push_back(convolution_.weight(i % convolution_.width, i / convolution_.width));
            }
            direct(gpu, source, 0, convolution_.height, weights, dst);
            return dst;
        }
        std::vector<GpuImage> sums;
        for (const WeightProduct& product : convolution_.products) {
            sums.push_back(gpu.make_image({form.width, form.height, form.channels, Depth::f32}, "sums"));
            direct(gpu, source, 1, 1, product.row, sums.back());
        }
        columns(gpu, source, sums, dst);
        return dst;
    }

    /// The same by the processor.
    Image by_processor(const Image& source) const {
        ConvolutionRows rows{.source = source, .convolution = convolution_, .depth = result_depth(), .alpha = source.channels() == 3 ? 0 : alpha_,
                             .ending = ending(), .beyond = {}};
        for (std::size_t i = 0; is_separable() && i < convolution_.products.size(); ++i) {
            rows.beyond.push_back(beyond_sums(convolution_.products[i]));
        }
        return convolved(rows);
    }

  private:
    /// Params of kinds/convolution/end.glsl.
    std::array<float, 4> ending() const {
        return {static_cast<float>(convolution_.scale * ratio_ * (alpha_ == 1 ? sum_ : 1)),
                static_cast<float>(convolution_.offset * max_code(result_depth())),
                static_cast<float>(alpha_ == 1 ? ratio_ / sum_ : ratio_), convolution_.absolute ? 1.0F : 0.0F};
    }

    Defines defines(const GpuImage& dst) const {
        return {{"BORDER", text(static_cast<int>(convolution_.border.mode))},
                {"CHANNELS", text(stored_channels(source_.channels))},
                {"DST_DEPTH", text(static_cast<int>(dst.depth()))},
                {"ALPHA", text(alpha_)}};
    }

    void supply(Pass& pass, const GpuImage& own) const {
        const std::array<float, 4> end = ending();
        pass.set("u_scale", end[0]).set("u_offset", end[1]).set("u_absolute", convolution_.absolute ? 1 : 0);
        if (alpha_ != 0) {
            pass.set("u_alpha_scale", end[2]);
        }
        if (alpha_ == 2) {
            pass.reads("i_own", own).set("u_own_bits", static_cast<int>(source_.depth));
        }
    }

    /// `rows` rows of weights: all of the kernel, or one that is half of a product.
    void direct(Context& gpu, const GpuImage& source, int sums, int rows, const std::vector<double>& weights,
                GpuImage& dst) const {
        const int pixels = std::max(pixels_per_texel(source.form()), pixels_per_texel(dst.form()));
        const int pitch = convolution_.width + 6 * pixels;
        Floats table(static_cast<std::size_t>(pitch) * static_cast<std::size_t>(rows));
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < convolution_.width; ++x) {
                table[static_cast<std::size_t>(y * pitch + 2 * pixels + x)] =
                    static_cast<float>(weights[static_cast<std::size_t>(y * convolution_.width + x)]);
            }
        }
        Buffer buffer = gpu.make_buffer(table.size() * sizeof(float), "weights");
        buffer.write(table);
        Defines all = defines(dst);
        const bool is_exact = source.depth() == Depth::u8 && alpha_ != 1 &&
                              std::all_of(weights.begin(), weights.end(), is_short);
        all["EXACT"] = text(is_exact ? 1 : 0);
        all["SUMS"] = text(sums);
        all["SRC_DEPTH"] = text(static_cast<int>(source.depth()));
        Pass pass =
            gpu.pass(convolution_.name + (sums == 1 ? ".rows" : ""), "kinds/convolution/direct.comp", all);
        if (sums == 0) {
            supply(pass, source);
        }
        const Form& form = source.form();
        pass.reads("i_src", source)
            .reads("b_weights", buffer)
            .writes("i_dst", dst)
            .set("u_size", Int2{form.width, form.height})
            .set("u_border_texel",
                 border_texel(form, border_codes(form, convolution_.border, convolution_.border.alpha()),
                              form.depth))
            .set("u_first", Int2{convolution_.first.x, sums == 1 ? 0 : convolution_.first.y})
            .set("u_count", Int2{convolution_.width, rows})
            .set("u_pitch", pitch);
        run_over(gpu, pass, form, pixels, double(convolution_.width) * rows);
    }

    /// The pixel beyond a constant border, after the pass along rows: floats, added up as rows within the picture are.
    BorderCodes beyond_sums(const WeightProduct& product) const {
        const BorderCodes codes = border_codes(source_, convolution_.border, convolution_.border.alpha());
        BorderCodes sums{};
        for (std::size_t c = 0; c < 4; ++c) {
            const auto code = static_cast<float>(codes[c]);
            const float value = alpha_ == 1 && c < 3 ? code * static_cast<float>(codes[3]) : code; // colour is weighted by alpha
            float sum = 0;
            for (const double weight : product.row) {
                sum += static_cast<float>(weight) * value;
            }
            sums[c] = sum;
        }
        return sums;
    }

    Uint4 border_sums(const WeightProduct& product) const {
        return border_texel({1, 1, source_.channels, Depth::f32}, beyond_sums(product), Depth::f32);
    }

    void columns(Context& gpu, const GpuImage& source, const std::vector<GpuImage>& sums,
                 GpuImage& dst) const {
        Floats table;
        for (const WeightProduct& product : convolution_.products) {
            std::transform(product.column.begin(), product.column.end(), std::back_inserter(table),
                           [](double weight) { return static_cast<float>(weight); });
        }
        Buffer buffer = gpu.make_buffer(table.size() * sizeof(float), "weights");
        buffer.write(table);
        Defines all = defines(dst);
        all["TERMS"] = text(static_cast<int>(sums.size()));
        Pass pass = gpu.pass(convolution_.name + ".columns", "kinds/convolution/columns.comp", all);
        supply(pass, source);
        pass.reads("i_src", sums[0])
            .reads("b_weights", buffer)
            .writes("i_dst", dst)
            .set("u_size", Int2{source.width(), source.height()})
            .set("u_border_texel", border_sums(convolution_.products[0]))
            .set("u_first", convolution_.first.y)
            .set("u_count", convolution_.height);
        if (sums.size() > 1) {
            pass.reads("i_more", sums[1]).set("u_border_more", border_sums(convolution_.products[1]));
        }
        run_over(gpu, pass, source.form(), pixels_per_texel(dst.form()), convolution_.height);
    }

    static void run_over(Context& gpu, const Pass& pass, const Form& form, int pixels, double weights) {
        const Pacer pacer{.row_work = double(form.width) * stored_channels(form.channels) * weights};
        pacer.run(gpu, form.height, [&](int first, int end) {
            Pass(pass).set("u_first_row", first).over(covering(form.width, pixels), end - first);
        });
    }

    Form source_;
    Convolution convolution_;
    double sum_;
    int alpha_ = 0; ///< ALPHA of lib/pixel.glsl
    double ratio_ = 1;
};

TileNeeds needs_of(const Form& form, const Convolution& convolution, const Job& job) {
    const int pixels =
        std::max(pixels_per_texel(form), pixels_per_texel({1, 1, form.channels, job.result_depth()}));
    const auto reach = [](int first, int count) { return std::max({-first, first + count - 1, 0}); };
    const int right = reach(convolution.first.x, convolution.width);
    const double channels = stored_channels(form.channels);
    const bool in_two = job.is_separable();
    const double taps = in_two ? double(convolution.width) + convolution.height
                               : double(convolution.width) * convolution.height;
    return {
        .what =
            fmt::format("{} by a kernel of {}x{}", convolution.name, convolution.width, convolution.height),
        .halo = {(right + 2 * pixels - 1) / pixels * pixels, reach(convolution.first.y, convolution.height)},
        .grain = {pixels, 1},
        .repeats = convolution.border.mode == BorderMode::wrap,
        .texel_pixels = in_two ? pixels_per_texel({1, 1, form.channels, Depth::f32})
                               : std::min(pixels_per_texel(form),
                                          pixels_per_texel({1, 1, form.channels, job.result_depth()})),
        .pixel_bytes = channels * static_cast<double>(bytes_of(form.depth) + bytes_of(job.result_depth())) +
                       (in_two ? 4 * channels * static_cast<double>(convolution.products.size()) : 0),
        .pixel_work = channels * taps};
}

} // namespace

namespace {

/// Which sees whatever lies beneath alpha 0.
Plan plain_plan(const Form& form, const Convolution& convolution, const Job& job) {
    Plan plan{.shape = {.source = form, .result = form}};
    plan.shape.result.depth = job.result_depth();
    plan.work.needs = [=](Context&) { return needs_of(form, convolution, job); };
    plan.work.why_unavailable = [=](Context& gpu) -> std::optional<std::string> {
        if (convolution.method == ConvolutionMethod::separable && convolution.products.empty()) {
            return "the kernel is not the product of a row and a column";
        }
        if (convolution.method == ConvolutionMethod::walk && !job.can_walk()) {
            return "the kernel has more than 7x7 weights, or colour is weighted by alpha";
        }
        if (convolution.method == ConvolutionMethod::window && !job.plan_window(gpu)) {
            return "the kernel reaches farther than 7 pixels, or 16 where it is a product, or the result has "
                   "another depth";
        }
        if (convolution.method == ConvolutionMethod::direct &&
            std::max(convolution.width, convolution.height) > Convolution::most_direct) {
            return fmt::format("the kernel has more than {0}x{0} weights", Convolution::most_direct);
        }
        return std::nullopt;
    };
    if (job.walks()) {
        return stencil_plan(form, job.with_short_weights().as_stencil());
    }
    const double taps = job.is_separable() ? 2.0 * (convolution.width + convolution.height)
                                           : double(convolution.width) * convolution.height;
    set_by_processor(
        plan, [job = job.with_short_weights()](const Image& source) { return job.by_processor(source); },
        taps * form.width * form.channels);
    plan.twin.only_proves =
        convolution.method != ConvolutionMethod::automatic && convolution.method != ConvolutionMethod::cpu;
    if (convolution.method == ConvolutionMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.work.run = [job = job.with_short_weights()](Context& gpu, const Part& source, const Rect&) {
        return job.run(gpu, source.image);
    };
    return plan;
}

} // namespace

Plan convolution_plan(const Form& form, Convolution convolution) {
    check_border(convolution.border, form);
    const Job job(form, convolution);
    Plan plan = plain_plan(form, convolution, job);
    const bool hides = convolution.hides && job.keeps_alpha();
    return hides ? over_filled(std::move(plan), {.reach = reach_of(convolution), .border = convolution.border}) : plan;
}

} // namespace glproc
