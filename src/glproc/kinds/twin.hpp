// Twins: the GLSL of operations, compiled for the processor by CMake (glproc_twins), with the bits that every driver must give.
#pragma once

#include "glproc/shader/loader.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// The row of a second image that lies on a row.
struct SecondRow {
    const std::byte* pixels = nullptr; ///< of the depth of the source; the first one is at x `begin`
    int begin = 0;
    int end = 0;
};

/// Whole rows for a point operation, one after another in memory.
struct PointRows {
    const float* params = nullptr;
    const int* numbers = nullptr; ///< values of TwinFile::numbers
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

/// A row for a stencil.
struct StencilRow {
    const float* params = nullptr;
    const int* numbers = nullptr;   ///< values of TwinFile::numbers
    const float* values = nullptr;  ///< its first value in code units, with as many before and after it as the stencil reaches
    std::ptrdiff_t pitch = 0;       ///< from a value to the one below
    std::byte* to = nullptr;
    int width = 0;
    int channels = 0;
    bool keeps_last = false;
    float kept_scale = 1; ///< times the value that is kept
    bool hides = false;   ///< Stencil::hides
};

using StencilTwin = void (*)(const StencilRow&);

/// A row for a window.
struct WindowRow {
    const float* params = nullptr;
    const int* numbers = nullptr;  ///< values of TwinFile::numbers
    const float* table = nullptr;  ///< each value as the sum of two floats
    const float* pixels = nullptr; ///< its first pixel as four floats, with as many before and after it as the window reaches
    int pitch = 0;                 ///< from a pixel to the one below
    int reach_x = 0;
    int reach_y = 0;
    const std::byte* own = nullptr; ///< the row as it is stored, where the last channel is kept
    std::byte* to = nullptr;
    int width = 0;
    int channels = 0;
    bool keeps_last = false;
};

using WindowTwin = void (*)(const WindowRow&);

/// A row of sums that a filter ends.
struct EndingRow {
    const float* params = nullptr;
    const float* sums = nullptr;
    const float* second = nullptr; ///< a value for each of them, where the file takes one
    std::byte* to = nullptr;
    std::size_t count = 0; ///< of values
    int channels = 1;      ///< 1 where they are independent, as ALPHA 0 says
};

using EndingTwin = void (*)(const EndingRow&);

/// A variant of a file of glsl/, for the defines that it needs to know: "NAME=VALUE NAME=VALUE".
template <class Run>
struct TwinRow {
    std::string_view defines;
    Run run;
};

/// A file of glsl/.
template <class Run>
struct TwinFile {
    std::string_view glsl;
    std::span<const TwinRow<Run>> rows;
    std::span<const std::string_view> numbers; ///< defines that are numbers when it runs
};

template <class Run>
using TwinFiles = std::span<const TwinFile<Run>* const>;

/// All that there are, by kind; see cmake/twins.cmake.
TwinFiles<PointTwin> point_twins();
TwinFiles<StencilTwin> stencil_twins();
TwinFiles<WindowTwin> window_twins();
TwinFiles<EndingTwin> ending_twins();

/// A twin for all values of its defines.
template <class Run>
struct Twin {
    Run run;
    std::vector<int> numbers; ///< of TwinFile::numbers
};

/// Whether defines have all the values of "NAME=VALUE NAME=VALUE".
bool have_all(const Defines& defines, std::string_view wanted);

/// For the method `cpu`. Throws Error(usage).
[[noreturn]] void fail_without_twin(std::string_view glsl);

/// Nothing where there is none, as for a file of register_glsl().
template <class Run>
std::optional<Twin<Run>> find_twin(TwinFiles<Run> files, std::string_view glsl, const Defines& defines) {
    const auto file = std::ranges::find(files, glsl, [](const TwinFile<Run>* one) { return one->glsl; });
    if (file == files.end()) {
        return {};
    }
    const auto& rows = (*file)->rows;
    const auto row = std::ranges::find_if(rows, [&](const TwinRow<Run>& one) { return have_all(defines, one.defines); });
    if (row == rows.end()) {
        return {};
    }
    Twin<Run> twin{row->run, {}};
    for (const std::string_view name : (*file)->numbers) {
        twin.numbers.push_back(std::stoi(defines.at(std::string(name))));
    }
    return twin;
}

} // namespace glproc
