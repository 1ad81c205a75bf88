// Outlines as files.
#pragma once

#include "glproc/op/table.hpp"
#include "glproc/ops/contours/outlines.hpp"

#include <string_view>

namespace glproc {

/// Members of an object of JSON, with all outlines. Coordinates are as short as reads back equal, in every
/// format.
void write_outlines_json(const Outlines& outlines, const TakeText& take);

/// A feature for each outline that is no hole, with the holes in it. Pixels that touch in a point or a line
/// alone are that, as are lines at a level.
void write_outlines_geojson(const Outlines& outlines, const TakeText& take);

/// A drawing of the picture's size: each outline with the holes in it is a path, filled by the even-odd rule.
void write_outlines_svg(const Outlines& outlines, const TakeText& take);

/// A row for each point.
void write_outlines_csv(const Outlines& outlines, const TakeText& take);

/// The one outline as ImageJ's polygon. Throws Error(operation) where there are several or none, and where a
/// .roi file cannot hold it.
void write_outlines_roi(const Outlines& outlines, const TakeText& take);

/// All of them in an archive, as ImageJ's ROI Manager has it.
void write_outlines_zip(const Outlines& outlines, const TakeText& take);

/// By its name, which is one of these without "write_outlines_".
void write_outlines(const Outlines& outlines, std::string_view format, const TakeText& take);

} // namespace glproc
