#include "glproc/kinds/hidden.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/kinds/window.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace glproc {

namespace {

constexpr int most_filled = 120; // loops of more turns end early in old versions of Mesa

/// Calls `work` with the values of an image, whatever their type.
template <class AnyImage, class Work>
auto with_values(AnyImage& image, Work work) {
    switch (image.depth()) {
    case Depth::u8:
        return work(image.template values<std::uint8_t>());
    case Depth::u16:
        return work(image.template values<std::uint16_t>());
    default:
        return work(image.template values<float>());
    }
}

/// `params` as in glsl/kinds/hidden.glsl.
Plan hidden_plan(const Form& form, std::vector<float> params, std::optional<Depth> depth = {}) {
    return point_plan(form, {.name = "hidden",
                             .glsl = "kinds/hidden.glsl",
                             .params = std::move(params),
                             .depth = depth,
                             .quick = true});
}

Plan hiding_plan(const Form& form, double code, std::optional<Depth> depth = {}) {
    return hidden_plan(form, {static_cast<float>(code / max_code(form.depth)), 0, 0}, depth);
}

/// All that can be seen becomes opaque.
Plan opaque_plan(const Form& form) {
    return hidden_plan(form, {0, 1, 0});
}

GpuImage run_on(Context& gpu, const GpuImage& image, const Plan& plan) {
    const Rect all = whole_of(image.form());
    return plan.work.run(gpu, {image, all}, all);
}

/// seen_alike() of a whole picture.
Image alike_by_processor(const Plan& weighted, const Image& source) {
    Image made = image_by_processor(weighted, image_by_processor(opaque_plan(source.form()), source));
    const auto channels = static_cast<std::size_t>(source.channels());
    with_values(source, [&](auto from) {
        const auto to = made.values<typename decltype(from)::value_type>();
        for (std::size_t i = channels - 1; i < from.size(); i += channels) {
            to[i] = from[i];
        }
    });
    return made;
}

/// The image, in hidden pixels with the colours of another one.
Image filled_from(Image image, const Image& made) {
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::vector<bool> hidden = hidden_pixels(image);
    with_values(image, [&](auto to) {
        const auto from = made.values<typename decltype(to)::value_type>();
        for (std::size_t i = 0; i < to.size(); ++i) {
            const bool is_colour = i % channels != channels - 1;
            to[i] = is_colour && hidden[i / channels] ? from[i] : to[i];
        }
    });
    return image;
}

Plan filling_plan(const Form& form, const Filling& filling) {
    const int reach = std::min(filling.reach, most_filled);
    const std::int64_t side = 2 * reach + 1;
    return window_plan(form, {.name = "hidden",
                              .glsl = "kinds/filled.glsl",
                              .reach = reach,
                              .border = filling.border,
                              .alpha = AlphaMode::straight,
                              .turns = side * side});
}

/// Needs of a plan whose source another one makes.
TileNeeds needs_after(const TileNeeds& first, TileNeeds then) {
    const auto whole = [](int halo, int grain) { return covering(halo, grain) * grain; };
    then.grain = {std::lcm(first.grain.x, then.grain.x), std::lcm(first.grain.y, then.grain.y)};
    then.halo = {whole(first.halo.x + then.halo.x, then.grain.x),
                 whole(first.halo.y + then.halo.y, then.grain.y)};
    then.texel_pixels = std::min(first.texel_pixels, then.texel_pixels);
    then.pixel_bytes += first.pixel_bytes;
    then.pixel_work += first.pixel_work;
    return then;
}

} // namespace

std::vector<bool> hidden_pixels(const Image& image) {
    std::vector<bool> hidden;
    const auto channels = static_cast<std::size_t>(image.channels());
    with_values(image, [&](auto values) {
        for (std::size_t i = channels - 1; i < values.size() && image.has_alpha(); i += channels) {
            hidden.push_back(hides(values[i]));
        }
    });
    return hidden;
}

bool has_hidden(const Image& image) {
    const std::vector<bool> hidden = hidden_pixels(image);
    return std::ranges::find(hidden, true) != hidden.end();
}

bool has_hidden(Context& gpu, const GpuImage& image) {
    if (!image.has_alpha()) {
        return false;
    }
    Buffer found = gpu.make_buffer(sizeof(std::uint32_t), "hidden.found");
    found.fill(0);
    gpu.pass("hidden.find", "kinds/has_hidden.comp",
             {{"CHANNELS", text(image.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(image.depth()))}})
        .reads("i_src", image)
        .updates("b_found", found)
        .set("u_size", Int2{image.width(), image.height()})
        .over(image.texture().width(), image.height());
    return found.read<std::uint32_t>(1).front() != 0;
}

bool has_hidden(Context& gpu, const Look& picture) {
    if (const auto* image = std::get_if<const GpuImage*>(&picture)) {
        return has_hidden(gpu, **image);
    }
    const RowSource& rows = *std::get<const RowSource*>(picture);
    const std::unique_ptr<RowReader> reader = rows.open();
    Image row(rows.form.width, 1, rows.form.channels, rows.form.depth);
    for (int y = 0; y < rows.form.height && rows.form.has_alpha(); ++y) {
        reader->read(row.bytes());
        if (has_hidden(row)) {
            return true;
        }
    }
    return false;
}

Image with_hidden(Image image, double code) {
    if (!image.has_alpha()) {
        return image;
    }
    return image_by_processor(hiding_plan(image.form(), code), image);
}

GpuImage with_hidden(Context& gpu, const GpuImage& image, double code, std::optional<Depth> depth) {
    return run_on(gpu, image, hiding_plan(image.form(), code, depth));
}

Image without_missing(Image image) {
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::span<float> values =
        image.has_alpha() && image.depth() == Depth::f32 ? image.values<float>() : std::span<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float alpha = values[i / channels * channels + channels - 1];
        values[i] = hides(alpha) && std::isnan(values[i]) ? 0 : values[i];
    }
    return image;
}

GpuImage without_missing(Context& gpu, const GpuImage& image, Depth depth) {
    return run_on(gpu, image, hidden_plan(image.form(), {0, 0, 1}, depth));
}

Image filled(const Image& image, const Filling& filling) {
    return has_hidden(image) ? image_by_processor(filling_plan(image.form(), filling), image) : image;
}

std::optional<GpuImage> filled(Context& gpu, const GpuImage& image, const Filling& filling) {
    return has_hidden(gpu, image) ? std::optional(run_on(gpu, image, filling_plan(image.form(), filling)))
                                  : std::nullopt;
}

Plan over_filled(Plan plan, const Filling& filling) {
    if (!plan.shape.source.has_alpha()) {
        return plan;
    }
    Plan seen = plan;
    seen.work.needs = [plan, filling](Context& gpu) {
        return needs_after(filling_plan(plan.shape.source, filling).work.needs(gpu), plan.work.needs(gpu));
    };
    seen.work.run = [plan, filling](Context& gpu, const Part& source, const Rect& result) {
        const std::optional<GpuImage> image = filled(gpu, source.image, filling);
        return plan.work.run(gpu, {image ? *image : source.image, source.rect}, result);
    };
    if (plan.twin.run) {
        seen.twin.holds_picture = true;
        seen.twin.run = [plan, filling](RowReader& source, RowWriter& to) {
            Image image(source.form());
            source.read(image.bytes());
            image = filled(image, filling);
            plan.twin.run(*rows_of(image).open(), to);
        };
    }
    return plan.work.on_cpu ? on_cpu(std::move(seen)) : seen;
}

Plan seen_alike(Plan weighted) {
    if (!weighted.shape.source.has_alpha()) {
        return weighted;
    }
    Plan seen = weighted;
    seen.work.run = [weighted](Context& gpu, const Part& source, const Rect& result) {
        const GpuImage alike = run_on(gpu, source.image, opaque_plan(source.image.form()));
        const GpuImage made = weighted.work.run(gpu, {alike, source.rect}, result);
        GpuImage dst = gpu.make_image(made.form(), "result");
        gpu.pass("hidden.alpha", "kinds/keep_alpha.comp",
                 {{"CHANNELS", text(made.stored_channels())},
                  {"SRC_DEPTH", text(static_cast<int>(made.depth()))}})
            .reads("i_src", source.image)
            .reads("i_made", made)
            .writes("i_dst", dst)
            .over(dst.texture().width(), dst.height());
        return dst;
    };
    set_by_processor(
        seen, [weighted](const Image& source) { return alike_by_processor(weighted, source); },
        weighted.twin.row_cost);
    return seen;
}

Plan over_means(Plan plan, Plan weighted) {
    if (!plan.shape.source.has_alpha()) {
        return plan;
    }
    const Plan means = seen_alike(std::move(weighted));
    Plan seen = plan;
    seen.work.needs = [plan, means](Context& gpu) {
        return needs_after(means.work.needs(gpu), plan.work.needs(gpu));
    };
    seen.work.run = [plan, means](Context& gpu, const Part& source, const Rect& result) {
        if (!has_hidden(gpu, source.image)) {
            return plan.work.run(gpu, source, result);
        }
        const GpuImage made = run_on(gpu, source.image, means);
        GpuImage image = gpu.make_image(source.image.form(), "hidden.filled");
        gpu.pass("hidden.fill", "kinds/fill_hidden.comp",
                 {{"CHANNELS", text(source.image.stored_channels())},
                  {"SRC_DEPTH", text(static_cast<int>(source.image.depth()))}})
            .reads("i_src", source.image)
            .reads("i_made", made)
            .writes("i_dst", image)
            .over(image.texture().width(), image.height());
        return plan.work.run(gpu, {image, source.rect}, result);
    };
    set_by_processor(
        seen,
        [plan, means](const Image& source) {
            return has_hidden(source)
                       ? image_by_processor(plan, filled_from(source, image_by_processor(means, source)))
                       : image_by_processor(plan, source);
        },
        plan.twin.row_cost);
    return plan.work.on_cpu ? on_cpu(std::move(seen)) : seen;
}

} // namespace glproc
