#include "glproc/kinds/separable/fast_axis.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::int64_t groups_wanted = 132LL * 16; // fills the largest GPU measured
constexpr int most_stride = 8;                     // of the kernels' arrays

/// Samples of 8-bit results may be off by more.
int width_for(Depth depth) {
    return depth == Depth::u8 ? 5 : 6;
}

/// Long strips do less twice, many strips fill the GPU.
int rows_of(std::int64_t rows, std::int64_t strips, int least) {
    return static_cast<int>(std::max<std::int64_t>(rows * strips / groups_wanted, least));
}

int floor_div(int a, int b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/// What lies before the first pixel: where it begins and what follows may be samples of what is beyond an
/// image. One that sees nothing else stands for all beyond it, where the border is one value for ever;
/// elsewhere there are as many as the blur of samples reaches.
struct Samples {
    int first; ///< number of the first
    int count;
};

Samples samples_of(const FastAxis& axis, std::size_t level, int size, BorderMode border) {
    const bool ends = border == BorderMode::clamp || border == BorderMode::constant;
    const int beyond = ends ? 1 : axis.reach(level + 1);
    const int first = -(axis.width - 1) - beyond;
    return {first, floor_div(size - 1, axis.levels[level].stride) + beyond - first + 1};
}

/// With so few significant bits that products with codes of 8 bits are exact floats.
float short_weight(double weight) {
    constexpr int bits = 16;
    int exponent = 0;
    const double mantissa = std::frexp(weight, &exponent);
    return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits));
}

/// Weights with room for the largest stride: that of place p in step i at 8 * i + p.
Floats padded(const FastLevel& level, int width, double scale) {
    Floats taps(static_cast<std::size_t>(width) * most_stride);
    for (int i = 0; i < width; ++i) {
        for (int p = 0; p < level.stride; ++p) {
            taps[static_cast<std::size_t>(most_stride * i + p)] =
                static_cast<float>(level.down[static_cast<std::size_t>(level.stride * i + p)] * scale);
        }
    }
    return taps;
}

/// SPAN of glsl/blur_up.comp: strides that `pixels` side by side reach into besides the first, where they
/// begin at a multiple of their number.
int span_of(int pixels, int stride) {
    return stride % pixels == 0 ? 0 : stride == 1 ? 3 : 1;
}

Floats scaled(Floats taps, double scale) {
    for (float& tap : taps) {
        tap = static_cast<float>(tap * scale);
    }
    return taps;
}

/// A fast blur under way: the passes take their scratch images in turn.
class FastBlur {
  public:
    FastBlur(Context& gpu, const GpuImage& src, const SeparableFilter& filter)
        : gpu_(gpu), src_(src), filter_(filter), axes_(plan_fast_axes(src.depth(), filter)) {}

    GpuImage run() { return blurred(src_, 0, "result"); }

  private:
    const FastAxis& x() const { return axes_[0]; }
    const FastAxis& y() const { return axes_[1]; }

    /// The blurred `from`, by way of its samples.
    GpuImage blurred(const GpuImage& from, std::size_t level, std::string_view label) {
        const BorderMode border = level == 0 ? filter_.border.mode : BorderMode::clamp;
        const Samples columns = samples_of(x(), level, from.width(), border);
        const Samples rows = samples_of(y(), level, from.height(), border);
        const Form form{columns.count, rows.count, src_.channels(), level == 0 ? sample_depth() : Depth::f32};
        GpuImage samples = gpu_.make_image(form, "blur.samples");
        down(from, level, columns.first, rows.first, samples);
        const GpuImage between = level + 1 < x().levels.size() ? blurred(samples, level + 1, "blur.blurred")
                                                               : blurred_samples(samples);
        GpuImage to = gpu_.make_image(from.form(), label);
        up(between, level, columns.first, rows.first, to);
        return to;
    }

    GpuImage blurred_samples(const GpuImage& samples) {
        SeparableFilter between{
            .name = "blur.samples",
            .radius = {static_cast<int>(x().middle.size()) - 1, static_cast<int>(y().middle.size()) - 1},
            .taps_x = x().middle,
            .taps_y = y().middle,
            .alpha = AlphaMode::straight,
            .nan = NanMode::propagate};
        between.method = chosen_method(gpu_, samples.form(), between);
        return run_by_method(gpu_, samples, between);
    }

    /// Codes of 16 bits are a hundred times finer than results of 8 bits need; not where they are divided by
    /// alpha.
    Depth sample_depth() const {
        const bool is_divided = src_.has_alpha() && filter_.alpha == AlphaMode::premultiply;
        return src_.depth() == Depth::u8 && !is_divided && !filter_.sharpening ? Depth::u16 : Depth::f32;
    }

    /// What values become where they are stored at another depth.
    static double scale(Depth from, Depth to) {
        return to == Depth::f32 || from == Depth::f32 ? 1 : max_code(to) / max_code(from);
    }

    Defines defines(std::size_t level) const {
        Defines all = common_defines(src_.form(), filter_);
        if (level > 0) { // samples have been weighted by alpha, and keep none
            all["ALPHA"] = text(0);
            all["BORDER"] = text(static_cast<int>(BorderMode::clamp));
        }
        all["WIDTH"] = text(x().width);
        return all;
    }

    void down(const GpuImage& from, std::size_t level, int first_x, int first_y, GpuImage& to) {
        const FastLevel& along_x = x().levels[level];
        const FastLevel& along_y = y().levels[level];
        Defines all = defines(level);
        if (all["ALPHA"] == text(2)) {
            all["ALPHA"] = text(0);
        }
        all["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
        all["DST_DEPTH"] = text(static_cast<int>(to.depth()));
        all["ROWS"] = text(along_y.stride == 1 ? 2 : 4);
        const int shared_texel = 18 * 128 / static_cast<int>(from.depth());
        const int group = 128 * shared_texel <= gpu_.limits().shared_bytes ? 128 : 64;
        all["GROUP"] = text(group);
        const int pixels = pixels_per_texel(from.form());
        const int grain = pixels_per_texel(to.form());
        const int strip = group * pixels - (pixels - 1);
        const int columns = (strip / along_x.stride - (x().width - 1)) / grain * grain;
        const std::int64_t strips = (to.width() + columns - 1) / columns;
        const int rows = rows_of(to.height(), strips, 2 * y().width);
        const BorderCodes beyond =
            level == 0 ? border_codes(src_.form(), filter_) : BorderCodes{0, 0, 0, filter_.border_alpha};
        Floats taps_y = padded(along_y, y().width, 1);
        if (from.depth() == Depth::u8) {
            std::transform(taps_y.begin(), taps_y.end(), taps_y.begin(), short_weight);
        }
        gpu_.pass("blur.down", "blur/down.comp", all)
            .reads("i_src", from)
            .writes("i_dst", to)
            .set("u_size", Int2{from.width(), from.height()})
            .set("u_border_texel", border_texel(src_.form(), beyond, from.depth()))
            .set("u_taps_x", padded(along_x, x().width, scale(from.depth(), to.depth())))
            .set("u_taps_y", taps_y)
            .set("u_stride", Int2{along_x.stride, along_y.stride})
            .set("u_first", Int2{first_x * along_x.stride, first_y * along_y.stride})
            .set("u_samples", Int2{to.width(), to.height()})
            .set("u_columns", columns)
            .set("u_rows", rows)
            .groups(strips, (to.height() + rows - 1) / rows);
    }

    void up(const GpuImage& from, std::size_t level, int first_x, int first_y, GpuImage& to) {
        const FastLevel& along_x = x().levels[level];
        const FastLevel& along_y = y().levels[level];
        Defines all = defines(level);
        all.erase("BORDER");
        all["SRC_DEPTH"] = text(static_cast<int>(from.depth()));
        all["DST_DEPTH"] = text(static_cast<int>(to.depth()));
        all["SPAN"] = text(span_of(std::min(pixels_per_texel(to.form()), 4), along_x.stride));
        const int group = to.depth() == Depth::f32 ? 256 : 128;
        all["GROUP"] = text(group);
        const std::int64_t strips = (to.texture().width() + group - 1) / group;
        const int strides = rows_of(floor_div(to.height() - 1, along_y.stride) + 1, strips, 2 * y().width);
        const int rows = strides * along_y.stride;
        // Pixel 0 sees the samples from number 1 - width on.
        const bool sharpens = level == 0 && filter_.sharpening;
        all["SHARPEN"] = text(sharpens ? 1 : 0);
        Pass pass = gpu_.pass("blur.up", "blur/up.comp", all);
        if (sharpens) {
            supply_sharpening(pass, src_, filter_);
        }
        pass.reads("i_src", from)
            .reads("i_own", src_)
            .writes("i_dst", to)
            .set("u_size", Int2{to.width(), to.height()})
            .set("u_taps_x", scaled(along_x.up, scale(from.depth(), to.depth())))
            .set("u_taps_y", along_y.up)
            .set("u_stride", Int2{along_x.stride, along_y.stride})
            .set("u_first", Int2{1 - x().width - first_x, 1 - y().width - first_y})
            .set("u_rows", rows)
            .groups(strips, (to.height() + rows - 1) / rows);
    }

    Context& gpu_;
    const GpuImage& src_;
    const SeparableFilter& filter_;
    std::vector<FastAxis> axes_; ///< x, y
};

bool is_reduced(double sigma) {
    return sigma >= least_fast_sigma;
}

/// What direct passes take less of: they cost the radius, or the image's size where that is less.
bool is_worth_it(const Form& form, const SeparableFilter& filter) {
    const bool ends = filter.border.mode == BorderMode::clamp || filter.border.mode == BorderMode::constant;
    const auto extended = [&](int size, double sigma) {
        return size + (ends ? std::min(8 * sigma, 100.0) : 16 * sigma);
    };
    const auto reach = [](int size, int radius) { return 2.0 * std::min(size, radius); };
    return extended(form.width, filter.sigma.x) * extended(form.height, filter.sigma.y) * 8 <
           double(form.width) * form.height *
               (reach(form.width, filter.radius.x) + reach(form.height, filter.radius.y));
}

} // namespace

std::vector<FastAxis> plan_fast_axes(Depth depth, const SeparableFilter& filter) {
    const auto plan = [&](double sigma, const std::vector<double>& taps) {
        const int width = width_for(depth);
        return is_reduced(sigma) ? plan_fast_axis(sigma, width) : FastAxis{width, {}, taps};
    };
    std::vector<FastAxis> axes{plan(filter.sigma.x, filter.taps_x)};
    axes.push_back(filter.sigma.x == filter.sigma.y && filter.taps_x == filter.taps_y
                       ? axes[0]
                       : plan(filter.sigma.y, filter.taps_y));
    axes[0].extend(axes[1].levels.size());
    axes[1].extend(axes[0].levels.size());
    return axes;
}

bool can_blur_fast(const Form& form, const SeparableFilter& filter) {
    // One that is cut short is no Gaussian, and one that is not reduced would spread infinities.
    const auto fits = [&](double sigma, int radius) {
        return is_reduced(sigma) ? radius >= static_cast<int>(4 * sigma + 0.5)
                                 : form.depth != Depth::f32 || filter.nan == NanMode::skip;
    };
    return (is_reduced(filter.sigma.x) || is_reduced(filter.sigma.y)) &&
           fits(filter.sigma.x, filter.radius.x) && fits(filter.sigma.y, filter.radius.y) &&
           is_worth_it(form, filter);
}

GpuImage run_fast_blur(Context& gpu, const GpuImage& src, const SeparableFilter& filter) {
    return FastBlur(gpu, src, filter).run();
}

} // namespace glproc
