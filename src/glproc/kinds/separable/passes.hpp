// Inside the separable filters: each method, and the parts that their passes share.
#pragma once

#include "glproc/kinds/border.hpp"
#include "glproc/kinds/separable/separable.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace glproc {

/// ALPHA of lib/pixel.glsl.
int alpha_define(const Form& form, AlphaMode alpha);

/// BORDER, CHANNELS and ALPHA, which all kernels of filters have.
Defines common_defines(const Form& form, const SeparableFilter& filter);

/// The constant beyond the filter's border.
BorderCodes border_codes(const Form& form, const SeparableFilter& filter);

/// The constant as it is between the passes, where colour may be weighted by alpha.
BorderCodes border_between_passes(const Form& form, const SeparableFilter& filter);

/// The factor for the sums of a filter: 1 / the sum of its weights.
float scale_of(const SeparableFilter& filter, const Form& form);

/// The half kernels of x and y as kernels take them; a box's are whole numbers. If has_short_taps(), the half
/// kernel of x has 16 bits.
std::array<Floats, 2> half_kernels(const SeparableFilter& filter, const Form& form);

/// Whether products along x are exact, as they are for 8 and 16 bits, so that a GPU's fused multiply-add
/// gives the same bits as two operations.
bool has_short_taps(const SeparableFilter& filter, const Form& form);

/// The same filter with radii that stay within an image of this form: beyond it, a filter sees the same
/// pixels again. All methods that give the exact answer run the folded filter, because another order of sums
/// would give other bits.
SeparableFilter folded(const SeparableFilter& filter, const Form& form);

/// Whether the filter is a box whose sums are whole numbers, below 2^32 along each axis. Every method gives
/// those sums exactly, and the mean is the float nearest to them times scale_of(). If colour is weighted by
/// alpha, it is the code nearest to their quotient by the sum of alpha.
bool has_whole_sums(const Form& form, const SeparableFilter& filter);

/// Whether floats hold the filter's sums as exactly as has_whole_sums() promises.
bool suits_floats(const Form& form, const SeparableFilter& filter);

/// The largest sum of a box.
double largest_box_sum(const Form& form, const SeparableFilter& filter);

/// The methods.
GpuImage run_direct(Context& gpu, const GpuImage& src, const SeparableFilter& filter);
GpuImage run_tiled(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const BlockPlan& plan);
GpuImage run_window(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const StripPlan& plan);
GpuImage run_walk(Context& gpu, const GpuImage& src, const SeparableFilter& filter);
/// The same by the processor alone, bit for bit, row by row. `form`: the form of the whole picture, which
/// decides on the method. `source` may be a part.
void filter_rows(const Form& form, const SeparableFilter& filter, RowReader& source, RowWriter& to);
/// Whether the filter takes a fast method that has bits of its own, on pictures of this working_form().
bool goes_fast(const Form& form, const SeparableFilter& filter);
/// Whether filter_rows() keeps the whole picture in memory.
bool holds_picture(const Form& form, const SeparableFilter& filter);
/// The steps of filter_rows(): filters that give the exact answer, as they are folded, fast Gaussians, and fast boxes of floats.
void filter_rows_exactly(const SeparableFilter& filter, RowReader& source, RowWriter& to);
Image blur_fast_by_processor(const SeparableFilter& filter, const Image& source);
Image box_of_floats_by_processor(const SeparableFilter& filter, const Image& source);
/// How a fast Gaussian goes down to samples and up again; the bits are the same.
enum class FastRoad {
    groups, ///< sharing rows in shared memory: on GPUs
    walk,   ///< each invocation by itself: where shared memory is slow
};
FastRoad fast_road(Context& gpu);
GpuImage run_fast_blur(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FastRoad road);
GpuImage run_fast_box(Context& gpu, const GpuImage& src, const SeparableFilter& filter);
GpuImage run_box_of_floats(Context& gpu, const GpuImage& src, const SeparableFilter& filter);
/// `fast` in one pass, if can_box_in_strips(). `shuffle`: SHUFFLE of glsl/lib/lanes.glsl; tests run both.
GpuImage run_box_in_strips(Context& gpu, const GpuImage& src, const SeparableFilter& filter, bool shuffle);

/// The same filter applied to other images: to float images without their holes, to integer images as linear
/// light.
GpuImage run_around_holes(Context& gpu, const GpuImage& src, const SeparableFilter& filter);
GpuImage run_linear(Context& gpu, const GpuImage& src, const SeparableFilter& filter);

/// Whether a float image has values that are not finite. Waits for the device.
bool has_holes(Context& gpu, const GpuImage& src, const SeparableFilter& filter);

/// The form of the values that sums are computed from.
Form working_form(const Form& form, const SeparableFilter& filter);

/// Runs the filter by the method that it names, which must be possible: neither `automatic` nor a method that
/// why_unavailable() refuses. A tile takes the method chosen for the whole picture.
GpuImage run_by_method(Context& gpu, const GpuImage& src, const SeparableFilter& filter);

/// The needs of tiles of such pictures if the filter runs by the method that it names, as above.
TileNeeds needs_of(Context& gpu, const Form& form, const SeparableFilter& filter);

/// The radius that `walk` is compiled for, at least the filter's.
int walk_radius(PerAxis<int> radius);

/// The axes of a fast blur of such images, x and y, with as many levels.
std::vector<FastAxis> plan_fast_axes(Depth depth, const SeparableFilter& filter);

/// Where tiles of a fast box of floats may begin so that its sums are the same as for the whole picture.
PerAxis<int> box_of_floats_grain(PerAxis<int> radius);

/// The depth at which `fast` stores its sums along y.
Depth fast_sum_depth(const Form& form, const SeparableFilter& filter);

/// Whether `fast` has its own way for this filter and image; it then gives the answer within its tolerance.
bool can_blur_fast(const Form& form, const SeparableFilter& filter);
bool can_box_fast(const Form& form, const SeparableFilter& filter);
bool can_box_in_strips(const Form& form, const SeparableFilter& filter);
/// For floats `fast` has bits of its own, as exact as the bits of the other methods.
bool can_box_floats(const Form& form, const SeparableFilter& filter);

/// Whether `fast` should work in strips: if it can, and if the device's lanes add up without barriers.
bool goes_in_strips(Context& gpu, const Form& form, const SeparableFilter& filter);

/// The inputs of `window` and `walk` besides the image: its size and border, and half kernels with zeros from
/// the filter's radius up to `bucket`. A box's weights are ones, so that integers add up exactly.
void supply_half_kernels(Pass& pass, const Form& form, const SeparableFilter& filter, int bucket);

/// The inputs of lib/unsharp.glsl: values of the filter, and the image. For kernels with SHARPEN 1.
void supply_sharpening(Pass& pass, const GpuImage& image, const SeparableFilter& filter);

/// The taps of both axes in one buffer.
struct FilterTaps {
    Buffer buffer;
    int y_offset;
};

FilterTaps upload_taps(Context& gpu, const Form& form, const SeparableFilter& filter);

/// The inputs of tap(axis, distance) in `direct` and `tiled`.
void supply_taps(Pass& pass, const FilterTaps& taps);

} // namespace glproc
