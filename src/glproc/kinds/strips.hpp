// Kernels whose groups march down strips of an image: glsl/lib/strip.glsl.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/image.hpp"

#include <functional>
#include <optional>

namespace glproc {

/// How short strips may be.
struct StripRows {
    int least;  ///< however small the picture
    int enough; ///< so many that what two strips both load is little beside them
};

/// Rows of a strip, of so many side by side that they have `rows` all together: long strips load few rows
/// twice, many strips fill a GPU.
int rows_of_strip(std::int64_t rows, std::int64_t groups_wanted, const StripRows& limits);

/// How such a kernel cuts an image.
struct StripPlan {
    int group = 0;     ///< invocations
    int radius = 0;    ///< of the kernel, at least that of both axes
    int units = 0;     ///< texels that a group stores of a row
    int reach = 0;     ///< texels that it loads besides, to the left and to the right
    int most_rows = 0; ///< of a strip
};

/// What it shares: HELD of the kernel, in rows, and bytes for each quad of the result in a row of the turn.
struct StripMemory {
    int held = 4;
    int quad_bytes = 0;
};

/// The plan for these limits, or nothing where shared memory is too small for the radius.
std::optional<StripPlan> plan_strips(const Limits& limits, const Form& form, int radius,
                                     const StripMemory& memory);

/// Runs the passes that `make` gives for all strips. Those within the image go by a program that is faster,
/// with EDGE 0, where it is worth making two.
void over_strips(const Form& form, const StripPlan& plan, const std::function<Pass(bool edge)>& make);

} // namespace glproc
