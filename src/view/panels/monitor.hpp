// The colours of the monitor.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace glproc::view {

/// The ICC profile that X11 has for the first monitor; empty where it has none, or where there is no X11.
/// Source: ICC Profiles in X Specification 0.4, freedesktop.org.
std::vector<std::byte> monitor_profile();

/// What the monitor is to get for colours of an image.
struct MonitorColours {
    static constexpr int side = 33;
    /// Where both profiles are a matrix and formulas, the parameters of profile.glsl.
    std::vector<float> formulas;
    /// Otherwise red, green, blue and nothing, for `side` values of each channel, red the fastest. Values are
    /// the denser the darker: the entry i is of the value (i / (side - 1))^2.
    std::vector<float> table;
    bool are_same() const { return formulas.empty() && table.empty(); }
};

/// From the profile of an image, sRGB where that is empty or none of RGB, to that of the monitor. Throws
/// Error where the monitor's profile is none for RGB, or colour management is not installed.
MonitorColours monitor_colours(std::span<const std::byte> image, std::span<const std::byte> monitor);

} // namespace glproc::view
