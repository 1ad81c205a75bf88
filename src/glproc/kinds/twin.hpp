// Twins: the GLSL of operations, compiled for the processor by CMake (glproc_twins), with the bits that every driver must give.
#pragma once

#include "glproc/shader/loader.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace glproc {

/// The row of a second image that lies on a row.
struct SecondRow {
    const std::byte* pixels = nullptr; ///< of the depth of the source, from x `begin` on
    int begin = 0;
    int end = 0;
};

/// Whole rows for a point operation, one after another in memory.
struct PointRows {
    const float* params = nullptr;
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    int width = 0;
    int rows = 0;
    int x = 0; ///< of the first pixel in the whole picture
    int y = 0;
    int channels = 0;                   ///< of the source
    int made = 0;                       ///< channels of the result
    const SecondRow* seconds = nullptr; ///< one a row, where there is a second image
    int second_channels = 0;
};

using PointTwin = void (*)(const PointRows&);

/// A variant of a file of glsl/: SRC_DEPTH, DST_DEPTH and the defines that its header declares, as "NAME=VALUE NAME=VALUE".
struct PointTwinRow {
    std::string_view defines;
    PointTwin run;
};

/// The variants of a file that this build has; none for files that it does not know.
std::span<const PointTwinRow> point_twins(std::string_view glsl);

/// Null where this build has none of that file for these defines.
PointTwin find_point_twin(std::string_view glsl, const Defines& defines);

} // namespace glproc
