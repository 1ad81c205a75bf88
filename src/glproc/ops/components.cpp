#include "glproc/ops/components.hpp"

#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/ops/components/run.hpp"
#include "glproc/ops/components/table.hpp"

#include <algorithm>
#include <cctype>
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

/// Rows that fit into a storage block of runs, with the row above them.
TileNeeds needs_of(Context& gpu, const Components& op, const Form& form) {
    const double source = 16.0 / pixels_per_texel(form);
    const double labelling = 3 + (op.fill_holes ? 5 : 0);
    const double most_pixels = static_cast<double>(most_labelled_rows(gpu, form.width) - 1) * form.width;
    return {.what = "components",
            .grain = {pixels_per_texel(form), 1},
            .texel_pixels = pixels_per_texel(form),
            .pixel_bytes =
                std::max(source * (op.threshold ? 2 : 1) + labelling, room_of(gpu).bytes / most_pixels),
            .pixel_work = 20};
}

/// One sweep, which begins a run unless there is a sweep before it.
Sweep sweep_of(const Components& op, ComponentsSweep::Work work, ComponentsSweep::End end) {
    return {.begin = [=](Context& gpu, const BandCut& cut, SweepState* before) {
        auto run = before != nullptr ? static_cast<ComponentsSweep*>(before)->run()
                                     : std::make_shared<ComponentsRun>(gpu, op, cut.picture);
        return std::make_unique<ComponentsSweep>(std::move(run), work, end);
    }};
}

Report report_of(const Components& op, const std::string& name, const Form& form,
                 const std::vector<ComponentSums>& components) {
    const std::size_t count = components.size();
    return report_of({{"schema", {"glproc.components/1"}},
                      {"input", {name}},
                      {"width", {std::int64_t{form.width}}},
                      {"height", {std::int64_t{form.height}}},
                      {"count", {static_cast<std::int64_t>(count)}}},
                     "components", components_table(op.measure, components),
                     fmt::format("{}  {}x{}  {} component{}", name, form.width, form.height, count,
                                 count == 1 ? "" : "s"));
}

std::vector<ComponentSums> components_in(SweepResult& result) {
    return result.last<ComponentsSweep>().run()->components();
}

/// The components of a whole picture, whose programs are proved by nobody.
std::vector<ComponentSums> components_of(const Components& op, Context& gpu, const ImageInput& input) {
    SweepPlan unproved = plan(op, input.image.form());
    unproved.prove = {};
    SweepResult result = run_sweeps(gpu, unproved, input.image, &input.pixels);
    return components_in(result);
}

Workload components_workload(const Components& op, Context& gpu, const ImageInput& input) {
    const auto got = std::make_shared<std::vector<ComponentSums>>();
    const auto check = [=, &gpu] {
        Components right = op;
        right.method = ComponentsMethod::cpu;
        return Verdict{*got == components_of(right, gpu, input) ? "" : "the components differ"};
    };
    return {.run = [=, &gpu] { *got = components_of(op, gpu, input); },
            .check = check,
            .least_bytes = static_cast<double>(input.pixels.bytes().size()),
            .on_cpu = op.method == ComponentsMethod::cpu};
}

} // namespace

MaskThreshold FieldText<MaskThreshold>::parse(const FieldContext& c, std::string_view text) {
    const std::vector<std::string> rules = FieldText<SplitRule>::names();
    const bool is_word = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
    return is_word ? MaskThreshold{.rule = FieldText<SplitRule>::parse(c, text)}
                   : MaskThreshold{.at = parse_level(c, text)};
}

std::string FieldText<MaskThreshold>::print(const MaskThreshold& value) {
    return value.rule ? std::string(name_of(*value.rule)) : FieldText<Level>::print(value.at);
}

std::string FieldText<MaskThreshold>::range(const Limit& limit) {
    return FieldText<Level>::range(limit) + ", or " + FieldText<SplitRule>::range(limit);
}

SweepPlan plan(const Components& op, const Form& form) {
    check(op, form);
    SweepPlan plan{.source = form,
                   .needs = [op, form](Context& gpu) { return needs_of(gpu, op, form); },
                   .sweeps = {},
                   .report =
                       [op, form](Context&, SweepState& last, const std::string& name) {
                           return report_of(op, name, form,
                                            static_cast<ComponentsSweep&>(last).run()->components());
                       },
                   .prove =
                       [op, form](Context& gpu) {
                           Components half = op; // of the probe, whose pixels are hardly ever black
                           half.threshold = op.threshold.value_or(MaskThreshold{});
                           prove_on_picture(gpu, form, [&](const ImageInput& probe) {
                               return components_workload(half, gpu, probe);
                           });
                       }};
    if (op.threshold && op.threshold->rule) {
        plan.sweeps.push_back(sweep_of(op, &ComponentsRun::count, &ComponentsRun::choose_threshold));
    }
    if (op.fill_holes) {
        plan.sweeps.push_back(sweep_of(op, &ComponentsRun::look_for_holes, &ComponentsRun::choose_holes));
    }
    plan.sweeps.push_back(sweep_of(op, &ComponentsRun::look, &ComponentsRun::choose));
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
            .field("threshold", &Components::threshold,
                   {.value = "V|RULE",
                    .limit = luma_limit,
                    .help = "objects are pixels with luma above this; without it, pixels that are not black"})
            .field("connectivity", &Components::connectivity,
                   {.value = "8|4", .help = "which pixels touch and belong to one object"})
            .toggle("fill-holes", &Components::fill_holes, true, {.help = "fill holes in objects first"})
            .toggle("clear-border", &Components::clear_border, true,
                    {.help = "leave out objects that touch the border of the image"})
            .field("min-area", &Components::min_area,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = area_limit,
                    .slider = {0, 1000},
                    .help = "leave out smaller objects"})
            .field("max-area", &Components::max_area,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = area_limit,
                    .slider = {0, 100000},
                    .help = "leave out larger objects"})
            .field("largest", &Components::largest,
                   {.value = "N",
                    .limit = count_limit,
                    .slider = {1, 100},
                    .help = "keep only the N largest of the others"})
            .field("measure", &Components::measure, {.value = "LIST", .help = "columns of the table"})
            .field("method", &Components::method,
                   {.value = "M", .help = "where to compute; the result is the same", .alias = "variant"})
            .bench<ImageInput>(
                "method", &Components::method,
                {.size = "2448x1505",
                 .channels = 1,
                 .ladders = {{.title = "Components of a random 2448x1505 grey image, ms",
                              .columns = {{"half set", "2448x1505", {{"threshold", "0.5"}}}}}}},
                [](const Components&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                components_workload)
            .runs(Product::report, &plan, &Components::method);
    return info;
}

} // namespace glproc
