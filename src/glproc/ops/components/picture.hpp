// Labels as pictures.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/kinds/mask_bits.hpp"

namespace glproc {

/// The meaning of the pixels of a picture of labels.
enum class LabelPixels {
    mask,       ///< white where there is a label
    background, ///< white where there is none
    numbers,    ///< the labels themselves, which must fit
};

/// A grey picture of this form from the labels of as many rows.
GpuImage picture_of(Context& gpu, const Buffer& labels, const Form& form, LabelPixels pixels);

/// The mask that labels were made of, with rows above and below if there are any.
struct FramedMask {
    MaskBits bits;
    int above = 0; ///< rows before the first row of labels
};

/// The form of outlines drawn on a picture.
Form outlined_form(const Form& form);

/// The picture with the outlines of labels: pixels at a side of a component.
GpuImage outlined(Context& gpu, const GpuImage& picture, const Buffer& labels, const FramedMask& mask,
                  const Colour& colour);

} // namespace glproc
