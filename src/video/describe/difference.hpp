// How much two frames differ, plane by plane, as ffmpeg's filters psnr and ssim define it.
#pragma once

#include "video/read/pixels.hpp"

#include <array>

namespace glproc::video {

/// Of luma and each colour difference, or of green, blue and red, of alpha, then of all: by the share of
/// samples that each plane has.
using PlaneFigures = std::array<double, 5>;

struct FrameDifference {
    PlaneFigures mse{};  ///< of codes
    PlaneFigures ssim{}; ///< 1 where they are equal; NaN for planes too small for a window
};

/// Both have this form, and alpha or none of it (null).
///
/// SSIM is the mean over windows of 8x8 samples, 4 apart, that lie in the plane as a whole, all samples of a
/// window weighing the same: x264's definition, which ffmpeg has taken over. It is not that of single images,
/// whose windows are Gaussian.
FrameDifference difference_of(const Planes& a, const Planes& b, const YcbcrForm& form,
                              const Image* alpha_a = nullptr, const Image* alpha_b = nullptr);

/// Decibels; infinite at 0. `bits` of a sample.
double psnr_of(double mse, int bits);

} // namespace glproc::video
