#include "glproc/ops/guided.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/guided/rows.hpp"
#include "glproc/ops/guided/sums.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit window_limit{1, 1000};
constexpr Limit eps_limit{1e-10, 1e6};

int whole_grains(int halo, int grain) {
    return covering(halo, grain) * grain;
}

/// The square of a value; people write the square of a code.
void check_eps(const Level& eps, const Form& form) {
    constexpr double most_bare = 10;
    check_limit("eps", eps, eps_limit);
    if (form.depth != Depth::f32 && !eps.has_unit && eps > most_bare) {
        const double white = max_code(form.depth);
        throw Error(ErrorCode::usage,
                    fmt::format("--eps {} is out of range: 1 is the square of white", eps.value),
                    fmt::format("write --eps {:.3g} or --eps {}/{}", eps / (white * white), eps.value,
                                white * white));
    }
}

void check(const Guided& op, const Form& form) {
    check_limit("radius", op.radius, window_limit);
    check_eps(op.eps, form);
    if (op.border.mode == BorderMode::constant) {
        throw Error(ErrorCode::usage, "guided takes no constant border: it has no lines beyond the image",
                    "choose clamp, mirror, symmetric or wrap");
    }
    if (op.with.image && (op.with.image->width() != form.width || op.with.image->height() != form.height)) {
        throw Error(ErrorCode::usage, "the guide and the image differ in size", "resize one of them first");
    }
}

/// A run of the filter on images of one form.
class GuidedRun {
  public:
    GuidedRun(const Guided& op, const Form& form)
        : op_(op), form_(form), colours_(form.channels < 3 ? 1 : 3),
          middle_(static_cast<float>(max_code(form.depth) / 2)),
          values_form_{form.width, form.height, colours_ + (has_guide() ? 1 : 0), Depth::f32},
          lines_form_{form.width, form.height, colours_, Depth::f32}, box_values_(box_of(values_form_)),
          box_lines_(box_of(lines_form_)) {
        if (has_guide()) {
            guide_ = guide_for(form, *op.with.image);
        }
    }

    TileNeeds needs(Context& gpu) const;
    GpuImage run(Context& gpu, const Part& source) const;
    Image by_processor(const Image& source) const {
        return guided_by_lines({op_, source, has_guide() ? &guide_ : nullptr, box_values_, box_lines_, middle_, eps()});
    }

  private:
    float eps() const { return static_cast<float>(op_.eps * max_code(form_.depth) * max_code(form_.depth)); }

    bool has_guide() const { return op_.with.image != nullptr; }

    /// Fast boxes add blocks of pixels, which in tiles of a repeated image begin elsewhere once a second box
    /// follows.
    Plan box_of(const Form& form) const {
        constexpr int most_exact = 12; // radius, up to which no method is fast
        const bool is_exact = op_.border.mode == BorderMode::wrap && op_.radius > most_exact;
        return plan(
            Box{.radius = op_.radius,
                .border = op_.border,
                .method = is_exact ? FilterMethod::direct : FilterMethod::automatic,
                .alpha = AlphaMode::straight,
                .nan = form_.depth == Depth::f32 || form_.has_alpha() ? NanMode::skip : NanMode::propagate},
            form);
    }

    static GpuImage mean(Context& gpu, const Plan& box, const GpuImage& image) {
        const Rect all = whole_of(image.form());
        return box.work.run(gpu, {image, all}, all);
    }

    std::optional<GpuImage> guide_part(Context& gpu, const Rect& rect) const {
        if (!has_guide()) {
            return std::nullopt;
        }
        Image part(rect.width, rect.height, 1, Depth::f32);
        const auto width = static_cast<std::size_t>(rect.width);
        for (int y = 0; y < rect.height; ++y) {
            const auto from =
                guide_.values<float>().subspan(static_cast<std::size_t>(wrapped(rect.y + y, form_.height)) *
                                               static_cast<std::size_t>(form_.width));
            for (int x = 0; x < rect.width; ++x) {
                part.values<float>()[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] =
                    from[static_cast<std::size_t>(wrapped(rect.x + x, form_.width))];
            }
        }
        return gpu.upload(part, "guided.guide");
    }

    /// A part of a picture that repeats may lie beyond it.
    static int wrapped(int i, int n) { return ((i % n) + n) % n; }

    Pass pass(Context& gpu, const char* name, const GpuImage& source, const std::optional<GpuImage>& guide,
              const Defines& more = {}) const {
        Defines defines{{"CHANNELS", text(source.stored_channels())},
                        {"SRC_DEPTH", text(static_cast<int>(form_.depth))},
                        {"GUIDE", guide ? "1" : "0"}};
        defines.insert(more.begin(), more.end());
        Pass pass = gpu.pass(std::string("guided.") + name, std::string("guided/") + name + ".comp", defines);
        pass.reads("i_src", source).set("u_middle", middle_);
        if (guide) {
            pass.reads("i_guide", *guide);
        }
        return pass;
    }

    Guided op_;
    Form form_;
    int colours_;
    float middle_;
    Form values_form_;
    Form lines_form_;
    Plan box_values_;
    Plan box_lines_;
    Image guide_;
};

GpuImage GuidedRun::run(Context& gpu, const Part& source) const {
    const auto sized = [&](Form form) {
        form.width = source.image.width();
        form.height = source.image.height();
        return form;
    };
    const std::optional<GpuImage> guide = guide_part(gpu, source.rect);
    GpuImage values = gpu.make_image(sized(values_form_), "guided.values");
    GpuImage products = gpu.make_image(sized(values_form_), "guided.products");
    pass(gpu, "products", source.image, guide, {{"HIDES", form_.has_alpha() ? "1" : "0"}})
        .writes("i_values", values)
        .writes("i_products", products)
        .over(values.texture().width(), values.height());
    values = mean(gpu, box_values_, values);
    products = mean(gpu, box_values_, products);
    GpuImage slopes = gpu.make_image(sized(lines_form_), "guided.slopes");
    GpuImage heights = gpu.make_image(sized(lines_form_), "guided.heights");
    gpu.pass("guided.lines", "guided/lines.comp", {{"COLOURS", text(colours_)}, {"GUIDE", guide ? "1" : "0"}})
        .reads("i_values", values)
        .reads("i_products", products)
        .writes("i_slopes", slopes)
        .writes("i_heights", heights)
        .set("u_eps", eps())
        .over(slopes.texture().width(), slopes.height());
    slopes = mean(gpu, box_lines_, slopes);
    heights = mean(gpu, box_lines_, heights);
    GpuImage dst = gpu.make_image(source.image.form(), "result");
    pass(gpu, "result", source.image, guide)
        .reads("i_slopes", slopes)
        .reads("i_heights", heights)
        .writes("i_dst", dst)
        .over(source.image.texture().width(), dst.height());
    return dst;
}

TileNeeds GuidedRun::needs(Context& gpu) const {
    const TileNeeds values = box_values_.work.needs(gpu);
    const TileNeeds lines = box_lines_.work.needs(gpu);
    const int pixels = pixels_per_texel(form_);
    const auto along = [&](int a, int b, int halo_a, int halo_b, int texel) {
        const int grain = std::lcm(std::lcm(a, b), texel);
        return std::pair(whole_grains(halo_a + halo_b, grain), grain);
    };
    const auto [halo_x, grain_x] = along(values.grain.x, lines.grain.x, values.halo.x, lines.halo.x, pixels);
    const auto [halo_y, grain_y] = along(values.grain.y, lines.grain.y, values.halo.y, lines.halo.y, 1);
    return {.what = "guided",
            .halo = {halo_x, halo_y},
            .grain = {grain_x, grain_y},
            .repeats = values.repeats,
            .texel_pixels = std::min({values.texel_pixels, lines.texel_pixels, pixels}),
            .most_rows = std::min(values.most_rows, lines.most_rows),
            .pixel_bytes = 32.0 / pixels + 2 * std::max(values.pixel_bytes, lines.pixel_bytes),
            .pixel_work = 2 * (values.pixel_work + lines.pixel_work) + 20.0 * colours_};
}

/// Of a plan that takes one of two ways.
TileNeeds needs_of_either(const TileNeeds& a, TileNeeds b) {
    b.grain = {std::lcm(a.grain.x, b.grain.x), std::lcm(a.grain.y, b.grain.y)};
    b.halo = {whole_grains(std::max(a.halo.x, b.halo.x), b.grain.x),
              whole_grains(std::max(a.halo.y, b.halo.y), b.grain.y)};
    b.texel_pixels = std::min(a.texel_pixels, b.texel_pixels);
    b.most_rows = std::min(a.most_rows, b.most_rows);
    b.pixel_bytes = std::max(a.pixel_bytes, b.pixel_bytes);
    b.pixel_work = std::max(a.pixel_work, b.pixel_work);
    return b;
}

/// The plan by sums of whole numbers instead.
Plan by_sums(const Guided& op, Plan plan, double row_cost) {
    plan.work.needs = [op, form = plan.shape.source](Context& gpu) { return needs_of_sums(gpu, op, form); };
    plan.work.run = [op](Context& gpu, const Part& source, const Rect&) {
        return guide_by_sums(gpu, op, source.image, guided_sums(gpu));
    };
    set_by_processor(
        plan, [op](const Image& source) { return guided_by_sums(op, source); }, row_cost);
    return plan;
}

/// Sums count all pixels alike, so pictures with hidden ones go by lines; all tiles of a picture go one way,
/// as the bits differ.
Plan sums_or_lines(const Guided& op, const Plan& lines, double row_cost) {
    const Plan sums = by_sums(op, lines, row_cost);
    Plan plan = lines;
    plan.work.needs = [sums, lines](Context& gpu) {
        return needs_of_either(sums.work.needs(gpu), lines.work.needs(gpu));
    };
    set_by_processor(
        plan,
        [sums, lines](const Image& source) {
            return image_by_processor(has_hidden(source) ? lines : sums, source);
        },
        row_cost);
    if (op.method != PointMethod::cpu) {
        plan.look.at = [sums, lines, needs = plan.work.needs](Context& gpu, const Look& picture,
                                                              const TileProgress&) {
            Plan seen = has_hidden(gpu, picture) ? lines : sums;
            seen.work.needs = needs;
            return seen;
        };
    }
    return plan;
}

} // namespace

Plan plan(const Guided& op, const Form& form) {
    check(op, form);
    const auto filter = std::make_shared<const GuidedRun>(op, form);
    Plan plan{.shape = {.source = form, .result = form}};
    plan.work.needs = [filter](Context& gpu) { return filter->needs(gpu); };
    plan.work.run = [filter](Context& gpu, const Part& source, const Rect&) {
        return filter->run(gpu, source);
    };
    const double row_cost = 100.0 * form.width * form.channels;
    set_by_processor(
        plan, [filter](const Image& source) { return filter->by_processor(source); }, row_cost);
    plan.twin.only_proves = op.method == PointMethod::gpu;
    if (can_guide_by_sums(op, form)) {
        plan = form.has_alpha() ? sums_or_lines(op, std::move(plan), row_cost)
                                : by_sums(op, std::move(plan), row_cost);
    }
    plan.twin.work = 350; // mostly one core's
    return op.method == PointMethod::cpu ? on_cpu(std::move(plan)) : plan;
}

const OpInfo& guided_info() {
    static const OpInfo info =
        Describe<Guided>("guided", "smooth an image along its edges or another's (guided filter)",
                         "in.png out.png --radius 8 --eps 0.01")
            .example("Smooth skin or noise, and keep the edges", "photo.jpg out.jpg --radius 6 --eps 0.002")
            .cost({.alone = 74})
            .field("radius", &Guided::radius,
                   {.value = "R",
                    .unit = "pixels",
                    .limit = window_limit,
                    .slider = {1, 60},
                    .help = "how far the window reaches from its middle; this hardly changes the time"})
            .field("eps", &Guided::eps,
                   {.value = "E",
                    .limit = eps_limit,
                    .slider = {0.0001, 0.2, 0.0001},
                    .help = "smooth where the guide varies by less than the root of this; 1 is white"})
            .field("with", &Guided::with,
                   {.value = "FILE",
                    .help = "an image whose luma guides all colours; without it, each colour guides itself"})
            .field("border", &Guided::border)
            .method(&Guided::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Guided filter of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"radius 4", "2448x1505", {{"radius", "4"}}},
                                              {"radius 30", "2448x1505", {{"radius", "30"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
