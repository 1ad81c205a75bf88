// Inside convolution: the method `window`, glsl/kinds/convolution/window.comp.
#pragma once

#include "glproc/kinds/convolution.hpp"
#include "glproc/kinds/short_weight.hpp"
#include "glproc/kinds/strips.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace glproc {

/// The weights rounded until they are short. They stay as they are if `scale` times a sum of codes might miss
/// by more than 1/1000 of a code. That is also the share of sums that would round to another code.
std::vector<double> shortened(const std::vector<double>& weights, double scale);

/// How far a kernel reaches, along the axis where it reaches further.
int reach_of(const Convolution& convolution);

/// How it cuts an image of this form; nothing if it cannot. `terms` is the number of products that the kernel
/// is the sum of, or 0 for all its weights.
std::optional<StripPlan> plan_convolution_window(Context& gpu, const Form& form,
                                                 const Convolution& convolution, int terms);

/// The part that it shares with other methods.
struct ConvolutionPass {
    bool may_be_exact = false; ///< whether values are whole numbers of 8 bits
    Defines defines;
    std::function<void(Pass&)> supply;
};

void run_convolution_window(Context& gpu, const GpuImage& source, const Convolution& convolution,
                            const StripPlan& plan, int terms, const ConvolutionPass& shared, GpuImage& dst);

} // namespace glproc
