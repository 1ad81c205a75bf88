// Uneven light behind the objects of an image.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/op/plan.hpp"

namespace glproc {

enum class BackgroundMethod { paraboloid, tophat, gauss, median };

template <>
inline constexpr std::array<EnumRow<BackgroundMethod>, 4> enum_rows<BackgroundMethod>{
    EnumRow{BackgroundMethod::paraboloid, "paraboloid",
            "where a paraboloid that slides below the image touches it, like ImageJ's Subtract Background"},
    EnumRow{BackgroundMethod::tophat, "tophat", "an opening by a square: objects narrower than it vanish"},
    EnumRow{BackgroundMethod::gauss, "gauss", "a Gaussian blur, with the radius as its sigma"},
    EnumRow{BackgroundMethod::median, "median", "the median of a square"},
};

enum class BackgroundOutput { subtracted, background };

template <>
inline constexpr std::array<EnumRow<BackgroundOutput>, 2> enum_rows<BackgroundOutput>{
    EnumRow{BackgroundOutput::subtracted, "subtracted", "the image without its background"},
    EnumRow{BackgroundOutput::background, "background", "the background alone"},
};

/// The background of each colour by itself, and the image without it; alpha is kept. Objects are brighter
/// than the background, or with `light` darker: then everything is done to the complement.
///
/// `paraboloid` is the opening by t² / (2 radius) steps of 1/255, for pixels at distance t, cut where that is
/// white; pixels beyond the image have no part in it. Integer results are that, rounded once. `subtracted` is
/// the image minus the background as it is stored, not below 0. The other methods are Morphology, Blur and
/// Median.
struct Background {
    int radius = 50; ///< pixels: 1 to 500, of medians to 127
    BackgroundMethod by = BackgroundMethod::paraboloid;
    bool light = false; ///< whether the background is lighter than the objects
    BackgroundOutput output = BackgroundOutput::subtracted;
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Background& op, const Form& form);

} // namespace glproc
