#include "glproc/kinds/convolution_window.hpp"
#include "glproc/kinds/border.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace glproc {

namespace {

// Radii come in these, so that a slider compiles few programs.
constexpr std::array radii_of_weights{2, 4, 7};
constexpr std::array radii_of_products{4, 8, 16};
constexpr int sums_bytes = 20; // of a quad, with the gap after every span
constexpr int held_rows = 4;

/// The weights on one side of a kernel: those within `radius`, in order from -radius to radius.
class Side {
  public:
    Side(int radius, int first, int count) : radius_(radius), first_(first), count_(count) {}

    int length() const { return 2 * radius_ + 1; }
    /// The index of the kernel's weight at place i, if there is one.
    std::optional<std::size_t> at(int i) const {
        const int index = i - radius_ - first_;
        return index >= 0 && index < count_ ? std::optional(static_cast<std::size_t>(index)) : std::nullopt;
    }
    Floats widened(const std::vector<double>& weights) const {
        Floats result;
        for (int i = 0; i < length(); ++i) {
            result.push_back(at(i) ? static_cast<float>(weights[*at(i)]) : 0.0F);
        }
        return result;
    }

  private:
    int radius_;
    int first_;
    int count_;
};

/// Rows in whole quads: a uniform array of single numbers takes four times the space, more than NVIDIA's
/// cache of uniforms holds.
Float4s all_weights(const Convolution& convolution, const Side& x, const Side& y, bool& is_exact) {
    const int row_quads = (x.length() + 3) / 4;
    Float4s weights(static_cast<std::size_t>(y.length() * row_quads), Float4{});
    for (int row = 0; row < y.length(); ++row) {
        for (int column = 0; column < x.length(); ++column) {
            if (!x.at(column) || !y.at(row)) {
                continue;
            }
            const double weight =
                convolution.weight(static_cast<int>(*x.at(column)), static_cast<int>(*y.at(row)));
            weights[static_cast<std::size_t>(row * row_quads + column / 4)]
                   [static_cast<std::size_t>(column % 4)] = static_cast<float>(weight);
            is_exact = is_exact && is_short(weight);
        }
    }
    return weights;
}

void append(Floats& values, const Floats& more) {
    values.insert(values.end(), more.begin(), more.end());
}

} // namespace

std::optional<StripPlan> plan_convolution_window(Context& gpu, const Form& form,
                                                 const Convolution& convolution, int terms) {
    constexpr int few_rows = 28; // the number of turns that loops may have if they end early
    const std::span<const int> radii =
        terms == 0 ? std::span<const int>(radii_of_weights) : std::span<const int>(radii_of_products);
    const auto radius =
        std::find_if(radii.begin(), radii.end(), [&](int r) { return r >= reach_of(convolution); });
    if (radius == radii.end() || convolution.depth.value_or(form.depth) != form.depth) {
        return std::nullopt;
    }
    // If there are no sums to share, results are made from rows while others come in.
    const int held = terms == 0 ? 2 * held_rows : held_rows;
    std::optional<StripPlan> plan = plan_strips(gpu.limits(), form, *radius, {held, sums_bytes * terms});
    if (plan && gpu.device().has_workaround("loops_end_early")) {
        plan->most_rows = few_rows;
    }
    return plan;
}

void run_convolution_window(Context& gpu, const GpuImage& source, const Convolution& convolution,
                            const StripPlan& plan, int terms, const ConvolutionPass& shared, GpuImage& dst) {
    const Form& form = source.form();
    const Side x(plan.radius, convolution.first.x, convolution.width);
    const Side y(plan.radius, convolution.first.y, convolution.height);
    bool is_exact = shared.may_be_exact && terms == 0;
    Floats rows;
    Floats columns;
    for (int term = 0; term < terms; ++term) {
        const WeightProduct& product = convolution.products[static_cast<std::size_t>(term)];
        append(rows, x.widened(product.row));
        append(columns, y.widened(product.column));
    }
    const Float4s weights = terms == 0 ? all_weights(convolution, x, y, is_exact) : Float4s{};
    Defines defines = shared.defines;
    defines.erase("DST_DEPTH");
    defines.insert({{"SRC_DEPTH", text(static_cast<int>(form.depth))},
                    {"TERMS", text(terms)},
                    {"EXACT", text(is_exact ? 1 : 0)},
                    {"RADIUS", text(plan.radius)},
                    {"GROUP", text(plan.group)}});
    over_strips(form, plan, [&](bool edge) {
        defines["EDGE"] = text(edge ? 1 : 0);
        Pass pass = gpu.pass(convolution.name + ".window", "kinds/convolution/window.comp", defines);
        shared.supply(pass);
        pass.reads("i_src", source)
            .writes("i_dst", dst)
            .set("u_size", Int2{form.width, form.height})
            .set("u_border_texel",
                 border_texel(form, border_codes(form, convolution.border, convolution.border.alpha()),
                              form.depth));
        if (terms == 0) {
            pass.set("u_weights", weights);
        } else {
            pass.set("u_row_taps", rows).set("u_column_taps", columns);
        }
        return pass;
    });
}

} // namespace glproc
