// PSNR and SSIM of two videos, frame by frame, as a drawing.
#pragma once

#include <string>
#include <vector>

namespace glproc::video {

/// Of the frames in their order.
struct DifferenceCurves {
    std::vector<double> psnr; ///< decibels; infinite where frames are equal
    std::vector<double> ssim; ///< NaN where planes are too small for it
};

/// An SVG with one curve above the other, over the numbers of frames. Of long videos, each column shows the
/// range of its frames. Frames that are equal are at the top.
std::string draw_curves(const DifferenceCurves& curves, const std::string& title);

} // namespace glproc::video
