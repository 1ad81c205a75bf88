// A control for a parameter of any operation, made from its description.
#pragma once

#include "view/document.hpp"

#include <cstddef>
#include <string>

namespace glproc::view {

/// Shows every parameter of the step and applies what a person changes. `path` is the file that is being
/// typed.
void show_fields(Document& document, std::size_t at);

/// A number as the slider shows and sets it: in whole steps.
std::string on_step(double value, const FieldInfo& field);

} // namespace glproc::view
