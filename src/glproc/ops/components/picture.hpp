// Labels as pictures.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/kinds/mask_bits.hpp"
#include "glproc/ops/components/labelling.hpp"

namespace glproc {

/// The meaning of the pixels of a picture of labels.
enum class LabelPixels {
    mask,       ///< white where there is a label
    background, ///< white where there is none
    numbers,    ///< the labels themselves, which must fit
};

/// A grey picture of this form from the labels of as many rows.
GpuImage picture_of(Context& gpu, const Buffer& labels, const Form& form, LabelPixels pixels);

/// A mask, and for each component, beginning with label 1, a bit: whether it touches the border.
struct InsidePicture {
    GpuImage picture;
    Buffer outside;
};

/// A mask without the components that touch the border of the picture; or if it `fills`, all but those
/// components, which are background. Nothing is read back.
InsidePicture inside_of(Context& gpu, const Labelling& components, const Form& form, bool fills);

/// How many components do not touch the border.
std::uint32_t inside_count(Labelling& components, const InsidePicture& inside);

/// The mask that labels were made of, with rows above and below if there are any.
struct FramedMask {
    MaskBits bits;
    int above = 0; ///< rows before the first row of labels
};

/// The form of outlines drawn on a picture.
Form outlined_form(const Form& form);

/// The picture with the outlines of labels: pixels at a side of a component. `ink`, if given, is a mask of
/// pixels that are drawn as well.
GpuImage outlined(Context& gpu, const GpuImage& picture, const Buffer& labels, const FramedMask& mask,
                  const Colour& colour, const MaskBits* ink = nullptr);

} // namespace glproc
