// Inside morphology: its methods.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/morphology.hpp"

#include <span>
#include <vector>

namespace glproc {

/// Dilation, or erosion; the other steps combine them.
enum class Extreme { least, largest };

/// Whether the step is what two others differ by.
bool is_difference(MorphologyStep step);

/// The value that decides nothing: for hidden colours, which are not to be found.
double indifferent(Depth depth, Extreme which);

/// For each row of the shape, how far its run of pixels reaches to each side.
std::vector<int> runs_of(const Morphology& op);

/// The radius that matters on a line of n pixels: beyond them a box sees the same ones again.
PerAxis<int> radius_within(const Form& form, PerAxis<int> radius);

/// How `flat` transposes the texels it stores: from registers, or through shared memory, which is for a
/// radius up to 7.
enum class TurnedStores { automatic, registers, shared };

/// The methods.
GpuImage run_flat(Context& gpu, const GpuImage& src, const Morphology& op, Extreme which,
                  TurnedStores stores = TurnedStores::automatic);
GpuImage run_direct(Context& gpu, const GpuImage& src, const Morphology& op, Extreme which);

/// Stores `a` minus `b` in `target`, which is one of them.
void subtract(Context& gpu, const GpuImage& other, GpuImage& target, bool from_other, const Morphology& op);

/// Whether the loops of `direct` end as they should, which some renderers prevent: see workarounds.cpp.
bool can_run_direct(Context& gpu, const Form& form, const Morphology& op);

/// The steps that need no radius.
bool is_of_objects(MorphologyStep step);
Plan objects_plan(const Morphology& op, const Form& form);
Plan hitmiss_plan(const Morphology& op, const Form& form);
Plan reconstruct_plan(const Morphology& op, const Form& form);

/// The whole operation. Only `rows` of the result have content.
Image morphology_on_cpu(const Image& image, const Morphology& op, std::span<const int> rows);

} // namespace glproc
