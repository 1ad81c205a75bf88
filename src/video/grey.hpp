// Frames without colour: luma as an image of one channel, and back.
#pragma once

#include "glproc/kinds/ycbcr.hpp"
#include "video/film_info.hpp"
#include "video/machine.hpp"

namespace glproc::video {

/// Codes of luma as values of 8 bits, or of 16 where there are more. Codes beyond black and white are cut
/// off, as in RGB.
Image grey_of_luma(const Image& luma, int bits, YcbcrRange range);

/// The same back, of grey images of any depth.
Image luma_of_grey(const Image& grey, int bits, YcbcrRange range);

/// A frame as operations get it, upright: grey, or RGB.
Picture frame_image(const Machine& machine, const PlaneImages& planes, const FilmInfo& film, bool grey);

} // namespace glproc::video
