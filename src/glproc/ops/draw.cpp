#include "glproc/ops/draw.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/blend/second.hpp"
#include "glproc/ops/draw/items.hpp"
#include "glproc/ops/draw/layers.hpp"
#include "glproc/ops/draw/variables.hpp"

#include <mutex>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The last drawing: for a folder's images of one form it is often the same.
struct Drawn {
    std::vector<DrawItem> items;
    Form form;
    SecondImage cover;
};

SecondImage cover_for(std::vector<DrawItem> items, const Form& form) {
    static std::mutex guard;
    static Drawn last;
    const std::lock_guard lock(guard);
    if (!last.cover.image || last.items != items || !(last.form == form)) {
        last.cover = {};
        last.cover = drawn_on(items, form);
        last.items = std::move(items);
        last.form = form;
    }
    return last.cover;
}

/// For measurements: a text, if nothing else is drawn.
Plan plan_on(Draw op, const ImageInput& input) {
    if (!draws(op)) {
        op.text = "glproc";
    }
    return plan(op, input.image.form());
}

} // namespace

Plan plan(const Draw& op, const Form& form) {
    return blend_plan({.method = op.method}, form, cover_for(items_of(op, form), form));
}

const OpInfo& draw_info() {
    static const OpInfo info =
        Describe<Draw>("draw", "draw text, lines, figures and scale bars",
                       "in.png out.png --text hello --gravity south")
            .alias("annotate")
            .found_by({"text"}, "IN OUT --text '{name}' --gravity southeast")
            .found_by({"caption"}, "IN OUT --text '{name}' --gravity south")
            .found_by({"line"}, "IN OUT --line 10,10,200,100")
            .found_by({"rectangle"}, "IN OUT --rect 10,10,200,100")
            .found_by({"circle"}, "IN OUT --circle 100,100,50")
            .found_by({"arrow"}, "IN OUT --arrow 10,10,200,100")
            .found_by({"scalebar"}, "IN OUT --scale-bar 10,um --pixel-size 0.5,um")
            .found_by({"draw --width"}, "IN OUT --line 10,10,200,100 --stroke {2}")
            .found_by({"-floodfill N N", "-sparse-color N N", "-kerning N", "-weight N"})
            .field("text", &Draw::text,
                   {.value = "TEXT",
                    .help = "what to write; {name}, {stem}, {date} and {exif:KEY} stand for their values"})
            .field("at", &Draw::at,
                   {.value = "X,Y",
                    .unit = "pixels",
                    .limit = point_limit,
                    .help = "top left of the text; with --gravity, counted from there; 5%,10% are of the image's width and height"})
            .field("gravity", &Draw::gravity,
                   {.value = "G", .help = "where on the image text and scale bar go"})
            .field("margin", &Draw::margin,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = draw_margin_limit,
                    .slider = {0, 100, 1},
                    .help = "distance from the edges; 5% is of the image's width"})
            .field("font", &Draw::font,
                   {.value = "FONT",
                    .help = "the font: its family, and its style after it, such as DejaVu Serif Bold"})
            .field("size", &Draw::size,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = font_size_limit,
                    .slider = {4, 200, 1},
                    .help = "size of the font; 5% is of the image's width"})
            .field("color", &Draw::color,
                   {.value = "COLOUR", .help = "colour of letters and lines", .alias = "colour"})
            .field("outline", &Draw::outline,
                   {.value = "COLOUR", .help = "colour of an outline around letters and scale bars"})
            .field("box", &Draw::box,
                   {.value = "COLOUR", .help = "colour of a box behind letters and scale bars"})
            .field("wrap", &Draw::wrap,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = wrap_limit,
                    .slider = {0, 2000, 10},
                    .help = "break lines of text that are wider; 0: none, 80%: of the image's width"})
            .field("stroke", &Draw::stroke,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = stroke_limit,
                    .slider = {0, 40, 1},
                    .help = "width of lines; 0: only --fill, 1%: of the image's width"})
            .field("fill", &Draw::fill,
                   {.value = "COLOUR", .help = "colour inside rectangles, circles and polygons"})
            .field("line", &Draw::line,
                   {.value = "X,Y,X,Y",
                    .unit = "pixels",
                    .limit = point_limit,
                    .help = "draw a line from point to point; 5%,10% are of the image's width and height, in all figures"})
            .field("rect", &Draw::rect,
                   {.value = "X,Y,W,H",
                    .unit = "pixels",
                    .limit = point_limit,
                    .help = "draw a rectangle: its left top corner, width and height"})
            .field("circle", &Draw::circle,
                   {.value = "X,Y,R",
                    .unit = "pixels",
                    .limit = point_limit,
                    .help = "draw a circle: its centre and radius, of which 5% is of the image's width"})
            .field("arrow", &Draw::arrow,
                   {.value = "X,Y,X,Y",
                    .unit = "pixels",
                    .limit = point_limit,
                    .help = "draw an arrow from the first point to the second"})
            .field("polygon", &Draw::polygon,
                   {.value = "X,Y,X,Y,X,Y",
                    .unit = "pixels",
                    .limit = point_limit,
                    .help = "draw a polygon: its corners"})
            .field("scale-bar", &Draw::scale_bar,
                   {.value = "L,UNIT",
                    .help = "draw a bar of this length, with its length below",
                    .size_powers = {{1}, "px"}})
            .field("pixel-size", &Draw::pixel_size,
                   {.value = "L[,UNIT]",
                    .help = "how long a pixel is",
                    .needs = "scale-bar",
                    .size_powers = {{-1}}}) // one is as long as several of the larger picture
            .field("from", &Draw::from,
                   {.value = "FILE",
                    .help = "a file of several drawings: a JSON list of objects whose keys are the names of "
                            "these flags; see the guide",
                    .holds_places = true})
            .knows(&Draw::picture, [](const Draw& op) { return wants_facts(op); })
            .field("method", &Draw::method, {.value = "M", .help = "algorithm"})
            .bench<ImageInput>(
                "method", &Draw::method,
                {.size = "2448x1505",
                 .ladders = {{.title = "Drawing on a random 2448x1505 RGBA8 image, ms",
                              .columns = {{"a line of text", "2448x1505", {{"text", "glproc"}}},
                                          {"a rectangle", "2448x1505", {{"rect", "10,10,1200,700"}}}}}}},
                [](const Draw& op, Context& gpu, const ImageInput& input) {
                    return why_not_measured(gpu, input, plan_on(op, input));
                },
                [](const Draw& op, Context& gpu, const ImageInput& input) {
                    return plan_workload(gpu, input, plan_on(op, input));
                })
            .runs();
    return info;
}

} // namespace glproc
