// Several point operations as one: a file with a point() that calls theirs.
#pragma once

#include "glproc/kinds/point.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace glproc {

/// How many parameters an operation in a run has room for. Powers of two, so that a curve with one more point
/// needs no other program.
std::size_t params_room(const Point& point);

/// An operation in a run.
struct PointStep {
    std::string glsl;
    std::size_t params = 0;   ///< how many its place in b_params holds
    int channels = 4;         ///< of its result, as stored
    bool channelwise = false; ///< of 8 bits, and with as many channels as its source: a table can do it
    bool quick = false;       ///< but takes longer
    bool enters = false;      ///< as Point::enters
};

/// The result for a run: Point::glsl, Point::tables and Point::enters.
struct PointStages {
    std::string pixels;
    std::vector<std::string> tables;
    bool enters = false;
};

/// Registers the files. Functions of the operations' files are renamed, as several files may have functions
/// of the same name. A file that occurs twice is included once. With `by_code`, for images of 8 bits, the first
/// step that has entered() looks its results up.
PointStages register_stages(const std::vector<PointStep>& steps, bool by_code);

} // namespace glproc
