#include "glproc/kinds/point.hpp"

#include <algorithm>
#include <utility>

namespace glproc {

namespace {

Form result_form(const Form& form, const Point& point) {
    return {form.width, form.height, point.channels == 0 ? form.channels : point.channels,
            point.depth.value_or(form.depth)};
}

Colour4 colour_at(const Image& image, int x, int y) {
    const double full = max_code(image.depth());
    const auto value = [&](int channel) { return image.at(x, y, channel) / full; };
    const bool grey = image.channels() < 3;
    const double alpha = image.has_alpha() ? value(image.channels() - 1) : 1;
    return {value(0), value(grey ? 0 : 1), value(grey ? 0 : 2), alpha};
}

std::vector<double> reference_rows(const Image& source, std::span<const int> rows, const Form& result,
                                   const Point& point) {
    std::vector<double> values;
    for (const int y : rows) {
        for (int x = 0; x < source.width(); ++x) {
            const Colour4 colour = point.reference(colour_at(source, x, y));
            for (int c = 0; c < result.channels; ++c) {
                const bool alpha = result.has_alpha() && c == result.channels - 1;
                values.push_back(colour[alpha ? 3 : static_cast<std::size_t>(c)] * max_code(result.depth));
            }
        }
    }
    return values;
}

GpuImage run_point(Context& gpu, const GpuImage& source, const Form& result, const Point& point) {
    GpuImage dst = gpu.make_image({source.width(), source.height(), result.channels, result.depth}, "result");
    std::optional<Buffer> own;
    if (!point.computed) {
        // A buffer has at least one value.
        std::vector<float> params = point.params;
        params.resize(std::max<std::size_t>(params.size(), 1));
        own.emplace(gpu.make_buffer(params.size() * sizeof(float), "parameters"));
        own->write(params);
    }
    const bool has_table = point.channelwise && source.depth() == Depth::u8 && dst.depth() == Depth::u8 &&
                           source.stored_channels() == dst.stored_channels();
    // An invocation fills whole texels on both sides.
    const int pixels = std::max(pixels_per_texel(source.form()), pixels_per_texel(dst.form()));
    gpu.pass(point.name, "kinds/point.comp",
             {{"OPERATION", point.glsl},
              {"CHANNELS", text(source.stored_channels())},
              {"DST_CHANNELS", text(dst.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(source.depth()))},
              {"DST_DEPTH", text(static_cast<int>(dst.depth()))},
              {"TABLE", has_table ? "1" : "0"}})
        .reads("i_src", source)
        .reads("b_params", own ? *own : *point.computed)
        .writes("i_dst", dst)
        .over((source.width() + pixels - 1) / pixels, source.height());
    return dst;
}

} // namespace

float code_unit(const Form& form) {
    return form.depth == Depth::f32 ? 0 : static_cast<float>(max_code(form.depth));
}

void add_two_floats(std::vector<float>& params, double value) {
    const auto high = static_cast<float>(value);
    params.insert(params.end(), {high, static_cast<float>(value - double{high})});
}

std::function<Colour4(const Colour4&)> each_colour(std::function<double(double)> function) {
    return [function = std::move(function)](const Colour4& v) {
        return Colour4{function(v[0]), function(v[1]), function(v[2]), v[3]};
    };
}

Plan point_plan(const Form& form, Point point) {
    const Form result = result_form(form, point);
    Plan plan{.source = form, .result = result};
    plan.needs = [form, result, name = point.name](Context&) {
        const int pixels = std::max(pixels_per_texel(form), pixels_per_texel(result));
        return TileNeeds{.what = name,
                         .grain = {pixels, 1},
                         .texel_pixels = std::min(pixels_per_texel(form), pixels_per_texel(result)),
                         .pixel_bytes = 16.0 / pixels_per_texel(form) + 16.0 / pixels_per_texel(result),
                         .pixel_work = 8};
    };
    plan.reference = {.rows =
                          [result, point](const Image& source, std::span<const int> rows) {
                              return reference_rows(source, rows, result, point);
                          },
                      .row_cost = 16.0 * form.width};
    if (point.method == PointMethod::cpu) {
        return on_cpu(std::move(plan));
    }
    plan.run = [result, point = std::move(point)](Context& gpu, const Part& source, const Rect&) {
        return run_point(gpu, source.image, result, point);
    };
    return plan;
}

Plan point_plan(const Form& form, Point point,
                std::function<Point(Context&, const Look&, const TileProgress&)> look) {
    Plan plan = point_plan(form, std::move(point));
    plan.look = [form, look = std::move(look)](Context& gpu, const Look& picture,
                                               const TileProgress& progress) {
        return point_plan(form, look(gpu, picture, progress));
    };
    return plan;
}

} // namespace glproc
