// Separable filters: the parts that blur and box share.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/kinds/separable/fast_axis.hpp"
#include "glproc/kinds/strips.hpp"
#include "glproc/op/plan.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// Unsharp masking: v + amount (v - mean) where the two differ by more than the threshold, 0 to 1, else v.
struct Sharpening {
    double amount = 1;
    double threshold = 0;
};

/// A filter whose weights are the product of one weight for each axis.
struct SeparableFilter {
    std::string_view name; ///< for labels and errors
    PerAxis<int> radius;
    /// Weights at distance 0 … radius along x and y, which add up to 1 over −radius … radius. Empty for the
    /// box, whose pixels all count the same.
    std::vector<double> taps_x = {};
    std::vector<double> taps_y = {};
    /// For a box with taps that say how often a pixel counts; see folded().
    bool counts = false;
    Border border = {};
    AlphaMode alpha = AlphaMode::premultiply;
    FilterMethod method = FilterMethod::automatic;
    NanMode nan = NanMode::skip;
    /// Whether integer images are filtered as linear light.
    bool linear = false;
    /// Alpha beyond a constant border, 0 to 1.
    double border_alpha = 0;
    /// Set for a Gaussian, else 0.
    PerAxis<double> sigma = 0;
    /// Applied to the mean at the end; only if `nan` is propagate.
    std::optional<Sharpening> sharpening = std::nullopt;
    double dispatch_work = 0; ///< the multiplications of the first dispatch; 0: see Pacer

    bool is_box() const { return taps_x.empty() || counts; }
};

/// The plan of the filter for pictures of this form; the result has the same form. Throws Error(usage) for a
/// border that such pictures cannot have.
Plan separable_plan(const Form& form, const SeparableFilter& filter);

/// Why the filter cannot run on such images by the method it names, as a sentence; nothing if it can.
std::optional<std::string> why_unavailable(Context& gpu, const Form& form, const SeparableFilter& filter);

/// The method that `automatic` and `fast` stand for.
FilterMethod chosen_method(Context& gpu, const Form& form, const SeparableFilter& filter);

/// How `window` cuts an image; nothing if the radius is too large or shared memory too small.
std::optional<StripPlan> plan_window(const Limits& limits, const Form& form, PerAxis<int> radius);

/// Whether `walk` has registers for the radius.
bool can_walk(PerAxis<int> radius);

/// How `tiled` cuts an image: invocations of a group (a unit of pixels each), and the neighbourhood in shared
/// memory.
struct BlockPlan {
    int group_w = 0;      ///< units
    int group_h = 0;      ///< rows; a tile has 2 × radius.y fewer
    int radius_units = 0; ///< texels of the neighbourhood on each side
};

/// The plan with the least work beyond the tile itself; nothing if no tile fits the limits.
std::optional<BlockPlan> plan_blocks(const Limits& limits, const Form& form, PerAxis<int> radius);

} // namespace glproc
