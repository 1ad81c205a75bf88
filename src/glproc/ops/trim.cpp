#include "glproc/ops/trim.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/ops/trim/box.hpp"
#include "glproc/ops/trim/report.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::string_view corner_word = "corner";

/// Once it is known what stays.
Plan cut_plan(const Trim& op, const Form& form, const Rect& box) {
    const Rect part = kept_part(op, form, box);
    add_finding(fmt::format("kept {}x{}+{}+{} of {}x{}", part.width, part.height, part.x, part.y, form.width,
                            form.height));
    Plan plan = move_plan(form, {part.width, part.height, {.first = {part.x, part.y}}}, "trim", op.method);
    plan.report = [=](const std::string& name) { return report_of(op, name, form, box); };
    return plan;
}

/// Noise in a frame, so that there is something to find.
Image framed(const Image& noise) {
    Image image = noise;
    const int frame = std::min({3, (image.width() - 1) / 2, (image.height() - 1) / 2});
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (x < frame || y < frame || x >= image.width() - frame || y >= image.height() - frame) {
                std::memset(image.row(y) + static_cast<std::size_t>(x) * image.pixel_bytes(), 0,
                            image.pixel_bytes());
            }
        }
    }
    return image;
}

/// Compares what the GPU finds with what the processor finds.
Workload box_workload(Context& gpu, const TrimBorder& border, const ImageInput& probe) {
    const auto image = std::make_shared<const Image>(framed(probe.pixels));
    const auto on_gpu = std::make_shared<const GpuImage>(gpu.upload(*image, "probe"));
    const auto got = std::make_shared<Rect>();
    return {.run = [=, &gpu] { *got = box_of(gpu, *on_gpu, border); },
            .check =
                [=] {
                    return Verdict{*got == box_of(rows_of(*image), border) ? ""
                                                                           : "another rectangle is found"};
                }};
}

Rect proved_box_of(Context& gpu, const GpuImage& image, const Trim& op) {
    return run_by_proved_method(
        gpu, op, &Trim::method,
        [&](const Trim& by) {
            if (by.method != GatherMethod::cpu) {
                return box_of(gpu, image, border_of(by));
            }
            const Image pixels = gpu.download(image);
            return box_of(rows_of(pixels), border_of(by));
        },
        [&](const Trim& by) {
            TrimBorder border = border_of(by);
            border.tolerance = std::min(border.tolerance, 0.1); // else the probe is border
            prove_on_picture(gpu, image.form(),
                             [&](const ImageInput& probe) { return box_workload(gpu, border, probe); });
        });
}

} // namespace

BorderLook FieldText<BorderLook>::parse(const FieldContext& c, std::string_view text) {
    return text == corner_word ? BorderLook{} : BorderLook{FieldText<Colour>::parse(c, text)};
}

std::string FieldText<BorderLook>::print(const BorderLook& look) {
    return look.colour ? FieldText<Colour>::print(*look.colour) : std::string(corner_word);
}

Plan plan(const Trim& op, const Form& form) {
    check(op, form);
    Plan plan = move_plan(form, {form.width, form.height}, "trim", op.method);
    plan.work.on_cpu = false; // the look decides
    plan.twin.run = {};
    plan.look.sets_size = true;
    plan.look.at = [op, form](Context& gpu, const Look& picture, const TileProgress& progress) {
        const auto* image = std::get_if<const GpuImage*>(&picture);
        return cut_plan(op, form,
                        image != nullptr
                            ? proved_box_of(gpu, **image, op)
                            : box_of(*std::get<const RowSource*>(picture), border_of(op), progress));
    };
    plan.look.alone = [op, form](const RowSource& source) {
        return cut_plan(op, form, box_of(source, border_of(op)));
    };
    return plan;
}

const OpInfo& trim_info() {
    static const OpInfo info =
        Describe<Trim>("trim", "cut away a border of one colour", "in.png out.png --tolerance 5%")
            .example("Cut away the white paper around a scan, and leave 2 pixels of it",
                     "photo.jpg out.jpg --background white --tolerance 10% --margin 2")
            .found_by({"autocrop", "find-trim"}, "IN OUT --tolerance 5%")
            .field(
                "tolerance", &Trim::tolerance,
                {.value = "V",
                 .limit = border_tolerance_limit,
                 .slider = {0, 0.5, 0.005},
                 .help =
                     "how far a pixel of the border may be from its colour, in any channel; JPEGs and scans "
                     "need some"})
            .field(
                "background", &Trim::background,
                {.value = "COLOUR", .help = "colour of the border; corner is the colour of the first pixel"})
            .field("margin", &Trim::margin,
                   {.value = "N",
                    .unit = "pixels",
                    .limit = trim_margin_limit,
                    .slider = {0, 100, 1},
                    .help = "how much of the border to leave"})
            .method(&Trim::method)
            .by_processor([](const Trim&) { return true; }, &trim_report)
            .makes(Product::report, "in.png", &trim_report_plan, &Trim::method)
            .runs();
    return info;
}

} // namespace glproc
