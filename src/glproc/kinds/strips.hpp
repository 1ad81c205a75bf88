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
    int enough; ///< enough that the rows which two strips both load hardly matter
};

/// Rows of a strip, if all strips side by side have `rows` rows altogether: long strips load few rows twice,
/// many strips fill a GPU.
int rows_of_strip(std::int64_t rows, std::int64_t groups_wanted, const StripRows& limits);

/// How such a kernel cuts an image.
struct StripPlan {
    int group = 0;     ///< invocations
    int radius = 0;    ///< of the kernel, at least the larger one of both axes
    int units = 0;     ///< texels that a group stores of a row
    int reach = 0;     ///< texels that it loads besides, to the left and to the right
    int most_rows = 0; ///< of a strip
};

/// The shared memory of a kernel: HELD, in rows, and bytes for each quad of the result in a row of the turn.
struct StripMemory {
    int held = 4;
    int quad_bytes = 0;
};

/// The plan for these limits; nothing if shared memory is too small for the radius.
std::optional<StripPlan> plan_strips(const Limits& limits, const Form& form, int radius,
                                     const StripMemory& memory);

/// Runs the passes that `make` returns for all strips. Strips within the image use a faster program, with
/// EDGE 0, if it is worth making two.
void over_strips(const Form& form, const StripPlan& plan, const std::function<Pass(bool edge)>& make);

} // namespace glproc
