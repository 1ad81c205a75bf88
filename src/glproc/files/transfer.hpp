// Whether the values of a picture are on the curve of sRGB or in proportion to light, and the conversion
// between the two.
#pragma once

#include "glproc/files/rows.hpp"

#include <memory>
#include <span>

namespace glproc {

enum class ColourCurve { srgb, linear };

/// The meaning of values in such a file. OpenEXR, Radiance HDR, PFM and JPEG XL floats without a profile hold
/// linear light; everything else holds sRGB.
ColourCurve transfer_of(Format format, Depth depth, bool has_profile);

/// Converts colours of floats, in pictures with so many channels, from one to the other; alpha stays.
void convert_transfer(std::span<float> values, int channels, ColourCurve from, ColourCurve to);

/// The same for a picture of floats.
Image with_transfer(Image image, ColourCurve from, ColourCurve to);
RowSource with_transfer(RowSource source, ColourCurve from, ColourCurve to);

/// Accepts rows of floats of `form`, and converts them for a writer.
std::unique_ptr<RowWriter> with_transfer(std::unique_ptr<RowWriter> writer, const Form& form,
                                         ColourCurve from, ColourCurve to);

} // namespace glproc
