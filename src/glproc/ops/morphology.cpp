#include "glproc/ops/morphology.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace glproc {

std::vector<int> runs_of(const Morphology& op) {
    const PerAxis<int> radius = op.radius;
    std::vector<int> runs;
    for (int y = -radius.y; y <= radius.y; ++y) {
        const auto reaches = [&](std::int64_t x) { // x² / rx² + y² / ry² ≤ 1
            const std::int64_t rx = radius.x;
            const std::int64_t ry = std::max(radius.y, 1);
            return x * x * ry * ry + std::int64_t{y} * y * rx * rx <= rx * rx * ry * ry;
        };
        int reach = radius.x;
        if (op.shape == MorphologyShape::cross && y != 0) {
            reach = 0;
        }
        while (op.shape == MorphologyShape::disk && reach > 0 && !reaches(reach)) {
            --reach;
        }
        runs.push_back(reach);
    }
    return runs;
}

bool is_difference(MorphologyStep step) {
    return step == MorphologyStep::gradient || step == MorphologyStep::tophat ||
           step == MorphologyStep::blackhat;
}

double indifferent(Depth depth, Extreme which) {
    constexpr double most = std::numeric_limits<float>::max();
    const double high = depth == Depth::f32 ? most : max_code(depth);
    return which == Extreme::least ? high : depth == Depth::f32 ? -most : 0;
}

namespace {

constexpr Limit shape_radius_limit{0, 127};

bool is_double(MorphologyStep step) {
    return step != MorphologyStep::erode && step != MorphologyStep::dilate &&
           step != MorphologyStep::gradient;
}

std::optional<std::string> why_unavailable(Context& gpu, const Form& form, const Morphology& op) {
    if (op.method == MorphologyMethod::flat && op.shape != MorphologyShape::box) {
        return fmt::format("flat is for boxes, and the shape is a {}", name_of(op.shape));
    }
    if (op.method == MorphologyMethod::direct && !can_run_direct(gpu, form, op)) {
        return fmt::format("radius {},{} is too large for the loops of {}", op.radius.x, op.radius.y,
                           gpu.device().renderer);
    }
    return std::nullopt;
}

std::vector<int> all_rows(const Form& form) {
    std::vector<int> rows(static_cast<std::size_t>(form.height));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

GpuImage step_of(Context& gpu, const GpuImage& given, const Morphology& op, Extreme which) {
    std::optional<GpuImage> seen;
    if (given.has_alpha()) {
        seen.emplace(with_hidden(gpu, given, indifferent(given.depth(), which)));
    }
    const GpuImage& src = seen ? *seen : given;
    const bool is_flat = op.method == MorphologyMethod::flat ||
                         (op.method == MorphologyMethod::automatic && op.shape == MorphologyShape::box);
    return is_flat ? run_flat(gpu, src, op, which) : run_direct(gpu, src, op, which);
}

GpuImage run_steps(Context& gpu, const GpuImage& src, const Morphology& op) {
    using enum Extreme;
    const auto step = [&](const GpuImage& from, Extreme which) { return step_of(gpu, from, op, which); };
    switch (op.step) {
    case MorphologyStep::erode:
        return step(src, least);
    case MorphologyStep::dilate:
        return step(src, largest);
    case MorphologyStep::open:
    case MorphologyStep::tophat: {
        GpuImage opened = step(step(src, least), largest);
        if (op.step == MorphologyStep::tophat) {
            subtract(gpu, src, opened, true, op);
        }
        return opened;
    }
    case MorphologyStep::close:
    case MorphologyStep::blackhat: {
        GpuImage closed = step(step(src, largest), least);
        if (op.step == MorphologyStep::blackhat) {
            subtract(gpu, src, closed, false, op);
        }
        return closed;
    }
    case MorphologyStep::gradient:
    case MorphologyStep::fill:
    case MorphologyStep::clear_border:
    case MorphologyStep::hitmiss:
    case MorphologyStep::reconstruct:
        break;
    }
    GpuImage dilated = step(src, largest);
    subtract(gpu, step(src, least), dilated, false, op);
    return dilated;
}

GpuImage run_morphology(Context& gpu, const GpuImage& src, const Morphology& op) {
    if (PerAxis<int>(op.radius) == PerAxis<int>(0) && !is_difference(op.step)) {
        return gpu.copy(src, "morphology");
    }
    const bool is_automatic = op.method == MorphologyMethod::automatic;
    const bool needs_cpu =
        is_automatic && op.shape != MorphologyShape::box && !can_run_direct(gpu, src.form(), op);
    if (op.method == MorphologyMethod::cpu || needs_cpu) {
        const Image image = gpu.download(src);
        return gpu.upload(morphology_on_cpu(image, op, all_rows(image.form())), "morphology");
    }
    GpuImage made = run_steps(gpu, src, op);
    return made.has_alpha() && made.depth() == Depth::f32 ? with_hidden(gpu, made, 0) : std::move(made);
}

} // namespace

Plan plan(const Morphology& given, const Form& form) {
    Morphology op = given;
    if (is_of_objects(op.step)) {
        return objects_plan(op, form);
    }
    if (!op.pattern.cells.empty() || op.with.image || !op.with.path.empty()) {
        throw Error(ErrorCode::usage, fmt::format("--do {} has no --{}", name_of(op.step),
                                                  op.pattern.cells.empty() ? "with" : "pattern"));
    }
    if (!op.radius.is_given) {
        throw Error(ErrorCode::usage, fmt::format("--do {} needs --radius", name_of(op.step)), "--radius 3");
    }
    const Limit limit = op.shape == MorphologyShape::box ? radius_limit : shape_radius_limit;
    check_limit("radius", op.radius.x, limit);
    check_limit("radius", op.radius.y, limit);
    if (op.shape == MorphologyShape::box) {
        op.radius = radius_within(form, op.radius);
    }
    if (is_difference(op.step)) {
        op.alpha = RankAlpha::ignore;
    }
    const int times = is_double(op.step) ? 2 : 1;
    const std::vector<int> runs = runs_of(op);
    const double pixels = std::accumulate(runs.begin(), runs.end(), 0.0,
                                          [](double sum, int reach) { return sum + 2.0 * reach + 1; });
    const bool is_box = op.shape == MorphologyShape::box;
    Plan plan =
        rank_plan(fmt::format("morphology with radius {},{}", op.radius.x, op.radius.y), form, op.border,
                  {times * op.radius.x, times * op.radius.y}, times * (is_box ? 16 : pixels));
    if (is_box) { // its pictures are turned: a row of pixels becomes a column of texels
        plan.work.needs = [needs = plan.work.needs](Context& gpu) {
            TileNeeds turned = needs(gpu);
            turned.texel_pixels = 1;
            turned.pixel_bytes *= 2;
            return turned;
        };
    }
    plan.work.why_unavailable = [=](Context& gpu) { return why_unavailable(gpu, form, op); };
    plan.work.run = [=](Context& gpu, const Part& source, const Rect&) {
        return run_morphology(gpu, source.image, op);
    };
    const double cpu_cost = is_box ? 2.0 * op.radius.x + 2.0 * op.radius.y + 2 : pixels;
    set_by_processor(
        plan, [op](const Image& source) { return morphology_on_cpu(source, op, all_rows(source.form())); },
        4 * cpu_cost * form.width * form.channels * (times == 1 ? 1 : 2.0 * op.radius.y + 2));
    plan.twin.work = times * (2.0 * op.radius.y + 1) * (is_box ? 0.15 : 0.6); // whole rows at a time
    plan.twin.only_proves = op.method != MorphologyMethod::automatic && op.method != MorphologyMethod::cpu;
    plan.work.on_cpu = op.method == MorphologyMethod::cpu;
    plan.shape.meaning = op.step == MorphologyStep::gradient ? Meaning::numbers : Meaning::kept;
    return plan;
}

const OpInfo& morphology_info() {
    static const OpInfo info =
        Describe<Morphology>("morphology", "erode, dilate, open or close the shapes in an image",
                             "in.png out.png --do open --radius 3")
            .alias("morph")
            .alias("dilate --do dilate")
            .alias("erode --do erode")
            .alias("opening --do open")
            .alias("closing --do close")
            .alias("tophat --do tophat")
            .alias("blackhat --do blackhat")
            .alias("fill-holes --do fill")
            .alias("clear-border --do clear-border")
            .example("Keep only the bright details smaller than a disk, such as stars",
                     "photo.jpg out.png --do tophat --radius 3 --shape disk")
            .example("Make light areas grow; dilate, erode, opening and closing are commands of their own",
                     "glproc dilate photo.jpg out.png --radius 2")
            .example("Find the upper edges of the objects of a mask",
                     "mask.png edges.png --do hitmiss --pattern '0 0 0; - 1 -; 1 1 1'")
            .example("Fill the holes of all objects of a mask", "glproc fill-holes mask.png filled.png")
            .cost({.llvmpipe = 20, .per_work = 0.04})
            .field("do", &Morphology::step, {.value = "STEP", .help = "the operation", .required = true})
            .field("radius", &Morphology::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = radius_limit,
                    .slider = {0, 50},
                    .help = "how far the shape reaches; R,RY for each axis; up to 127 for disks and crosses"})
            .field("shape", &Morphology::shape, {.value = "S", .help = "the shape of the neighbourhood"})
            .field(
                "pattern", &Morphology::pattern,
                {.value = "ROWS",
                 .help = "what hitmiss looks for, row by row: 1 is a white pixel, 0 a black one, - either"})
            .field("with", &Morphology::with,
                   {.value = "FILE", .help = "what reconstruct grows into: the image that limits it"})
            .field("border", &Morphology::border)
            .field("alpha", &Morphology::alpha)
            .method(&Morphology::method,
                    {.size = "2448x1505",
                     .ladders =
                         {{.title = "Dilation of a random 2448x1505 RGBA8 image by a box, ms",
                           .columns = {{"radius 1", "2448x1505", {{"do", "dilate"}, {"radius", "1"}}},
                                       {"radius 5", "2448x1505", {{"do", "dilate"}, {"radius", "5"}}},
                                       {"radius 100", "2448x1505", {{"do", "dilate"}, {"radius", "100"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
