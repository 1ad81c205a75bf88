// Inside the separable filters: each method, and what their passes share.
#pragma once

#include "glproc/ops/separable.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace glproc {

/// A number as a define's value.
std::string text(int value);

/// BORDER, CHANNELS and ALPHA, which all kernels of filters have.
Defines common_defines(const GpuImage& src, const SeparableFilter& filter);

/// A texel full of the constant border's pixel: `code` for colour, 0 for alpha.
Uint4 border_texel(const GpuImage& src, double code, Depth depth);

/// The constant in code units, rounded to the image's depth so that every method sees the same.
double border_code(const GpuImage& src, const Border& border);

/// The constant as it is between the passes, where colour may be weighted by alpha, which is 0.
double border_between_passes(const GpuImage& src, const SeparableFilter& filter);

/// Half a kernel, zeros up to the radius `bucket`. A box's are ones, so that integers add up exactly.
Floats half_kernel(const std::vector<double>& taps, int radius, int bucket);

/// Where the result goes.
GpuImage& result_of(FilterMemory& memory, Context& gpu, const GpuImage& src);

/// The methods. Each asks for memory.result and leaves the filtered image there.
void run_direct(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory);
void run_tiled(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const TilePlan& plan,
               FilterMemory& memory);
void run_window(Context& gpu, const GpuImage& src, const SeparableFilter& filter, const WindowPlan& plan,
                FilterMemory& memory);
void run_walk(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory);
void run_fast_blur(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory);
void run_fast_box(Context& gpu, const GpuImage& src, const SeparableFilter& filter, FilterMemory& memory);
/// `fast` in one pass, where can_box_in_strips(). `shuffle`: SHUFFLE of glsl/lib/lanes.glsl; tests take the
/// other.
void run_box_in_strips(Context& gpu, const GpuImage& src, const SeparableFilter& filter, bool shuffle,
                       FilterMemory& memory);

/// Whether `fast` has a way of its own for this filter and image; it then gives the answer within its
/// tolerance.
bool can_blur_fast(const GpuImage& src, const SeparableFilter& filter);
bool can_box_fast(const GpuImage& src, const SeparableFilter& filter);
bool can_box_in_strips(const GpuImage& src, const SeparableFilter& filter);

/// Whether `fast` should go in strips: where it can, and on a device whose lanes add up without barriers.
bool goes_in_strips(Context& gpu, const GpuImage& src, const SeparableFilter& filter);

/// What tap(axis, distance) of `direct` and `tiled` reads.
void supply_taps(Pass& pass, Context& gpu, const SeparableFilter& filter, FilterMemory& memory);

} // namespace glproc
