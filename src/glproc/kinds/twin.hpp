// Twins: the GLSL of operations, compiled for the processor by CMake (glproc_twins), with the bits that every driver must give.
#pragma once

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
    const int* numbers = nullptr; ///< values of PointTwinFile::numbers
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

/// A variant of a file of glsl/, for the defines that it needs to know: "NAME=VALUE NAME=VALUE".
struct PointTwinRow {
    std::string_view defines;
    PointTwin run;
};

/// A file of glsl/.
struct PointTwinFile {
    std::string_view glsl;
    std::span<const PointTwinRow> rows;
    std::span<const std::string_view> numbers; ///< defines that are numbers when it runs
};

/// All that there are; see cmake/twins.cmake.
std::span<const PointTwinFile* const> point_twins();

} // namespace glproc
