// Converts planes of luma and chroma, as videos have them, to RGB and back.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/colour.hpp"

#include <array>

namespace glproc {

/// Which weights luma has: Rec. ITU-R BT.601, BT.709 and BT.2020 (with constant luminance nowhere). `rgb`:
/// none, the planes are green, blue and red.
enum class YcbcrMatrix { bt601, bt709, bt2020, rgb };

/// Which codes stand for black and white: at 8 bits 16 and 235, or 0 and 255.
enum class YcbcrRange { limited, full };

/// How planes lie.
struct YcbcrForm {
    int width = 0;
    int height = 0;
    int bits = 8;   ///< 8, or 9 to 16, which lie in 16
    int across = 1; ///< samples of luma for one of chroma, 1 or 2
    int down = 1;
    bool centred_across = false; ///< a sample of chroma lies between two of luma, not on the first of them
    bool centred_down = false;

    /// The form of luma, then of each chroma plane.
    std::array<Form, 3> planes() const;

    bool operator==(const YcbcrForm&) const = default;
};

struct YcbcrCode {
    YcbcrMatrix matrix = YcbcrMatrix::bt601;
    YcbcrRange range = YcbcrRange::limited;
};

/// The matrix that players assume if a video names none: high definition has the newer one.
YcbcrMatrix usual_matrix(int width, int height);

using YcbcrPlanes = std::array<GpuImage, 3>;
/// The same in CPU memory.
using PlaneImages = std::array<Image, 3>;

/// RGB of 8 bits, or of 16 if the planes have more. Chroma is interpolated between its samples.
GpuImage rgb_of(Context& gpu, const YcbcrPlanes& planes, const YcbcrForm& form, const YcbcrCode& code);

/// The planes of a picture of any depth that is RGB or grey; `form` has its size.
YcbcrPlanes ycbcr_of(Context& gpu, const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code);

/// The same from planes in CPU memory, and into such planes. Converted by the CPU or the GPU, whichever is
/// known to be faster at it, with the same bits. `memory` is reused if it has the right form.
GpuImage rgb_of(Context& gpu, const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code);
PlaneImages planes_of(Context& gpu, const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code,
                      PlaneImages memory = {});

/// Converts by the CPU in any case; the picture is RGB of the depth of the planes.
GpuImage rgb_on_cpu(Context& gpu, const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code);
PlaneImages planes_on_cpu(const GpuImage& picture, const YcbcrForm& form, const YcbcrCode& code,
                          PlaneImages memory = {});

/// The same without a device: RGB, and the planes of a picture of 8 or 16 bits that is RGB or grey.
Image rgb_by_processor(const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code);
PlaneImages planes_by_processor(const Image& picture, const YcbcrForm& form, const YcbcrCode& code, PlaneImages memory = {});

/// The codes that planes_of() gives pictures full of a colour.
std::array<int, 3> codes_of(const Colour& colour, const YcbcrForm& form, const YcbcrCode& code);

/// The share of a chroma sample in the first and in the second pixel that it belongs to.
Floats own_shares(int ratio, bool centred);

/// The weights of the pixels around a sample of chroma, from two before it to two after it, along one axis,
/// each a number of eighths. They undo the interpolation: interpolated chroma turns back into the samples it
/// came from. If a sample lies on a pixel, they are the lowpass filter of Le Gall and Tabatabai, 1988.
std::array<float, 5> colour_taps(int ratio, bool centred);

/// Three rows of four. The factors that turn codes of y, cb and cr into codes of r, g and b up to `most`, and
/// the constant that is added.
std::array<double, 12> rgb_matrix(const YcbcrForm& form, const YcbcrCode& code, double most);

/// The same back.
std::array<double, 12> ycbcr_matrix(const YcbcrForm& form, const YcbcrCode& code, double most);

} // namespace glproc
