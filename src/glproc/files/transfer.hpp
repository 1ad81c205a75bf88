// What the floats of a picture stand for in each format, and the conversion between values on the curve of
// sRGB, values in proportion to light, and numbers of any range.
#pragma once

#include "glproc/files/codec.hpp"
#include "glproc/files/rows.hpp"

#include <limits>
#include <memory>
#include <span>

namespace glproc {

/// The light of such a file without a word from anyone. OpenEXR, Radiance HDR, PFM and JPEG XL floats without a
/// profile hold linear light. Floats of TIFF without a profile, and those that were integers of another type, are
/// numbers that nobody explains. Everything else is encoded.
Light light_in(Format format, const Form& form, bool has_profile);

/// Converts colours of floats, in pictures with so many channels, from one to the other; alpha stays. Nothing
/// is known of how to convert unknown ones: they stay, too.
void convert_light(std::span<float> values, int channels, Light from, Light to);

/// The same for a picture of floats, which then has that light.
Image with_light(Image image, Light to);
RowSource with_light(RowSource source, Light to);

/// Accepts rows of floats of `form`, and converts them for a writer.
std::unique_ptr<RowWriter> with_light(std::unique_ptr<RowWriter> writer, const Form& form, Light to);

/// A further image of a call, in the depth and the light of the first one.
Image like_first(Image image, const Form& first);
RowSource like_first(RowSource source, const Form& first);

/// The range of a picture of floats becomes 0 to 1; alpha stays.
Image from_range(Image image, const Interval& range);
RowSource from_range(RowSource source, const Interval& range);
std::unique_ptr<RowWriter> from_range(std::unique_ptr<RowWriter> writer, const Form& form, const Interval& range);

/// The least and the largest finite value among the colours that can be seen.
class OwnRange {
  public:
    /// More pixels of floats.
    void add(std::span<const float> values, int channels);

    /// 0 to 1 where all values lie within that, and where there are none.
    Interval range() const;

  private:
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
};

Interval own_range(const Image& image);
Interval own_range(const RowSource& source);

} // namespace glproc
