// Pictures of another size.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/kinds/gather/windows.hpp"

#include <span>
#include <vector>

namespace glproc {

/// How both axes are made of a picture with four bytes a pixel that are mixed as they are. The same bits.
enum class ResampleRoad {
    automatic,
    lines, ///< an invocation marches along a line, first along x, then along y: what all other pictures take
    pairs, ///< an invocation makes two neighbouring columns, where it can along both axes in one pass
};

/// A part of a picture shown at another size, along x and along y, in this order. Between the two pictures of
/// 8 bits are kept within what they can hold, as Pillow does. Values of float pictures that are not finite
/// spread as far as the filter reaches.
struct Resample {
    Stretch x;
    Stretch y;
    AlphaMode alpha = AlphaMode::premultiply;
    bool linear = false; ///< integer pictures are taken to be sRGB, and mixed as light
    ResampleRoad road = ResampleRoad::automatic;

    Form result_of(const Form& source) const { return {x.to, y.to, source.channels, source.depth}; }
};

/// Whether colour is weighted by alpha, and whether light is mixed. A single pixel is shown as it is, the
/// colour of a transparent one, too.
bool mixes_by_alpha(const Resample& resample, const Form& form);
bool mixes_light(const Resample& resample, const Form& form);

/// What lies between the two axes.
Depth between_depth(const Resample& resample, const Form& form);

/// The rectangle of the source that a rectangle of the result is made of.
Rect source_of(const Resample& resample, const Rect& result);

/// `result` of the picture at its new size, made of the part `rect` of the source, which holds source_of().
/// The same bits, however the picture is cut.
GpuImage run_resample(Context& gpu, const Resample& resample, const GpuImage& part, const Rect& rect,
                      const Rect& result);

/// Whether resample_rows() takes such pictures: codes whose values are mixed as they are.
bool resamples_by_processor(const Resample& resample, const Form& form);

/// What run_resample() makes of a whole picture, bit for bit, by the processor alone. Rows of the result are written as soon as
/// those of the source are there that they are made of; no more lies in memory.
void resample_rows(const Resample& resample, RowReader& source, RowWriter& to);

/// Chosen rows of the result one after another, unrounded, in code units; in double precision.
std::vector<double> resampled_rows(const Resample& resample, const Image& source, std::span<const int> rows);

/// Multiplications that a row of these takes.
double resample_row_cost(const Resample& resample, int channels);

} // namespace glproc
