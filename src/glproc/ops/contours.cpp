#include "glproc/ops/contours.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/kinds/host_mask.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/contours/formats.hpp"
#include "glproc/ops/contours/level_lines.hpp"
#include "glproc/ops/contours/trace.hpp"
#include "glproc/ops/maxima/grey.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit level_limit{-1e30, 1e30};

void check(const Contours& op, const Form& form) {
    if (op.threshold && !op.threshold->rule) {
        check_level("threshold", op.threshold->at, form, between_black_and_white, level_limit);
    }
    if (!op.level) {
        return;
    }
    check_level("level", *op.level, form, between_black_and_white, level_limit);
    if (op.simplify || op.connectivity != Connectivity::eight) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} is for outlines of pixels, not for lines at a level",
                                op.simplify ? "simplify" : "connectivity"),
                    "leave it out");
    }
}

/// In codes. A whole code is meant to be one: 128/255 is not exactly 128 times 1/255.
double code_of(const Level& level, Depth depth) {
    const double code = level * max_code(depth);
    const double whole = std::round(code);
    return depth != Depth::f32 && std::abs(code - whole) < 1e-9 * max_code(depth) ? whole : code;
}

Value tree_of(const Outlines& outlines, const Outline& outline) {
    const OutlineBox box = outlines.box(outline);
    Value::List points;
    points.reserve(outline.count);
    for (std::size_t i = 0; i < outline.count; ++i) {
        const OutlinePoint point = outlines.point(outline, i);
        points.push_back(outlines.are_lines ? Value{Value::List{{point.x}, {point.y}}}
                                            : Value{Value::List{{static_cast<std::int64_t>(point.x)},
                                                                {static_cast<std::int64_t>(point.y)}}});
    }
    return {Value::Object{{"next", {std::int64_t{outline.next}}},
                          {"previous", {std::int64_t{outline.previous}}},
                          {"first_child", {std::int64_t{outline.child}}},
                          {"parent", {std::int64_t{outline.parent}}},
                          {"hole", {std::int64_t{outline.is_hole}}},
                          {"closed", {std::int64_t{outlines.is_closed(outline)}}},
                          {"area", {outlines.area(outline)}},
                          {"box", {Value::List{{box.left}, {box.top}, {box.width}, {box.height}}}},
                          {"points", {std::move(points)}}}};
}

Report report_of(const Contours& op, const std::string& name, const Image& image) {
    const auto outlines = std::make_shared<const Outlines>(op(image));
    const std::string count = counted(outlines->outlines.size(), "contour");
    add_finding(count);
    Report report;
    report.tree = {Value::Object{{"schema", {"glproc.contours/1"}},
                                 {"input", {name}},
                                 {"width", {std::int64_t{image.width()}}},
                                 {"height", {std::int64_t{image.height()}}},
                                 {"count", {static_cast<std::int64_t>(outlines->outlines.size())}}}};
    report.list_key = "contours";
    report.list = [outlines] {
        Value::List list;
        for (const Outline& outline : outlines->outlines) {
            list.push_back(tree_of(*outlines, outline));
        }
        return list;
    };
    report.text = [=](const TextShape&) { return fmt::format("{}: {}\n", name, count); };
    report.file = [outlines](std::string_view format, const TakeText& take) {
        write_outlines(*outlines, format, take);
    };
    return report;
}

} // namespace

Outlines Contours::operator()(const Image& image) const {
    check(*this, image.form());
    Outlines outlines =
        level
            ? level_lines(grey_of(image), code_of(*level, image.depth()), fully_connected == LevelJoin::high)
            : traced_outlines(objects_of({.threshold = threshold}, image), connectivity, simplify);
    outlines.picture = image.form();
    return outlines;
}

const OpInfo& contours_info() {
    static const OpInfo info =
        Describe<Contours>("contours", "write the outlines of objects as polygons",
                           "in.png out.json --threshold otsu")
            .alias("outlines")
            .example("Draw the outlines of bright objects, with few points, for a vector program",
                     "photo.jpg outlines.svg --threshold otsu --simplify")
            .example("Write the line where an image is half as bright as white, with parts of pixels",
                     "photo.jpg line.csv --level 50%")
            .example("Write a region for each object and hole, for ImageJ's ROI Manager",
                     "photo.jpg regions.zip --threshold otsu")
            .found_by({"findcontours", "find_contours", "polygons", "outline"},
                      "IN out.json --threshold otsu")
            .cost({.alone = 20})
            .field("threshold", &Contours::threshold,
                   {.value = "V",
                    .limit = level_limit,
                    .help = "objects have luma above this; by default, all but black",
                    .contradicts = "level"})
            .field("connectivity", &Contours::connectivity,
                   {.value = "N", .help = "which neighbours of a pixel belong to its object"})
            .toggle("simplify", &Contours::simplify, true,
                    {.help = "leave out points where an outline goes straight on, along a row, a column or a "
                             "diagonal"})
            .field(
                "level", &Contours::level,
                {.value = "V",
                 .limit = level_limit,
                 .slider = {0, 1, 0.005},
                 .help = "write lines where luma passes this, between pixels, instead of outlines of objects",
                 .contradicts = "threshold"})
            .field("fully-connected", &Contours::fully_connected,
                   {.value = "low|high",
                    .help = "what belongs together where a line could go either way between four pixels",
                    .needs = "level"})
            .writes({{"json", "all that is known: points, hierarchy, areas and boxes"},
                     {"geojson", "polygons with their holes; y goes down"},
                     {"svg", "a drawing, filled by the even-odd rule"},
                     {"csv", "a row for each point"},
                     {"roi", "the region of a single contour, for ImageJ"},
                     {"zip", "all of them, for its ROI Manager"}})
            .by_processor([](const Contours&) { return true; }, &report_of)
            .by_rows({.grid =
                          [](const Contours&, Context&, const Form& form) {
                              return TileGrid{{form.width, form.height}};
                          },
                      .run = [](const Contours& op, Context&, const RowsInput& input,
                                RowWriter*) -> std::optional<Report> {
                          Image image(input.source.form);
                          input.source.open()->read(image.bytes());
                          return report_of(op, input.name, image);
                      }})
            .runs(Product::report, [](const Contours& op, Context&, const ImageInput& input) -> Products {
                return report_of(op, input.name, input.pixels);
            });
    return info;
}

} // namespace glproc
