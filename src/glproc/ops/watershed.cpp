#include "glproc/ops/watershed.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/gray.hpp"
#include "glproc/ops/watershed/run.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include <fmt/format.h>

namespace glproc {

namespace {

void check_second(const char* name, const PictureInput& input, const Form& form) {
    if (input.image && (input.image->width() != form.width || input.image->height() != form.height)) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} {} is {}x{} pixels, and the image {}x{}", name, input.path,
                                input.image->width(), input.image->height(), form.width, form.height));
    }
}

bool is_given(const PictureInput& input) {
    return input.image || !input.path.empty();
}

void check(const Watershed& op, const Form& form) {
    if (op.prominence && op.split) {
        check_limit("prominence", *op.prominence, watershed_prominence_limit);
    } else if (op.prominence) {
        check_level("prominence", *op.prominence, form, between_black_and_white, watershed_prominence_limit);
    }
    check_second("markers", op.markers, form);
    check_second("mask", op.mask, form);
    if (op.split && is_given(op.mask)) {
        throw Error(ErrorCode::usage, "--split and --mask cannot be given together");
    }
    if (op.prominence && is_given(op.markers)) {
        throw Error(ErrorCode::usage, "--prominence chooses among minima, and --markers takes their place");
    }
}

Form shown_form(const Watershed& op, const Form& form) {
    return {form.width, form.height, 1, shows_mask(op) ? Depth::u8 : Depth::u16};
}

SweepPlan sweeps_of(const Watershed& op, const Form& form, bool as_array) {
    const int pixels = pixels_per_texel(form);
    SweepPlan plan{
        .source = form,
        .needs =
            [pixels](Context&) {
                return TileNeeds{.what = "watershed",
                                 .texel_pixels = pixels,
                                 .pixel_bytes = 2 * 16.0 / pixels + 4,
                                 .pixel_work = 100};
            },
        .sweeps = {{.begin = [op](Context&, const BandCut& cut,
                                  SweepState*) { return std::make_unique<WatershedLook>(op, cut); }},
                   {.reads_source = false, .begin = [as_array](Context&, const BandCut&, SweepState* before) {
                        return std::make_unique<WatershedShow>(static_cast<WatershedLook&>(*before),
                                                               as_array);
                    }}}};
    if (as_array) {
        plan.array = {ArrayType::u32,
                      {static_cast<std::size_t>(form.height), static_cast<std::size_t>(form.width)}};
    } else {
        plan.sweeps.back().makes = shown_form(op, form);
    }
    return plan;
}

Basins basins_of(const Watershed& op, const Image& source) {
    WatershedLand land(op, source.form());
    const bool is_grey = op.split || source.channels() < 3;
    land.add(is_grey ? source : image_by_processor(plan(Gray{}, source.form()), source));
    return land.basins();
}

MadeAlone labels_alone(const Watershed& op, const std::string& /*name*/, const Image& source) {
    const Basins basins = basins_of(op, source);
    const auto bytes = std::as_bytes(std::span(basins));
    return {.array = Array{ArrayType::u32,
                           {static_cast<std::size_t>(source.height()), static_cast<std::size_t>(source.width())},
                           {bytes.begin(), bytes.end()}}};
}

Image regions_of(const Watershed& op, const Image& source) {
    const Basins basins = basins_of(op, source);
    Image shown(shown_form(op, source.form()));
    for (std::size_t i = 0; i < basins.size(); ++i) {
        if (shows_mask(op)) {
            shown.values<std::uint8_t>()[i] = basins[i] != 0 ? 255 : 0;
        } else {
            shown.values<std::uint16_t>()[i] = static_cast<std::uint16_t>(std::min<std::uint32_t>(basins[i], 65535));
        }
    }
    return shown;
}

} // namespace

SweepPlan labels_plan(const Watershed& op, const Form& form) {
    check(op, form);
    if (op.output == WatershedOutput::mask) {
        throw Error(ErrorCode::usage, "a .npy file holds labels", "write an image, such as .png");
    }
    Watershed labels = op;
    labels.output = WatershedOutput::labels;
    return sweeps_of(labels, form, true);
}

Plan plan(const Watershed& op, const Form& form) {
    check(op, form);
    Swept swept{.sweeps = [op](const Form& any) { return sweeps_of(op, any, false); },
                .by_processor = [op](const Image& source) { return regions_of(op, source); },
                .row_cost = 200.0 * form.width};
    Plan plan = swept_plan(form, std::move(swept));
    plan.work.on_cpu = true;
    plan.shape.meaning = shows_mask(op) ? Meaning::kept : Meaning::numbers;
    plan.shape.makes_mask = shows_mask(op);
    return plan;
}

const OpInfo& watershed_info() {
    static const OpInfo info =
        Describe<Watershed>("watershed", "divide an image into regions, or split touching objects",
                            "in.png out.png --split")
            .example("Divide an image into basins at least 10 % deep, numbered from 1",
                     "photo.jpg regions.npy --prominence 10%")
            .example("Split touching objects of a mask, then outline them",
                     "glproc pipe photo.jpg split.png threshold 50% then morphology --do fill then watershed "
                     "--split")
            .found_by({"segment"}, "IN OUT --prominence 10%")
            .found_by({"grabcut", "-segment N"})
            .toggle("split", &Watershed::split, true,
                    {.help = "the image is a mask: separate its touching objects where they are narrow"})
            .field("markers", &Watershed::markers,
                   {.value = "FILE",
                    .help =
                        "an image whose values number the regions where they begin; by default they begin "
                        "at all minima",
                    .holds_numbers = true})
            .field("prominence", &Watershed::prominence,
                   {.value = "P",
                    .limit = watershed_prominence_limit,
                    .slider = {0, 10},
                    .help = "leave out minima from which the way to a deeper one climbs less than this; "
                            "where objects are split, in pixels and by default 1"})
            .field("mask", &Watershed::mask,
                   {.value = "FILE", .help = "an image that is black wherever no region may be",
                    .holds_numbers = true})
            .field("connectivity", &Watershed::connectivity,
                   {.value = "N", .help = "neighbours that water flows to; objects are split with 8"})
            .toggle("lines", &Watershed::lines, true, {.help = "keep lines of black between regions"})
            .field("output", &Watershed::output,
                   {.value = "KIND",
                    .help = "content of OUT; .npy holds labels. Split objects are a mask by default",
                    .standard = "labels"})
            .method(&Watershed::method,
                    {.size = "2448x1505",
                     .channels = 1,
                     .ladders = {{.title = "Watershed of a random 2448x1505 grey image, ms",
                                  .columns = {{"basins of 5 %", "2448x1505", {{"prominence", "0.05"}}},
                                              {"split", "2448x1505", {{"split", ""}}}}}}})
            .makes(Product::array, "in.png out.npy --prominence 0.1", &labels_plan, &Watershed::method, &labels_alone)
            .runs();
    return info;
}

} // namespace glproc
