// Helpers of the tests of morphology on objects and by patterns.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/morphology.hpp"

#include "support/band_plan.hpp"
#include "support/fixture.hpp"
#include "support/tiled.hpp"

#include <string>
#include <utility>
#include <variant>

namespace glproc::test {

inline Image in_bands(const Morphology& op, const Image& image, int rows) {
    const SweepPlan sweeps =
        in_bands_of(rows, std::get<BySweeps>(plan(op, image.form()).work.cutting).plan(image.form()));
    ImageRows result(sweeps.sweeps.back().makes.value());
    run_sweeps(gpu(), sweeps, rows_of(image), &result);
    result.finish();
    return std::move(result.image());
}

/// What is said of it, or nothing.
inline std::string refusal(const Morphology& op) {
    try {
        plan(op, {9, 9, 1, Depth::u8});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

} // namespace glproc::test
