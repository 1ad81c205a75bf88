// Resizes pictures.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/kinds/gather/windows.hpp"

namespace glproc {

/// How both axes of a picture are resized, if it has four bytes per pixel and its values are mixed as they
/// are. Both ways give the same bits.
enum class ResampleRoad {
    automatic,
    lines, ///< an invocation marches along a line, first along x, then along y: used for all other pictures
    pairs, ///< an invocation makes two neighbouring columns, along both axes in one pass if it can
};

/// Shows a part of a picture at another size, along x and along y, in this order. Between the two, pictures
/// of 8 bits are kept within the range of 8 bits, as Pillow does. Values of float pictures that are not
/// finite spread as far as the filter reaches.
struct Resample {
    Stretch x;
    Stretch y;
    AlphaMode alpha = AlphaMode::premultiply;
    bool linear = false; ///< integer pictures are taken to be sRGB, and mixed as light
    ResampleRoad road = ResampleRoad::automatic;

    Form result_of(const Form& source) const { return {x.to, y.to, source.channels, source.depth}; }
};

/// Whether colour is weighted by alpha, and whether light is mixed. A single pixel is shown as it is, even
/// the colour of a transparent one.
bool mixes_by_alpha(const Resample& resample, const Form& form);
bool mixes_light(const Resample& resample, const Form& form);

/// The depth of the values between the two axes.
Depth between_depth(const Resample& resample, const Form& form);

/// The rectangle of the source that a rectangle of the result depends on.
Rect source_of(const Resample& resample, const Rect& result);

/// `result` of the picture at its new size, made from the part `rect` of the source, which holds what
/// source_of() says. The bits are the same however the picture is cut.
GpuImage run_resample(Context& gpu, const Resample& resample, const GpuImage& part, const Rect& rect,
                      const Rect& result);

/// Gives the same result as run_resample() for a whole picture, bit for bit, by the processor alone. A row of
/// the result is written as soon as the rows of the source that it depends on are there. No more is kept in
/// memory.
void resample_rows(const Resample& resample, RowReader& source, RowWriter& to);

/// Multiplications that a row of these takes.
double resample_row_cost(const Resample& resample, int channels);

} // namespace glproc
