#include "glproc/ops/threshold/local.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/separable/separable.hpp"
#include "glproc/ops/blur.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace glproc {

namespace {

constexpr Limit k_limit{-1e30, 1e30};

bool goes_by_moments(const Threshold& op) {
    return op.local == LocalRule::sauvola;
}

double k_of(const Threshold& op) {
    return op.k ? op.k->value : goes_by_moments(op) ? 0.2 : 0.0;
}

/// The values that are averaged and compared with a threshold: luma, rounded as in a grey picture; for
/// moments luma above 1/2 and its square.
Plan value_plan(const Threshold& op, const Form& form) {
    Point point{.name = "threshold.luma",
                .glsl = "gray.glsl",
                .params = luma_params(op.luma, form),
                .channels = 1};
    if (goes_by_moments(op)) {
        point.name = "threshold.moments";
        point.glsl = "threshold/moments.glsl";
        point.channels = 2;
        point.depth = Depth::f32;
    }
    return point_plan(form, std::move(point));
}

/// The weights of a Gaussian as OpenCV derives them from the size of a kernel: up to radius 3 from a table.
SeparableFilter gaussian_of(int radius) {
    const double sigma = 0.3 * (radius - 1) + 0.8;
    SeparableFilter filter = gaussian_filter({.sigma = sigma, .radius = PerAxis<int>(radius)});
    constexpr std::array<std::array<double, 4>, 3> table{
        {{0.5, 0.25}, {0.375, 0.25, 0.0625}, {0.28125, 0.21875, 0.109375, 0.03125}}};
    if (radius <= 3) {
        const auto& taps = table[static_cast<std::size_t>(radius - 1)];
        filter.taps_x.assign(taps.begin(), taps.begin() + radius + 1);
        filter.taps_y = filter.taps_x;
    }
    return filter;
}

/// A constant border, as luma.
Border luma_border(const Threshold& op) {
    const Border& border = op.border;
    if (!border.colour) {
        return border;
    }
    const Colour& colour = *border.colour;
    return {border.mode, float_luma({colour.red, colour.green, colour.blue, 1}, op.luma)};
}

/// The means around each pixel.
Plan mean_plan(const Threshold& op, const Form& values) {
    SeparableFilter filter{.name = "threshold", .radius = op.radius};
    if (op.local == LocalRule::gauss) {
        filter = gaussian_of(op.radius);
        filter.name = "threshold";
    }
    filter.border = luma_border(op);
    filter.alpha = AlphaMode::straight;
    filter.nan = NanMode::propagate;
    if (goes_by_moments(op)) { // the result of value_plan() for it
        filter.border.value -= 0.5;
        filter.border_alpha = filter.border.value * filter.border.value;
    }
    return separable_plan(values, filter);
}

/// How many codes a white pixel is above the mean of the pixels around it, at least. If `k` is a whole number
/// of codes except for its last bits, as 0.2 is 51 / 255, it counts as that number.
int least_above(double k, const Form& form) {
    const double codes = std::clamp(k * max_code(form.depth), -70000.0, 70000.0);
    const double nearest = std::nearbyint(codes);
    return static_cast<int>(std::abs(codes - nearest) < 1e-6 ? 1 - nearest : std::floor(-codes) + 1);
}

GpuImage compared(Context& gpu, const GpuImage& src, const GpuImage& value, const GpuImage& around,
                  const Threshold& op) {
    GpuImage dst = gpu.make_image(src.form(), "result");
    const int unit = std::max(pixels_per_texel(src.form()), pixels_per_texel(value.form()));
    gpu.pass("threshold.local", "threshold/local.comp",
             {{"CHANNELS", text(src.stored_channels())},
              {"SRC_DEPTH", text(static_cast<int>(src.depth()))},
              {"MOMENTS", text(goes_by_moments(op) ? 1 : 0)}})
        .reads("i_src", src)
        .reads("i_value", value)
        .reads("i_around", around)
        .writes("i_dst", dst)
        .set("u_least", least_above(k_of(op), src.form()))
        .set("u_k", static_cast<float>(k_of(op)))
        .over((src.width() + unit - 1) / unit, src.height());
    return dst;
}

/// Whether a pixel is white, from the results of the plans above, in code units.
bool is_white(const Threshold& op, const Form& form, const double* value, const double* around) {
    const double k = k_of(op);
    if (!goes_by_moments(op)) {
        return form.depth == Depth::f32 ? *value > *around - k
                                        : *value - std::nearbyint(*around) >= least_above(k, form);
    }
    const double deviation = std::sqrt(std::max(around[1] - around[0] * around[0], 0.0));
    return *value > (around[0] + 0.5) * (1 + k * (deviation / 0.5 - 1)) - 0.5;
}

std::vector<double> reference_rows(const Threshold& op, const Plan& values, const Plan& means,
                                   const Image& source, std::span<const int> rows) {
    const Image value = image_by_processor(values, source);
    const std::vector<double> around = means.reference.rows(value, rows);
    const auto parts = static_cast<std::size_t>(value.channels());
    std::vector<double> result;
    std::size_t at = 0;
    for (const int y : rows) {
        for (int x = 0; x < source.width(); ++x, at += parts) {
            const std::array<double, 2> own{value.at(x, y, 0), 0};
            const bool white = is_white(op, source.form(), own.data(), around.data() + at);
            for (int c = 0; c < source.channels(); ++c) {
                const bool alpha = source.has_alpha() && c == source.channels() - 1;
                result.push_back(alpha ? source.at(x, y, c) : white ? max_code(source.depth()) : 0);
            }
        }
    }
    return result;
}

} // namespace

Plan local_threshold_plan(const Threshold& op, const Form& form) {
    check_limit("radius", op.radius, local_radius_limit);
    check_level("k", op.k.value_or(0), form, white_up_or_down, k_limit);
    check_border(op.border, form);
    if (op.rule) {
        throw Error(ErrorCode::usage, "--method and --local cannot be given together");
    }
    const Plan values = value_plan(op, form);
    const Plan means = mean_plan(op, values.result);
    Plan result{.source = form, .result = form};
    result.needs = [=](Context& gpu) {
        TileNeeds needs = means.needs(gpu);
        const TileNeeds own = values.needs(gpu);
        needs.what = "threshold";
        needs.grain.x = std::max(needs.grain.x, own.grain.x); // both powers of 2
        needs.halo.x = (needs.halo.x + needs.grain.x - 1) / needs.grain.x * needs.grain.x;
        needs.texel_pixels = std::min(needs.texel_pixels, own.texel_pixels);
        needs.pixel_bytes += own.pixel_bytes + 16.0 / pixels_per_texel(form);
        return needs;
    };
    result.why_unavailable = means.why_unavailable;
    result.run = [=](Context& gpu, const Part& source, const Rect& tile) {
        const GpuImage value = values.run(gpu, source, tile);
        const GpuImage around = means.run(gpu, {value, source.rect}, tile);
        return compared(gpu, source.image, value, around, op);
    };
    result.reference = {
        .rows = [=](const Image& source,
                    std::span<const int> rows) { return reference_rows(op, values, means, source, rows); },
        .row_cost = means.reference.row_cost};
    return op.method == PointMethod::cpu ? on_cpu(std::move(result)) : result;
}

} // namespace glproc
