// Angles and corners, as a person drags them in the picture. No window, no OpenGL.
#pragma once

#include "glproc/op/op.hpp"
#include "view/viewport.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace glproc::view {

/// Whether the value turns the picture about its middle: the angle that an operation cannot be without.
bool names_turn(const FieldInfo& field);

/// By how many degrees a point goes clockwise about the middle, from -180 to 180.
double swept(Point2 middle, Point2 from, Point2 to);

/// From -180 to 180, in tenths of a degree.
std::string angle_text(double degrees);

/// From the top left, clockwise.
using Corners = std::array<Point2, 4>;

/// Whether the value is four corners in the picture.
bool names_corners(const FieldInfo& field);

/// Those of a picture of this size.
Corners corners_of(int width, int height);

/// Nothing where the text is no four corners.
std::optional<Corners> corners_in(const std::string& text);
/// In tenths of a pixel.
std::string text_of(const Corners& corners);

std::size_t nearest_corner(const Corners& corners, Point2 at);
/// Dragged so far. A corner may lie beyond the picture, but no farther than its size.
Corners with_moved(Corners corners, std::size_t index, Point2 by, int width, int height);

} // namespace glproc::view
