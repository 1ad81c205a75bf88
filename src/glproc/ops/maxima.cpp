#include "glproc/ops/maxima.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/table.hpp"
#include "glproc/ops/maxima/grey.hpp"
#include "glproc/ops/maxima/run.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit distance_limit{1, 1000};
constexpr Limit threshold_limit{-1e30, 1e30};
constexpr Limit prominence_limit{0, 1e30};

Table table_of(const Maxima& op, Depth depth, std::vector<Maximum> maxima) {
    const auto value_column = [depth](const char* name) {
        return TableColumn{.name = name, .type = ColumnType::real, .is_float_measure = depth == Depth::f32};
    };
    Table table{.columns = {{"x", ColumnType::whole, "pixels"},
                            {"y", ColumnType::whole, "pixels"},
                            value_column("value")},
                .rows = {}};
    if (op.prominence) {
        table.columns.push_back(value_column("prominence"));
    }
    table.rows = [maxima = std::move(maxima), columns = table.columns.size()](const TakeRow& take) {
        std::vector<TableCell> row(4);
        for (const Maximum& maximum : maxima) {
            row[0] = std::int64_t{maximum.x};
            row[1] = std::int64_t{maximum.y};
            row[2] = double{maximum.value};
            row[3] = double{maximum.prominence};
            take(std::span(row).first(columns));
        }
    };
    return table;
}

Report report_of(const Maxima& op, const std::string& name, const Form& form,
                 const std::vector<Maximum>& maxima) {
    Value::Object facts{{"schema", {"glproc.maxima/1"}},
                        {"input", {name}},
                        {"width", {std::int64_t{form.width}}},
                        {"height", {std::int64_t{form.height}}},
                        {"count", {static_cast<std::int64_t>(maxima.size())}}};
    return report_of(std::move(facts), "maxima", table_of(op, form.depth, maxima),
                     fmt::format("{}  {}x{}  {}", name, form.width, form.height,
                                 counted(maxima.size(), "maximum", "maxima")));
}

void check(const Maxima& op, const Form& form) {
    check_limit("distance", op.distance, distance_limit);
    if (op.threshold) {
        check_level("threshold", *op.threshold, form, between_black_and_white, threshold_limit);
    }
    if (op.prominence) {
        check_level("prominence", *op.prominence, form, between_black_and_white, prominence_limit);
    }
}

/// The window around a band lies on the GPU with it, and its largest values, which are turned on the way;
/// later their plateaus, and their first pixels.
TileNeeds needs_of(const Form& form) {
    const int pixels = pixels_per_texel(form);
    return {.what = "maxima", .texel_pixels = 1, .pixel_bytes = 6 * 16.0 / pixels + 5, .pixel_work = 40};
}

std::vector<Maximum> maxima_in(Context& gpu, Maxima op, const ImageInput& input) {
    SweepPlan unproved = plan(op, input.image.form());
    unproved.prove = {};
    return run_sweeps(gpu, unproved, input.image, &input.pixels).last<MaximaLook>().maxima();
}

Workload maxima_workload(const Maxima& op, Context& gpu, const ImageInput& input) {
    const auto got = std::make_shared<std::vector<Maximum>>();
    const auto check = [=] {
        return Verdict{*got == maxima_on_cpu(op, grey_of(input.pixels)) ? "" : "the maxima differ"};
    };
    return {.run = [=, &gpu] { *got = maxima_in(gpu, op, input); },
            .check = check,
            .least_bytes = static_cast<double>(input.pixels.bytes().size()),
            .on_cpu = op.method == MaximaMethod::cpu};
}

void prove(Context& gpu, const Maxima& op, const Form& form) {
    Maxima probed = op;
    probed.prominence = {}; // which no kernel computes
    probed.border = true;
    prove_on_picture(gpu, form, [&](const ImageInput& probe) { return maxima_workload(probed, gpu, probe); });
}

SweepPlan look_plan(const Maxima& op, const Form& form) {
    check(op, form);
    return {.source = form,
            .needs = [form](Context&) { return needs_of(form); },
            .sweeps = {{.begin = [op](Context&, const BandCut& cut,
                                      SweepState*) { return std::make_unique<MaximaLook>(op, cut); }}},
            .prove = [op, form](Context& gpu) { prove(gpu, op, form); }};
}

std::vector<Maximum> maxima_alone(const Maxima& op, const Image& image) {
    check(op, image.form());
    std::vector<Maximum> maxima = maxima_on_cpu(op, grey_of(image));
    add_maxima_finding(maxima.size());
    return maxima;
}

MadeAlone report_alone(const Maxima& op, const std::string& name, const Image& image) {
    return {.report = report_of(op, name, image.form(), maxima_alone(op, image))};
}

MadeAlone points_alone(const Maxima& op, const std::string& name, const Image& image) {
    std::vector<Maximum> maxima = maxima_alone(op, image);
    Image points(image.width(), image.height(), 1, Depth::u8);
    for (const Maximum& maximum : maxima) {
        points.row(maximum.y)[maximum.x] = std::byte{255}; // NOLINT: a byte a pixel
    }
    return {.picture = std::move(points), .report = report_of(op, name, image.form(), maxima)};
}

} // namespace

SweepPlan plan(const Maxima& op, const Form& form) {
    SweepPlan plan = look_plan(op, form);
    plan.report = [op, form](Context&, SweepState& last, const std::string& name) {
        return report_of(op, name, form, static_cast<MaximaLook&>(last).maxima());
    };
    return plan;
}

SweepPlan points_plan(const Maxima& op, const Form& form) {
    SweepPlan plan = look_plan(op, form);
    plan.sweeps.push_back({.reads_source = false,
                           .makes = Form{form.width, form.height, 1, Depth::u8},
                           .begin = [](Context&, const BandCut&, SweepState* before) {
                               return std::make_unique<MaximaShow>(static_cast<MaximaLook&>(*before));
                           }});
    plan.report = [op, form](Context&, SweepState& last, const std::string& name) {
        return report_of(op, name, form, static_cast<MaximaShow&>(last).maxima());
    };
    return plan;
}

std::vector<Maximum> Maxima::operator()(Context& gpu, const GpuImage& image) const {
    return run_by_proved_method(gpu, *this, &Maxima::method, [&](const Maxima& op) {
        return run_sweeps(gpu, plan(op, image.form()), image).last<MaximaLook>().maxima();
    });
}

std::vector<Maximum> Maxima::operator()(Context& gpu, const RowSource& picture,
                                        const TileProgress& progress) const {
    return run_by_proved_method(gpu, *this, &Maxima::method, [&](const Maxima& op) {
        return run_sweeps(gpu, plan(op, picture.form), picture, nullptr, progress)
            .last<MaximaLook>()
            .maxima();
    });
}

const OpInfo& maxima_info() {
    static const OpInfo info =
        Describe<Maxima>("maxima", "find the brightest points of an image",
                         "in.png --distance 5 --threshold 50%")
            .alias("peaks")
            .example("List the peaks that stand out by a tenth of white, for a spreadsheet",
                     "photo.jpg --distance 5 --prominence 10% --format csv")
            .example("Draw the brightest points as white on black",
                     "photo.jpg points.png --distance 10 --threshold 50%")
            .found_by({"find-maxima"}, "IN --prominence 10%")
            .found_by({"maxima --height"}, "IN --threshold {10%}")
            .cost({.alone = 12})
            .field("distance", &Maxima::distance,
                   {.value = "D",
                    .unit = "pixels",
                    .limit = distance_limit,
                    .slider = {1, 50},
                    .help = "a maximum is the brightest pixel within this distance along x and y"})
            .field("threshold", &Maxima::threshold,
                   {.value = "V",
                    .limit = threshold_limit,
                    .slider = {0, 1, 0.005},
                    .help = "maxima have luma above this; by default, above the darkest pixel"})
            .field("prominence", &Maxima::prominence,
                   {.value = "P",
                    .limit = prominence_limit,
                    .slider = {0, 1, 0.005},
                    .help = "leave out maxima that stand out less than this from their surroundings"})
            .toggle("border", &Maxima::border, true,
                    {.help = "also find maxima nearer than D to the border of the image"})
            .field("method", &Maxima::method, {.value = "M", .help = "where to compute", .alias = "variant"})
            .bench<ImageInput>(
                "method", &Maxima::method,
                {.size = "2448x1505",
                 .channels = 1,
                 .ladders = {{.title = "Maxima of a random 2448x1505 grey image, ms",
                              .columns = {{"distance 1", "2448x1505", {{"distance", "1"}}},
                                          {"distance 10", "2448x1505", {{"distance", "10"}}}}}}},
                [](const Maxima&, Context&, const ImageInput&) { return std::optional<std::string>(); },
                maxima_workload)
            .makes(Product::image, "in.png out.png --distance 5 --threshold 50%", &points_plan,
                   &Maxima::method, &points_alone)
            .runs(Product::report, &plan, &Maxima::method, &report_alone);
    return info;
}

} // namespace glproc
