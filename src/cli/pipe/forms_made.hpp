// How large the images of a call become.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/image/image.hpp"

#include <vector>

namespace glproc::cli {

/// What is made of an image of this form: by each step of a chain, as far as their sizes are known before, and `result` in the end.
std::vector<Form> forms_made(const Arguments& arguments, const Form& form, const Form& result);

} // namespace glproc::cli
