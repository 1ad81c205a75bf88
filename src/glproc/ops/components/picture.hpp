// Labels as pictures.
#pragma once

#include "glproc/gl/context.hpp"

namespace glproc {

/// The meaning of the pixels of a picture of labels.
enum class LabelPixels {
    mask,       ///< white where there is a label
    background, ///< white where there is none
    numbers,    ///< the labels themselves, which must fit
};

/// A grey picture of this form from the labels of as many rows.
GpuImage picture_of(Context& gpu, const Buffer& labels, const Form& form, LabelPixels pixels);

} // namespace glproc
