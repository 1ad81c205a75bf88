#include "glproc/ops/components.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/components/chosen.hpp"
#include "glproc/ops/components/filter.hpp"
#include "glproc/ops/components/proof.hpp"
#include "glproc/ops/components/run.hpp"
#include "glproc/ops/components/table.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit area_limit{0, 2147483647};
constexpr Limit count_limit{1, 2147483647};
constexpr Limit luma_limit{-1e30, 1e30};

void check(const Components& op, const Form& form) {
    if (op.threshold && !op.threshold->rule) {
        check_level("threshold", op.threshold->at, form, between_black_and_white, luma_limit);
    }
    check_limit("min-area", op.min_area.value_or(0), area_limit);
    check_limit("max-area", op.max_area.value_or(0), area_limit);
    check_limit("largest", op.largest.value_or(1), count_limit);
}

/// The last sweep.
enum class Wanted { table, labels, picture };

/// With the values of a second picture in the table, if one is given.
Components with_measures(Components op) {
    using enum ComponentMeasure;
    const bool has_values = op.with.image || !op.with.path.empty();
    std::vector<ComponentMeasure> all = op.keep ? measures_of(*op.keep) : std::vector<ComponentMeasure>();
    all.insert(all.begin(), op.measure.begin(), op.measure.end());
    for (const ComponentMeasure measure : all) {
        if (needs_of(std::vector{measure}).values && !has_values) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} needs --with, the image whose values are measured", name_of(measure)),
                        "--with in.png");
        }
    }
    if (has_values && !needs_of(op.measure).values) {
        op.measure.insert(op.measure.end(), {mean, min, max});
    }
    check_filter(op);
    return op;
}

/// Rows that fit into a storage block of runs, with the row above them.
TileNeeds needs_of(Context& gpu, const Components& op, const Form& form, bool paints) {
    const double source = 16.0 / pixels_per_texel(form);
    const double labelling = 3 + (op.fill_holes ? 5 : 0) + (paints ? 8 : 0);
    return {.what = "components",
            .grain = {pixels_per_texel(form), 1},
            .texel_pixels = pixels_per_texel(form),
            .most_rows = most_labelled_rows(gpu, form.width) - 1,
            .pixel_bytes = source * (op.threshold ? 2 : 1) + labelling,
            .pixel_work = 20};
}

/// A sweep of a run; the first one begins it.
Sweep sweep_of(const Components& op, bool paints, ComponentsSweep::Work work, ComponentsSweep::End end) {
    return {.begin = [=](Context& gpu, const BandCut& cut, SweepState* before) {
        auto run = before != nullptr ? static_cast<ComponentsSweep*>(before)->run()
                                     : std::make_shared<ComponentsRun>(gpu, op, cut.picture, paints);
        return std::make_unique<ComponentsSweep>(std::move(run), work, end);
    }};
}

/// The sweeps that a call needs, in their order.
std::vector<Sweep> sweeps_of(const Components& op, const Form& form, Wanted wanted) {
    using Run = ComponentsRun;
    const bool measures = needs_of(op).labels();
    const bool paints = measures || wanted != Wanted::table;
    std::vector<Sweep> sweeps;
    const auto add = [&](ComponentsSweep::Work work, ComponentsSweep::End end) {
        sweeps.push_back(sweep_of(op, paints, work, end));
    };
    if (op.threshold && op.threshold->rule && form.depth == Depth::f32) {
        add(&Run::look_at_values, &Run::choose_range);
    }
    if (op.threshold && op.threshold->rule) {
        add(&Run::count, &Run::choose_threshold);
    }
    if (op.fill_holes && op.method != ComponentsMethod::cpu) { // which finds them as it looks
        add(&Run::look_for_holes, &Run::choose_holes);
    }
    add(&Run::look, &Run::choose);
    if (measures) {
        add(&Run::measure, &Run::end_measuring);
    }
    if (wanted == Wanted::labels) {
        add(&Run::paint_labels, &Run::end_painting);
    } else if (wanted == Wanted::picture) {
        add(&Run::paint_picture, &Run::end_painting);
        sweeps.back().makes = painted_form(op, form);
    }
    return sweeps;
}

void check_wanted(const Components& op, Wanted wanted) {
    const bool has_overlay = op.overlay.image || !op.overlay.path.empty();
    if (wanted == Wanted::table && (has_overlay || op.output)) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} needs OUT, the image to write", has_overlay ? "overlay" : "output"));
    }
    if (wanted == Wanted::labels && (has_overlay || op.output == ComponentsOutput::mask)) {
        throw Error(ErrorCode::usage, "a .npy file holds labels", "write an image, such as .png");
    }
}

SweepPlan plan_for(const Components& given, const Form& form, Wanted wanted) {
    check(given, form);
    check_wanted(given, wanted);
    const Components op = with_measures(given);
    SweepPlan plan{.source = form,
                   .needs = [=](Context& gpu) { return needs_of(gpu, op, form, wanted != Wanted::table); },
                   .sweeps = sweeps_of(op, form, wanted),
                   .report =
                       [op, form](Context&, SweepState& last, const std::string& name) {
                           return report_of(op, name, static_cast<ComponentsSweep&>(last).run()->measured());
                       },
                   .prove = [op, form](Context& gpu) { prove_components(gpu, op, form); }};
    plan.makes_mask = wanted == Wanted::picture && !op.overlay.image && op.output != ComponentsOutput::labels;
    plan.meaning =
        wanted == Wanted::picture && op.output == ComponentsOutput::labels ? Meaning::numbers : Meaning::kept;
    if (op.with.image) {
        plan.more.push_back(rows_of(*op.with.image));
    }
    if (op.overlay.image && wanted == Wanted::picture) {
        plan.more.push_back(rows_of(*op.overlay.image));
    }
    if (wanted == Wanted::labels) {
        plan.array = {ArrayType::u32,
                      {static_cast<std::size_t>(form.height), static_cast<std::size_t>(form.width)}};
    }
    return plan;
}

std::vector<ComponentSums> components_in(SweepResult& result) {
    return result.last<ComponentsSweep>().run()->components();
}

/// With or without a picture of it.
struct Made {
    ComponentsAlone components;
    Report report;
};

Made made_alone(const Components& given, const std::string& name, const Image& picture, Wanted wanted) {
    check(given, picture.form());
    check_wanted(given, wanted);
    const Components op = with_measures(given);
    ComponentsAlone components = components_alone(op, picture);
    Report report = report_of(op, name, measured_alone(op, picture.form(), components));
    if (wanted != Wanted::table) {
        add_objects_finding(components.kept().size());
    }
    return {std::move(components), std::move(report)};
}

MadeAlone table_alone(const Components& op, const std::string& name, const Image& picture) {
    return {.report = made_alone(op, name, picture, Wanted::table).report};
}

MadeAlone labels_alone(const Components& op, const std::string& name, const Image& picture) {
    Made made = made_alone(op, name, picture, Wanted::labels);
    return {.array = labels_array(made.components, picture.form()), .report = std::move(made.report)};
}

MadeAlone picture_alone(const Components& op, const std::string& name, const Image& picture) {
    Made made = made_alone(op, name, picture, Wanted::picture);
    return {.picture = made.components.painted(0, picture.height(), op.overlay.image.get()),
            .report = std::move(made.report)};
}

} // namespace

SweepPlan plan(const Components& op, const Form& form) {
    return plan_for(op, form, Wanted::table);
}

SweepPlan labels_plan(const Components& op, const Form& form) {
    return plan_for(op, form, Wanted::labels);
}

SweepPlan picture_plan(const Components& op, const Form& form) {
    return plan_for(op, form, Wanted::picture);
}

SweepPlan filled_plan(const Components& op, const Form& form) {
    check(op, form);
    using Run = ComponentsRun;
    SweepPlan plan{.source = form,
                   .needs = [=](Context& gpu) { return needs_of(gpu, op, form, true); },
                   .sweeps = {sweep_of(op, false, &Run::look_for_holes, &Run::choose_holes),
                              sweep_of(op, false, &Run::paint_filled, &Run::end_filling)}};
    plan.sweeps.back().makes = painted_form(op, form);
    return plan;
}

std::vector<ComponentSums> Components::operator()(Context& gpu, const GpuImage& image) const {
    return run_by_proved_method(gpu, *this, &Components::method, [&](const Components& op) {
        SweepResult result = run_sweeps(gpu, plan(op, image.form()), image);
        return components_in(result);
    });
}

std::vector<ComponentSums> Components::operator()(Context& gpu, const RowSource& picture,
                                                  const TileProgress& progress) const {
    return run_by_proved_method(gpu, *this, &Components::method, [&](const Components& op) {
        SweepResult result = run_sweeps(gpu, plan(op, picture.form), picture, nullptr, progress);
        return components_in(result);
    });
}

const OpInfo& components_info() {
    static const OpInfo info =
        Describe<Components>("components", "find, measure and select the objects of an image",
                             "in.png --threshold otsu --min-area 50")
            .alias("connected-components")
            .example("Draw the outlines of bright objects on the image",
                     "photo.jpg out.png --threshold otsu --overlay photo.jpg")
            .example("Write the shape of the five largest objects as a table",
                     "photo.jpg --threshold 60% --largest 5 --measure area,centroid,axes --format csv")
            .example("Count and measure bright objects, without specks and objects that the edge cuts",
                     "photo.jpg --threshold otsu --min-area 4 --clear-border")
            .example("Draw the round objects alone",
                     "photo.jpg out.png --threshold otsu --keep 'area > 50 and circularity > 0.8'")
            .found_by({"label", "count"}, "IN --threshold otsu")
            .found_by({"analyze-particles", "particles", "solidity", "circularity", "feret", "minarearect"},
                      "IN --threshold otsu --measure area,circularity,solidity,feret_max")
            .found_by({"-connected-components N"})
            .cost({.alone = 6})
            .field("threshold", &Components::threshold,
                   {.value = "V",
                    .limit = luma_limit,
                    .help = "objects have luma above this; by default, all but black"})
            .field("connectivity", &Components::connectivity,
                   {.value = "N", .help = "which neighbours of a pixel belong to its object"})
            .toggle("fill-holes", &Components::fill_holes, true, {.help = "fill holes in objects first"})
            .toggle("clear-border", &Components::clear_border, true,
                    {.help = "leave out objects that touch the border of the image"})
            .field("min-area", &Components::min_area,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = area_limit,
                    .slider = {0, 1000},
                    .help = "leave out smaller objects",
                    .size_powers = {{2}}})
            .field("max-area", &Components::max_area,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = area_limit,
                    .slider = {0, 100000},
                    .help = "leave out larger objects",
                    .size_powers = {{2}}})
            .field("keep", &Components::keep,
                   {.value = "EXPR",
                    .help = "keep objects whose measures meet this",
                    .holds_places = true}) // lengths in pixels, which no smaller preview has
            .field("largest", &Components::largest,
                   {.value = "N",
                    .limit = count_limit,
                    .slider = {1, 100},
                    .help = "keep only the N largest of the others"})
            .field("measure", &Components::measure,
                   {.value = "LIST", .help = "what to measure: the columns of the table"})
            .field("with", &Components::with,
                   {.value = "FILE", .help = "also measure the values of this image"})
            .field("output", &Components::output,
                   {.value = "KIND",
                    .help = "content of OUT; .npy holds labels",
                    .contradicts = "overlay",
                    .standard = "mask"})
            .field("overlay", &Components::overlay,
                   {.value = "FILE",
                    .help = "draw outlines and numbers on this image, and write it to OUT",
                    .contradicts = "output"})
            .field("outline", &Components::outline,
                   {.value = "COLOUR", .help = "colour of outlines", .needs = "overlay"})
            .field("numbers", &Components::numbers,
                   {.value = "on|off",
                    .help = "draw the number of each object, its row in the table",
                    .needs = "overlay"})
            .field("method", &Components::method,
                   {.value = "M", .help = "where to compute", .alias = "variant"})
            .bench<ImageInput>(
                "method", &Components::method,
                {.size = "2448x1505",
                 .channels = 1,
                 .ladders = {{.title = "Components of a random 2448x1505 grey image, ms",
                              .columns = {{"half set", "2448x1505", {{"threshold", "0.5"}}}}}}},
                [](const Components&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                timed_workload)
            .makes(Product::image, "in.png out.png --threshold otsu --min-area 50", &picture_plan,
                   &Components::method, &picture_alone)
            .makes(Product::array, "in.png out.npy --threshold otsu", &labels_plan, &Components::method,
                   &labels_alone)
            .runs(Product::report, &plan, &Components::method, &table_alone);
    return info;
}

} // namespace glproc
