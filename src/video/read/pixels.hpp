// Pixel formats of videos: as planes of luma and colour differences, and back.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/kinds/ycbcr.hpp"
#include "video/av.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace glproc::video {

/// Of luma, and of each colour difference; of RGB: green, blue, red.
using Planes = std::array<Image, 3>;

/// Calls `work` with a zero of the type that codes of this depth have, which are no floats.
template <class Work>
decltype(auto) with_codes_of(Depth depth, const Work& work) {
    return depth == Depth::u8 ? work(std::uint8_t{}) : work(std::uint16_t{});
}

/// How the planes of frames in this format lie; nothing where it is no such format: floats, Bayer patterns,
/// 4:1:1, less than 8 bits. Grey becomes 4:2:0 without colour. `location` says where samples of colour lie.
std::optional<YcbcrForm> form_of(AVPixelFormat format, int width, int height, AVChromaLocation location);

/// The same back: where samples of colour lie in this form.
AVChromaLocation location_of(const YcbcrForm& form);

/// Whether the format holds red, green and blue.
bool is_rgb(AVPixelFormat format);
/// Whether it holds luma without colour.
bool is_grey(AVPixelFormat format);
bool has_alpha(AVPixelFormat format);

/// Planes as the form has them, in this order, in the bytes of the machine, with one more where there is
/// alpha; unknown where there is none.
AVPixelFormat planar_format(const YcbcrForm& form, bool rgb, bool alpha = false);

/// The planes of a frame. `memory` is used again where it fits.
Planes planes_of(const AVFrame& frame, const YcbcrForm& form, Planes memory = {});

/// Its alpha, in codes of as many bits; of a format that has it.
Image alpha_of(const AVFrame& frame, const YcbcrForm& form, Image memory = {});

/// Whether none of a frame is transparent, in a format that has alpha.
bool is_opaque(const AVFrame& frame, const YcbcrForm& form);

/// Codes of more or fewer bits that mean the same, rounded: luma and chroma of limited range are shifted;
/// full range and alpha keep their ends.
Image with_bits(Image plane, int from_bits, int to_bits, bool limited);

/// The same back: `frame` has its format and its memory. `alpha` may be null; a frame that has it is then
/// opaque.
void put_planes(const Planes& planes, const Image* alpha, AVFrame& frame);

/// A picture of RGB with its alpha, whose codes have this many bits, and back.
Image with_alpha(const Image& rgb, const Image& alpha, int bits);
Image alpha_of(Image picture, int bits, Image memory = {});

} // namespace glproc::video
