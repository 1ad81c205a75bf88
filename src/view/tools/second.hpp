// A second picture that lies on the picture, as a person drags it and its corners. No window, no OpenGL.
#pragma once

#include "view/document.hpp"
#include "view/tools/part.hpp"

#include <optional>

namespace glproc::view {

/// Whether the operation lays a second picture on the picture, at a place and with a scale.
bool has_second(const OpInfo& op);
/// Whether the value is that place.
bool names_second_place(const OpInfo& op, const FieldInfo& field);
/// The file of the second picture; empty where there is none.
std::string second_file(const Step& step);

/// Where it lies on a picture of this form. Nothing where the step says something that cannot be.
std::optional<Rect> second_part(const Step& step, const Form& form, const Form& second);

/// After the grip was dragged so far: a corner scales it, all else moves it. A pixel of it stays in the
/// picture.
Rect dragged_second(const Rect& part, const Grip& grip, Point2 by, const Form& form);

/// Sets place and scale so that it lies there. `gravity` and `margin` stay, and the place is counted from
/// there.
void set_second(Document& document, std::size_t at, const Rect& wanted, const Form& form, const Form& second);

} // namespace glproc::view
