// The points of a tone curve, dragged in a square.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "view/document.hpp"
#include "view/viewport.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace glproc::view {

using CurvePoints = std::vector<std::array<double, 2>>;

/// Whether the value of the field is such a curve.
bool names_curve(const FieldInfo& field);

/// Nothing where the text is no curve of numbers between black and white.
std::optional<CurvePoints> curve_in(const std::string& text);
/// With three digits after the point.
std::string text_of(const CurvePoints& points);

/// The nearest point within `reach`, nothing if there is none.
std::optional<std::size_t> point_at(const CurvePoints& points, Point2 at, double reach);
/// With a point moved. It stays between its neighbours and in the square.
CurvePoints with_moved(CurvePoints points, std::size_t index, Point2 to);
/// With another point, and the index of it; nothing where there is no room between its neighbours.
std::optional<std::pair<CurvePoints, std::size_t>> with_added(CurvePoints points, Point2 at);
/// Without a point; two are left at least.
CurvePoints without(CurvePoints points, std::size_t index);

/// Shows and changes the curve, above the levels of what it gets if they are known; true where it was
/// changed.
bool edit_curve(std::string& text, const std::vector<ChannelCounts>* counts);

} // namespace glproc::view
