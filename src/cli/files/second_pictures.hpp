// The second images that a call names.
#pragma once

#include "cli/arguments.hpp"
#include "job/first_profile.hpp"
#include "job/picture/second_images.hpp"

#include <optional>
#include <string>

namespace glproc::cli {

/// Reads those of the operation. They are brought to the profile and light of the first image of that name,
/// or of frames, which say nothing of theirs: of sRGB. What is said of that comes back. Throws Error as
/// read_second_images().
Notes read_second_pictures(Operation& operation, const Arguments& arguments,
                           const std::optional<std::string>& first = {});
/// The same for an image that is there.
Notes read_second_pictures(Operation& operation, const Arguments& arguments, const FirstProfile& first);

} // namespace glproc::cli
