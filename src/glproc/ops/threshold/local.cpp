#include "glproc/ops/threshold/local.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/separable.hpp"
#include "glproc/ops/blur.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
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
        .over(covering(src.width(), unit), src.height());
    return dst;
}

/// Whether pixels of a row are white, from the results of the plans above.
class White {
  public:
    White(const Threshold& op, const Form& form)
        : k_(static_cast<float>(k_of(op))), least_(least_above(k_of(op), form)), by_moments_(goes_by_moments(op)),
          twin_(ending_twin("threshold/white.glsl", Depth::f32, 0)) {}

    std::vector<bool> row(const Image& value, const Image& around, int y) const {
        const auto width = static_cast<std::size_t>(value.width());
        std::vector<bool> white(width);
        if (by_moments_) {
            std::vector<float> pairs(2 * width);
            twin_({.params = &k_, .sums = floats_of(value, y), .second = floats_of(around, y), .to = reinterpret_cast<std::byte*>(pairs.data()), // NOLINT: bytes
                   .count = pairs.size()});
            for (std::size_t x = 0; x < width; ++x) {
                white[x] = pairs[2 * x] == 1;
            }
            return white;
        }
        for (std::size_t x = 0; x < width; ++x) {
            const auto column = static_cast<int>(x);
            const double own = value.at(column, y, 0);
            const double mean = around.at(column, y, 0);
            white[x] = value.depth() == Depth::f32 ? static_cast<float>(own) > static_cast<float>(mean) - k_
                                                   : static_cast<int>(own) - static_cast<int>(mean) >= least_;
        }
        return white;
    }

  private:
    static const float* floats_of(const Image& image, int y) { return reinterpret_cast<const float*>(image.row(y)); } // NOLINT: floats

    float k_;
    int least_;
    bool by_moments_;
    EndingTwin twin_;
};

/// Black and white; alpha is kept.
template <class Code>
void put_row(const std::vector<bool>& white, const Image& source, int y, Image& result) {
    const auto channels = static_cast<std::size_t>(source.channels());
    const std::size_t first = static_cast<std::size_t>(y) * white.size() * channels;
    for (std::size_t i = 0; i < white.size() * channels; ++i) {
        const bool is_alpha = source.has_alpha() && i % channels == channels - 1;
        result.values<Code>()[first + i] = is_alpha ? source.values<Code>()[first + i]
                                           : white[i / channels] ? static_cast<Code>(max_code(source.depth())) : Code{0};
    }
}

Image compared(const Threshold& op, const Plan& values, const Plan& means, const Image& source) {
    const Image value = image_by_processor(values, source);
    const Image around = image_by_processor(means, value);
    const White white(op, source.form());
    Image result(source.form());
    parallel_for(static_cast<std::size_t>(source.height()), [&](std::size_t i) {
        const int y = static_cast<int>(i);
        const std::vector<bool> row = white.row(value, around, y);
        source.depth() == Depth::u8    ? put_row<std::uint8_t>(row, source, y, result)
        : source.depth() == Depth::u16 ? put_row<std::uint16_t>(row, source, y, result)
                                       : put_row<float>(row, source, y, result);
    });
    return result;
}

} // namespace

Plan local_threshold_plan(const Threshold& op, const Form& form) {
    check_limit("radius", op.radius, local_radius_limit);
    check_level("k", op.k.value_or(0), form, white_up_or_down, k_limit);
    check_border(op.border, form);
    if (op.rule) {
        throw Error(ErrorCode::usage, "--rule and --local cannot be given together");
    }
    const Plan values = value_plan(op, form);
    const Plan means = mean_plan(op, values.shape.result);
    Plan result{.shape = {.source = form, .result = form}};
    result.work.needs = [=](Context& gpu) {
        TileNeeds needs = means.work.needs(gpu);
        const TileNeeds own = values.work.needs(gpu);
        needs.what = "threshold";
        needs.grain.x = std::max(needs.grain.x, own.grain.x); // both powers of 2
        needs.halo.x = covering(needs.halo.x, needs.grain.x) * needs.grain.x;
        needs.texel_pixels = std::min(needs.texel_pixels, own.texel_pixels);
        needs.pixel_bytes += own.pixel_bytes + 16.0 / pixels_per_texel(form);
        return needs;
    };
    result.work.why_unavailable = means.work.why_unavailable;
    result.work.run = [=](Context& gpu, const Part& source, const Rect& tile) {
        const GpuImage value = values.work.run(gpu, source, tile);
        const GpuImage around = means.work.run(gpu, {value, source.rect}, tile);
        return compared(gpu, source.image, value, around, op);
    };
    set_by_processor(
        result, [=](const Image& source) { return compared(op, values, means, source); },
        means.twin.row_cost);
    result.twin.only_proves = op.method == PointMethod::gpu;
    result = over_means(std::move(result), separable_plan(form, {.name = "threshold", .radius = op.radius}));
    return op.method == PointMethod::cpu ? on_cpu(std::move(result)) : result;
}

} // namespace glproc
