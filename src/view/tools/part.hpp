// A part of a picture, X,Y,W,H, as a person drags its edges and corners. Without a window.
#pragma once

#include "glproc/op/tiles.hpp"
#include "view/viewport.hpp"

#include <optional>
#include <string>

namespace glproc::view {

/// Nothing where the text is no part, such as one in percent.
std::optional<Rect> part_in(const std::string& text);
std::string text_of(const Rect& part);

/// What is dragged: an edge (-1 left or top, 1 right or bottom), a corner, or with 0 and 0 all of it.
struct Grip {
    int x = 0;
    int y = 0;
    bool operator==(const Grip&) const = default;
};

/// What is within reach of a point; nothing outside.
std::optional<Grip> grip_at(const Rect& part, Point2 at, double reach);

/// After the grip was dragged so far. It stays in a picture of this size, and has a pixel at least.
Rect dragged(const Rect& part, const Grip& grip, Point2 by, int width, int height);

/// The width for the height of an aspect, "3:2"; nothing where the text is none.
std::optional<double> ratio_in(const std::string& aspect);

/// The largest part of this ratio, in the middle.
Rect largest_part(double ratio, int width, int height);

/// With the height that the ratio wants, or the width; the side or corner opposite the grip stays.
Rect with_ratio(const Rect& part, const Grip& grip, double ratio, int width, int height);

/// Between two corners, in a picture of this size.
Rect spanned(Point2 one, Point2 other, int width, int height);

} // namespace glproc::view
