// Sliders for parameters that are numbers.
#pragma once

#include "glproc/op/op.hpp"

#include <string>

namespace glproc::view {

/// A number as the slider shows and sets it: in whole steps.
std::string on_step(double value, const FieldInfo& field);

/// One number, or one for each axis; true where `text` is changed. An empty text, where nothing is set, has
/// no grip.
bool edit_numbers(std::string& text, const FieldInfo& field);

/// A box to tick for a number that need not be said: it begins with the implied one, and has a slider then.
bool edit_implied(std::string& text, const FieldInfo& field);

} // namespace glproc::view
