// The steps of a fast Gaussian blur, down to samples and up again. There are two ways that give the same
// bits: by groups with shared memory, and by invocations that walk by themselves. This is the part that both
// share.
#pragma once

#include "glproc/kinds/separable/fast_axis.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <cstddef>
#include <vector>

namespace glproc {

constexpr int most_stride = 8; // of the kernels' arrays

int floor_div(int a, int b);

/// The samples of an axis: where they begin, and how many there are. Samples may lie beyond the image. If the
/// border never changes, one sample beyond the image stands for all of them; otherwise there are as many as
/// the blur of samples reaches.
struct FastSamples {
    int first; ///< number of the first
    int count;
};

FastSamples samples_of(const FastAxis& axis, std::size_t level, int size, BorderMode border);

/// At which the samples of pictures of this form are stored.
Depth sample_depth(const Form& form, const SeparableFilter& filter);

/// The filter that blurs the samples of the last level.
SeparableFilter filter_of_samples(const std::vector<FastAxis>& axes);

/// Weights with room for the largest stride: the weight of place p in step i is at 8 * i + p. Weights of
/// x scale sums to the range of the samples. Weights of y have 16 bits if pixels have 8.
Floats down_taps_x(const FastAxis& axis, std::size_t level, Depth from, Depth to);
Floats down_taps_y(const FastAxis& axis, std::size_t level, Depth from);
/// Weights of the samples around a pixel, which scale them to the range of the result.
Floats up_taps_x(const FastAxis& axis, std::size_t level, Depth from, Depth to);

/// How many more strides `pixels` side by side reach into than the first, if they begin at a multiple of their number.
int span_of(const FastLevel& level, int pixels);

/// A fast blur under way.
struct FastBlur {
    Context& gpu;
    const GpuImage& src;
    const SeparableFilter& filter;
    std::vector<FastAxis> axes; ///< x, y

    const FastAxis& x() const { return axes[0]; }
    const FastAxis& y() const { return axes[1]; }
};

/// One level of it, in one direction.
struct FastStep {
    const FastBlur& blur;
    std::size_t level;
    Int2 first; ///< numbers of the first samples
    const GpuImage& from;
    GpuImage& to;

    const FastLevel& along_x() const { return blur.x().levels[level]; }
    const FastLevel& along_y() const { return blur.y().levels[level]; }
    bool sharpens() const { return level == 0 && blur.filter.sharpening; }

    /// Defines that all kernels of a direction share: on the way down a kept alpha is left to the way up.
    Defines down_defines() const;
    Defines up_defines() const;

    /// The constant beyond the border, of pixels of this depth.
    Uint4 border(Depth depth) const;
    Floats down_taps_x() const { return glproc::down_taps_x(blur.x(), level, from.depth(), to.depth()); }
    Floats down_taps_y() const { return glproc::down_taps_y(blur.y(), level, from.depth()); }
    Floats up_taps_x() const { return glproc::up_taps_x(blur.x(), level, from.depth(), to.depth()); }
    /// The first samples that pixel 0 depends on, as the texture of the samples counts them.
    Int2 first_seen() const;
    /// SPAN of the kernels up.
    int span(int pixels) const { return span_of(along_x(), pixels); }
};

/// By groups, which share rows in shared memory.
void go_down_in_groups(const FastStep& step);
void go_up_in_groups(const FastStep& step);

/// By invocations alone, for renderers whose shared memory is slow.
void walk_down(const FastStep& step);
void walk_up(const FastStep& step);

} // namespace glproc
