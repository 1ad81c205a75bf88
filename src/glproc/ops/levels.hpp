// Levels: black, white and the middle.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"
#include "glproc/ops/levels/channel_names.hpp"

namespace glproc {

/// low + (high - low) * clamp((v - black) / (white - black))^(1 / gamma), where low and high are the two
/// after `out`. Other channels are kept. The grey of a grey picture is r, g and b.
struct Levels {
    Level black = 0;
    Level white = 1;
    double gamma = 1;
    Level out_black = 0;
    Level out_white = 1;
    ChannelNames channels = {};
    /// Instead of black and white: clips this percentage of the pixels at each end of the histogram of luma.
    /// If that leaves one bin, nothing is stretched. In float images, values from 0 to 1 count.
    std::optional<double> clip = std::nullopt;
    bool per_channel = false; ///< by the histograms of r, g and b, each for itself
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Levels& op, const Form& form);

} // namespace glproc
