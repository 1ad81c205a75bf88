// Pixel formats of films: as planes of luma and colour differences, and back.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "video/av.hpp"

#include <array>
#include <optional>

namespace glproc::video {

/// Of luma, and of each colour difference; of RGB: green, blue, red.
using Planes = std::array<Image, 3>;

/// How the planes of frames in this format lie; nothing where it is no such format: floats, Bayer patterns,
/// 4:1:1, less than 8 bits. Grey becomes 4:2:0 without colour. `location` says where samples of colour lie.
std::optional<YcbcrForm> form_of(AVPixelFormat format, int width, int height, AVChromaLocation location);

/// Whether the format holds red, green and blue.
bool is_rgb(AVPixelFormat format);
bool has_alpha(AVPixelFormat format);

/// Planes as the form has them, in this order, in the bytes of the machine; unknown where there is none.
AVPixelFormat planar_format(const YcbcrForm& form, bool rgb);

/// The planes of a frame. `memory` is used again where it fits.
Planes planes_of(const AVFrame& frame, const YcbcrForm& form, Planes memory = {});

/// The same back: `frame` has its format and its memory.
void put_planes(const Planes& planes, AVFrame& frame);

} // namespace glproc::video
