// Plans of operations that make a picture by sweeps. Whatever takes a plan takes these, too: chains, batches,
// the window, Python, `bench`, and the checks of new programs.
//
//   Plan plan(const Distance& op, const Form& form) { return swept_plan(form, {.sweeps = …, .by_processor = …});
//   }
#pragma once

#include "glproc/op/plan.hpp"

#include <functional>

namespace glproc {

/// An operation whose last sweep makes a picture.
struct Swept {
    std::function<SweepPlan(const Form&)> sweeps; ///< for pictures of any form, such as probes
    OnImage by_processor = {}; ///< the same picture
    double row_cost = 0;       ///< of by_processor(): multiplications a row
    /// Turns the usual probe into a picture that makes all of the programs work, if the usual one does not.
    std::function<Image(Image)> probe = {};
};

/// Unless the sweeps say how to prove their programs, these are compared with by_processor().
Plan swept_plan(const Form& form, Swept swept);

/// Such a plan on a picture of any size, by its first method whose programs are right. The caller calls
/// finish().
void run_swept(Context& gpu, const Plan& plan, const RowSource& source, RowWriter& to,
               const TileProgress& progress);

} // namespace glproc
