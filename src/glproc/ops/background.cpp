#include "glproc/ops/background.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/morphology.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace glproc {

namespace {

constexpr Limit curvature_limit{1, 500};
constexpr int steps_to_white = 255;

/// How far a paraboloid reaches before it is as high as white.
int paraboloid_reach(int radius) {
    return static_cast<int>(std::sqrt(2.0 * radius * steps_to_white - 1));
}

/// How many numbers a code is, or 1 of floats.
int number_scale(const Background& op, const Form& form) {
    return 2 * op.radius * (form.depth == Depth::f32 ? steps_to_white : 1);
}

/// A pass of background/erode.comp.
struct Erosion {
    bool is_first = false;
    bool is_down = false; ///< along y
    int flips = 0;
};

/// Of floats, whose sums are rounded, each pixel is searched for by itself.
void erode_floats(Pass& pass, const GpuImage& source, const GpuImage& dst, const Erosion& erosion) {
    pass.set("u_step", erosion.is_down ? Int2{0, 1} : Int2{1, 0}).over(dst.texture().width(), source.height());
}

/// Of whole numbers.
void erode_numbers(Pass& pass, const GpuImage& source, const Erosion& erosion) {
    constexpr int part = 480; // PART of background/envelope.comp
    const int lines = 4 / source.stored_channels(); // that a block has of each channel
    const auto [along, across] = erosion.is_down ? Int2{source.height(), source.width()} : Int2{source.width(), source.height()};
    pass.groups((along + part - 1) / part, (across + lines - 1) / lines);
}

GpuImage eroded(Context& gpu, const GpuImage& source, const Background& op, const Form& form,
                const Erosion& erosion) {
    GpuImage dst = gpu.make_image({form.width, form.height, form.channels, Depth::f32}, "background.numbers");
    const bool is_float = form.depth == Depth::f32;
    Defines defines{{"CHANNELS", text(source.stored_channels())},
                    {"FIRST", erosion.is_first ? "1" : "0"},
                    {"FETCHED", fetched(gpu.device())}};
    if (!is_float) {
        defines["SRC_DEPTH"] = text(static_cast<int>(source.depth()));
        defines["DOWN"] = erosion.is_down ? "1" : "0";
    }
    Pass pass = gpu.pass("background.erode", is_float ? "background/erode.comp" : "background/envelope.comp", defines);
    pass.reads("i_src", source)
        .writes("i_dst", dst)
        .set("u_size", Int2{form.width, form.height})
        .set("u_reach", paraboloid_reach(op.radius))
        .set("u_unit", form.depth == Depth::u16 ? 257 : 1)
        .set("u_flips", erosion.flips);
    if (is_float) {
        pass.set("u_scale", static_cast<float>(number_scale(op, form)));
        erode_floats(pass, source, dst, erosion);
    } else {
        pass.set("u_scale", number_scale(op, form))
            .set("u_most", static_cast<int>(max_code(form.depth)) * number_scale(op, form));
        erode_numbers(pass, source, erosion);
    }
    return dst;
}

/// The opening of the image, or of its complement.
GpuImage paraboloid_below(Context& gpu, const GpuImage& source, const Background& op) {
    const Form& form = source.form();
    const GpuImage across = eroded(gpu, source, op, form, {.is_first = true, .flips = op.light ? 1 : 0});
    const GpuImage lowered = eroded(gpu, across, op, form, {.is_down = true, .flips = 2});
    const GpuImage raised = eroded(gpu, lowered, op, form, {});
    return eroded(gpu, raised, op, form, {.is_down = true, .flips = op.light ? 0 : 2});
}

int output_code(const Background& op) {
    return op.output == BackgroundOutput::background ? 2 : op.light ? 1 : 0;
}

GpuImage without(Context& gpu, const GpuImage& source, const GpuImage& around, const Background& op) {
    const Form& form = source.form();
    GpuImage dst = gpu.make_image(form, "result");
    gpu.pass("background.subtract", "background/subtract.comp",
             {{"CHANNELS", text(source.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(form.depth))},
              {"KEPT", form.has_alpha() || form.channels == 3 ? "1" : "0"},
              {"NUMBERS", op.by == BackgroundMethod::paraboloid ? "1" : "0"}})
        .reads("i_src", source)
        .reads("i_around", around)
        .writes("i_dst", dst)
        .set("u_output", output_code(op))
        .set("u_scale", number_scale(op, form))
        .set("u_per_scale", static_cast<float>(1.0 / number_scale(op, form)))
        .over(source.texture().width(), form.height);
    return dst;
}

/// Of `count` values that lie `stride` apart, the least of value + height x distance².
void erode_line(double* first, int count, std::ptrdiff_t stride, double height, int reach) {
    std::vector<double> line(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double value = first[i * stride];
        line[static_cast<std::size_t>(i)] =
            std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    }
    for (int i = 0; i < count; ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (int k = std::max(i - reach, 0); k <= std::min(i + reach, count - 1); ++k) {
            least = std::min(least, line[static_cast<std::size_t>(k)] + height * (k - i) * (k - i));
        }
        first[i * stride] = least;
    }
}

std::vector<double> values_in(const Image& image) {
    std::vector<double> values;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                values.push_back(image.at(x, y, c));
            }
        }
    }
    return values;
}

void erode_values(std::vector<double>& values, const Form& form, double height, int reach) {
    const std::ptrdiff_t row = std::ptrdiff_t{form.width} * form.channels;
    for (int y = 0; y < form.height; ++y) {
        for (int c = 0; c < form.channels; ++c) {
            erode_line(values.data() + y * row + c, form.width, form.channels, height, reach);
        }
    }
    for (std::ptrdiff_t x = 0; x < row; ++x) {
        erode_line(values.data() + x, form.height, row, height, reach);
    }
}

/// The background in the chosen rows, in code units.
std::vector<double> paraboloid_rows(const Background& op, const Image& source, std::span<const int> rows) {
    const Form& form = source.form();
    const double scale = 2.0 * op.radius * steps_to_white; // which makes codes and heights whole numbers
    std::vector<double> values = values_in(source);
    const auto each = [&](auto change) {
        std::transform(values.begin(), values.end(), values.begin(), change);
    };
    each([=](double value) { return value * (op.light ? -scale : scale); });
    erode_values(values, form, max_code(form.depth), paraboloid_reach(op.radius));
    each(std::negate<>());
    erode_values(values, form, max_code(form.depth), paraboloid_reach(op.radius));
    each([=](double value) { return value / (op.light ? scale : -scale); });
    const std::ptrdiff_t row = std::ptrdiff_t{form.width} * form.channels;
    std::vector<double> chosen;
    for (const int y : rows) {
        chosen.insert(chosen.end(), values.begin() + y * row, values.begin() + (y + 1) * row);
    }
    return chosen;
}

double output_value(const Background& op, double own, double around, const Form& form) {
    if (op.output == BackgroundOutput::background) {
        return around;
    }
    return (op.light ? max_code(form.depth) : 0) + own - around;
}

std::vector<double> without_on_cpu(const Background& op, const Image& source, const Image& around,
                                   std::span<const int> rows) {
    std::vector<double> values;
    for (const int y : rows) {
        for (int x = 0; x < source.width(); ++x) {
            for (int c = 0; c < source.channels(); ++c) {
                const bool is_alpha = source.has_alpha() && c == source.channels() - 1;
                const double own = source.at(x, y, c);
                values.push_back(is_alpha ? own : output_value(op, own, around.at(x, y, c), source.form()));
            }
        }
    }
    return values;
}

/// The background by one of the operations that there are.
Plan known_plan(const Background& op, const Form& form) {
    const bool is_cpu = op.method == PointMethod::cpu;
    if (op.by == BackgroundMethod::gauss) {
        return plan(Blur{.sigma = double(op.radius),
                         .method = is_cpu ? FilterMethod::cpu : FilterMethod::automatic,
                         .alpha = AlphaMode::ignore},
                    form);
    }
    if (op.by == BackgroundMethod::median) {
        return plan(Median{.radius = op.radius,
                           .method = is_cpu ? MedianMethod::cpu : MedianMethod::automatic,
                           .alpha = RankAlpha::ignore},
                    form);
    }
    return plan(Morphology{.step = op.light ? MorphologyStep::close : MorphologyStep::open,
                           .radius = op.radius,
                           .method = is_cpu ? MorphologyMethod::cpu : MorphologyMethod::automatic,
                           .alpha = RankAlpha::ignore},
                form);
}

Plan paraboloid_plan(const Background& op, const Form& form) {
    Plan plan{.source = form, .result = form};
    const int reach = paraboloid_reach(op.radius);
    plan.needs = [=](Context&) {
        const int pixels = pixels_per_texel(form);
        const int numbers = pixels_per_texel({form.width, form.height, form.channels, Depth::f32});
        return TileNeeds{.what = "background",
                         .halo = {(2 * reach + pixels - 1) / pixels * pixels, 2 * reach},
                         .grain = {pixels, 1},
                         .texel_pixels = numbers,
                         .pixel_bytes = 32.0 / pixels + 48.0 / numbers,
                         .pixel_work = 8.0 * reach * form.channels};
    };
    plan.run = [op](Context& gpu, const Part& source, const Rect&) {
        return paraboloid_below(gpu, source.image, op);
    };
    plan.reference = {.rows = [op](const Image& source,
                                   std::span<const int> rows) { return paraboloid_rows(op, source, rows); },
                      .row_cost = 16.0 * reach * form.width * form.channels};
    return plan;
}

} // namespace

Plan plan(const Background& op, const Form& form) {
    check_limit("radius", op.radius, curvature_limit);
    const Plan around =
        op.by == BackgroundMethod::paraboloid ? paraboloid_plan(op, form) : known_plan(op, form);
    Plan plan = around;
    plan.needs = [around, form](Context& gpu) {
        TileNeeds needs = around.needs(gpu);
        needs.what = "background";
        needs.pixel_bytes += 16.0 / pixels_per_texel(form);
        return needs;
    };
    plan.reference.rows = [=](const Image& source, std::span<const int> rows) {
        const Image there = image_by_processor(around, source);
        return without_on_cpu(op, source, there, rows);
    };
    if (op.method == PointMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.by_processor = {};
    plan.run = [=](Context& gpu, const Part& source, const Rect& tile) {
        return without(gpu, source.image, around.run(gpu, source, tile), op);
    };
    return plan;
}

const OpInfo& background_info() {
    static const OpInfo info =
        Describe<Background>("background", "subtract an uneven background, such as a microscope's",
                             "in.png out.png --radius 50")
            .field("radius", &Background::radius,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = curvature_limit,
                    .slider = {1, 200},
                    .help = "a size larger than the largest object: the radius of the paraboloid's top, half "
                            "the square's side, or sigma (127 at most for median)"})
            .field("rule", &Background::by,
                   {.value = "RULE", .help = "how to find the background", .alias = "method"})
            .toggle("light", &Background::light, true, {.help = "the background is lighter than the objects"})
            .field("output", &Background::output, {.value = "P", .help = "what to write"})
            .method(&Background::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Background of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"paraboloid, radius 20", "2448x1505", {{"radius", "20"}}},
                                              {"tophat, radius 50", "2448x1505", {{"rule", "tophat"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
