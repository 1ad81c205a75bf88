// What ImageJ, OME-XML and tifffile tell of the images of a TIFF: which slice, channel and time each of them
// is.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/image/stack_axes.hpp"

#include <optional>
#include <string>

namespace glproc {

/// What one of them has told of a file with so many images of this form. Nothing where none has, or where it
/// does not fit: other counts, images in other files or in an order of their own. Of a single image its pixel
/// size remains.
std::optional<StackAxes> stack_axes(const Metadata& metadata, const Form& form, int images);

/// The lines "images=", "channels=", "slices=", "frames=" and "hyperstack=" of ImageJ, whose images come
/// channel by channel, slice by slice, time by time.
std::string imagej_lines(const StackAxes& stack);

bool is_ome(const std::string& text);

/// OME-XML of images of this form.
std::string ome_xml(const StackAxes& stack, const Form& form);

} // namespace glproc
