// Reads facts from an ICC profile.
#pragma once

#include <cstddef>
#include <span>

namespace glproc {

/// Whether a profile is for pictures with so many channels: one of colours is none for grey, and the other
/// way round.
bool fits_channels(std::span<const std::byte> icc, int channels);

/// Whether it calls itself sRGB, which is what pictures without a profile are taken for.
bool names_srgb(std::span<const std::byte> icc);

} // namespace glproc
