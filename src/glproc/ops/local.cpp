#include "glproc/ops/local.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/seen.hpp"
#include "glproc/kinds/window.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/morphology.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace glproc {

namespace {

// Of Mesa before 25 the loops of an invocation end after 65535 turns.
constexpr Limit square_limit{1, 80};
constexpr std::size_t entropy_levels = 256;
constexpr std::int64_t walk_rows = 64; // TALL of glsl/local/walk.comp

/// The bin of a value in code units; `entropy_levels` if it lies in none.
std::size_t bin_of(double code, double full) {
    const double bin = std::floor(code * entropy_levels / full);
    return bin >= 0 && code <= full ? static_cast<std::size_t>(std::min(bin, entropy_levels - 1.0))
                                    : entropy_levels;
}

/// In bits.
double entropy_of(const std::vector<double>& values, double full) {
    std::array<double, entropy_levels + 1> counts{};
    for (const double value : values) {
        ++counts[bin_of(value, full)];
    }
    const double all = static_cast<double>(values.size()) - counts[entropy_levels];
    double bits = 0;
    for (std::size_t i = 0; i < entropy_levels; ++i) {
        bits -= counts[i] > 0 ? counts[i] / all * std::log2(counts[i] / all) : 0;
    }
    return bits;
}

double variance_of(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    const double count = static_cast<double>(values.size());
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
        sum += value - values.front();
        squares += (value - values.front()) * (value - values.front());
    }
    return std::max(count * squares - sum * sum, 0.0) / (count * count);
}

double measured(LocalMeasure measure, const std::vector<double>& values, double full) {
    return measure == LocalMeasure::entropy  ? entropy_of(values, full) / 8 * full
           : measure == LocalMeasure::stddev ? std::sqrt(variance_of(values))
                                             : variance_of(values) / full;
}

WindowPixel measured_pixel(const Local& op, const Form& form, const Around& around) {
    std::array<std::vector<double>, 4> values;
    for (int dy = -op.radius; dy <= op.radius; ++dy) {
        for (int dx = -op.radius; dx <= op.radius; ++dx) {
            const WindowPixel near = around(dx, dy);
            for (std::size_t c = 0; c < near.size(); ++c) {
                values[c].push_back(near[c]);
            }
        }
    }
    WindowPixel result{};
    for (std::size_t c = 0; c < result.size(); ++c) {
        result[c] = measured(op.measure, values[c], max_code(form.depth));
    }
    return result;
}

/// n log2 n for each n up to `most`, in so small units that sums of them just fit 31 bits.
struct Terms {
    double unit = 1; ///< how many of them are 1
    std::vector<std::uint32_t> values = {0};
};

Terms terms_up_to(int most) {
    const double largest = most * std::log2(most) + most;
    Terms terms{.unit = std::exp2(std::floor(31 - std::log2(largest)))};
    for (int n = 1; n <= most; ++n) {
        terms.values.push_back(static_cast<std::uint32_t>(std::nearbyint(n * std::log2(n) * terms.unit)));
    }
    return terms;
}

GpuImage walked(Context& gpu, const GpuImage& source, const Local& op) {
    const Form& form = source.form();
    const bool is_entropy = op.measure == LocalMeasure::entropy;
    const int side = 2 * op.radius + 1;
    const Terms terms = is_entropy ? terms_up_to(side * side) : Terms{};
    Buffer buffer = gpu.make_buffer(terms.values.size() * sizeof(std::uint32_t), "local.terms");
    buffer.write(terms.values);
    GpuImage dst = gpu.make_image(form, "result");
    const int across = 32 / source.stored_channels();
    gpu.pass("local", "local/walk.comp",
             {{"BORDER", text(static_cast<int>(op.border.mode))},
              {"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"KEPT", form.has_alpha() || form.channels == 3 ? "1" : "0"},
              {"ENTROPY", is_entropy ? "1" : "0"},
              {"FETCHED", fetched(gpu.device())}})
        .reads("i_src", source)
        .reads("b_terms", buffer)
        .writes("i_dst", dst)
        .set("u_size", Int2{form.width, form.height})
        .set("u_border_texel",
             border_texel(form, border_codes(form, op.border, op.border.alpha()), form.depth))
        .set("u_radius", op.radius)
        .set("u_is_variance", op.measure == LocalMeasure::variance ? 1 : 0)
        .set("u_unit", static_cast<float>(terms.unit))
        .groups((form.width + across - 1) / across, (form.height + walk_rows - 1) / walk_rows);
    return dst;
}

/// Of deviations, variances and entropies.
Plan spread_plan(const Local& op, const Form& form) {
    const std::int64_t side = 2 * op.radius + 1;
    Plan plan = window_plan(
        form, {.name = "local",
               .glsl = "local.glsl",
               .reach = op.radius,
               .params = {op.measure == LocalMeasure::variance ? 1.0F : 0.0F},
               .border = op.border,
               .alpha = AlphaMode::ignore,
               .turns = 2 * side * side,
               .reference = [=](const Around& around) { return measured_pixel(op, form, around); },
               .method = op.method == PointMethod::cpu ? WindowMethod::cpu : WindowMethod::automatic});
    const bool is_whole = form.depth != Depth::f32 || op.measure == LocalMeasure::entropy;
    if (is_whole && !plan.on_cpu) {
        plan.run = [op](Context& gpu, const Part& source, const Rect&) {
            return walked(gpu, source.image, op);
        };
    }
    return plan;
}

} // namespace

Plan plan(const Local& op, const Form& form) {
    check_limit("radius", op.radius, square_limit);
    const bool is_cpu = op.method == PointMethod::cpu;
    const auto extreme = [&](MorphologyStep step) {
        return plan(Morphology{.step = step,
                               .radius = op.radius,
                               .border = op.border,
                               .method = is_cpu ? MorphologyMethod::cpu : MorphologyMethod::automatic,
                               .alpha = RankAlpha::ignore},
                    form);
    };
    const auto seen = [&](Plan filter) { return seen_plan(form, std::move(filter), {op.radius, op.radius}); };
    switch (op.measure) {
    case LocalMeasure::mean:
        return seen(plan(Box{.radius = op.radius,
                             .border = op.border,
                             .method = is_cpu ? FilterMethod::cpu : FilterMethod::automatic,
                             .alpha = AlphaMode::ignore},
                         form));
    case LocalMeasure::min:
        return extreme(MorphologyStep::erode);
    case LocalMeasure::max:
        return extreme(MorphologyStep::dilate);
    case LocalMeasure::range:
        return extreme(MorphologyStep::gradient);
    default:
        return seen(spread_plan(op, form));
    }
}

const OpInfo& local_info() {
    static const OpInfo info =
        Describe<Local>("local", "measure the neighbourhood of each pixel: contrast, texture",
                        "in.png out.png --measure stddev --radius 3")
            .field("measure", &Local::measure, {.value = "M", .help = "what to measure", .required = true})
            .field("radius", &Local::radius,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = square_limit,
                    .slider = {1, 30},
                    .help = "how far the square reaches from its middle",
                    .required = true})
            .field("border", &Local::border)
            .method(
                &Local::method,
                {.size = "2448x1505",
                 .ladders =
                     {{.title = "Measures of a random 2448x1505 RGBA8 image, ms",
                       .columns =
                           {{"stddev, radius 3", "2448x1505", {{"measure", "stddev"}, {"radius", "3"}}},
                            {"stddev, radius 15", "2448x1505", {{"measure", "stddev"}, {"radius", "15"}}},
                            {"entropy, radius 5", "2448x1505", {{"measure", "entropy"}, {"radius", "5"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
