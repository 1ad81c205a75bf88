// Pixels of alpha 0 have no colour: what a file holds there reaches no neighbour.
//
// Stencils see the colour of the middle instead (near() of glsl/lib/near.glsl). Ranks and extremes see a value that they leave out.
// Sums count the other pixels alone, or see colours that were filled in.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/image.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/kinds/float_bits.hpp"
#include "glproc/op/plan.hpp"

#include <optional>
#include <vector>

namespace glproc {

/// Whether a pixel of this alpha cannot be seen, as glsl/lib/hidden.glsl.
template <class T>
bool hides(T alpha) {
    return without_denormal(alpha) == 0;
}

/// Whether a picture has such pixels.
bool has_hidden(const Image& image);
bool has_hidden(Context& gpu, const GpuImage& image);
bool has_hidden(Context& gpu, const Look& picture);

/// Which pixels they are; nothing of a picture without alpha.
std::vector<bool> hidden_pixels(const Image& image);

/// The picture with these colours in hidden pixels, in code units: neighbourhoods whose least or largest value
/// is asked for get one that never is. NaN, where the result has floats, is a value that is missing.
Image with_hidden(Image image, double code);
GpuImage with_hidden(Context& gpu, const GpuImage& image, double code, std::optional<Depth> depth = {});

/// The picture with 0 in hidden pixels that nothing was found for, which have NaN.
Image without_missing(Image image);
GpuImage without_missing(Context& gpu, const GpuImage& image, Depth depth);

/// How far the colours of pixels reach into hidden ones, and the border of the picture.
struct Filling {
    int reach = 1; ///< pixels; more than 120 count as that
    Border border = {};
};

/// Hidden pixels get the mean colour of those nearest to them that can be seen; the same bits either way.
Image filled(const Image& image, const Filling& filling);
/// Nothing where nothing is hidden.
std::optional<GpuImage> filled(Context& gpu, const GpuImage& image, const Filling& filling);

/// The plan, which then sees filled pictures.
Plan over_filled(Plan plan, const Filling& filling);

/// The plan, which then sees in hidden pixels what a filter that weights colours by alpha makes of them: the mean of those
/// around them that can be seen.
Plan over_means(Plan plan, Plan weighted);

/// Of a filter that weights colours by alpha: the same for pixels that count alike if they can be seen at all. Alpha is kept.
Plan seen_alike(Plan weighted);

} // namespace glproc
