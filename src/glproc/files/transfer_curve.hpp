// Whether the values of a picture are on the curve of sRGB, in proportion to light, or numbers that nobody
// explains, and the conversions between these.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/image/colour.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <span>

namespace glproc {

enum class ColourCurve { srgb, linear, unknown };

/// The meaning of values in such a file. OpenEXR, Radiance HDR, PFM and JPEG XL floats without a profile hold
/// linear light. Floats of TIFF without a profile are unknown, and everything else holds sRGB.
ColourCurve transfer_of(Format format, Depth depth, bool has_profile);

/// The same of a picture that was read; unknown where it comes from no file.
ColourCurve curve_of(const Form& form, const Metadata& metadata);

/// A colour as linear light, unless it is values of the picture; alpha stays.
Colour light_of(const Colour& colour);

/// Converts colours of floats, in pictures with so many channels, from one to the other; alpha stays. Nobody
/// knows the way to unknown values and from them: they stay, too.
void convert_transfer(std::span<float> values, int channels, ColourCurve from, ColourCurve to);

/// The same for a picture of floats.
Image with_transfer(Image image, ColourCurve from, ColourCurve to);
RowSource with_transfer(RowSource source, ColourCurve from, ColourCurve to);

/// Accepts rows of floats of `form`, and converts them for a writer.
std::unique_ptr<RowWriter> with_transfer(std::unique_ptr<RowWriter> writer, const Form& form,
                                         ColourCurve from, ColourCurve to);

/// A further picture of a call, with the curve of the first one's values: as floats, where these are light.
Image with_curve_of(ColourCurve first, Image image, ColourCurve own);
RowSource with_curve_of(ColourCurve first, RowSource source, ColourCurve own);

/// Floats that differ by less are nearly one code of 8 bits, so that 0 to 1 says nothing about them.
inline constexpr double narrow_range = 1.0 / 256;

/// The least and the largest finite value among the colours that can be seen.
class OwnRange {
  public:
    /// More pixels of floats.
    void add(std::span<const float> values, int channels);

    /// 0 to 1 where all values lie within that and differ by more than `narrow_range` or not at all, and
    /// where there are none.
    Interval range() const;

  private:
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
};

/// The same of a picture of floats.
Interval own_range(const Image& image);
Interval own_range(const RowSource& source);

/// That range becomes 0 to 1; alpha stays.
Image from_range(Image image, const Interval& range);
RowSource from_range(RowSource source, const Interval& range);

/// Floats that are about to become codes: `tell` is called once, where codes cut a colour that can be seen.
Image watched(Image image, const std::function<void()>& tell);
RowSource watched(RowSource source, std::function<void()> tell);
std::unique_ptr<RowWriter> watched(std::unique_ptr<RowWriter> writer, const Form& form,
                                   std::function<void()> tell);

} // namespace glproc
