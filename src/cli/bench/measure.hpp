// Verifying and timing one variant.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/op.hpp"

#include <string>

namespace glproc::cli {

struct Measured {
    std::string name;
    std::string not_run = {}; ///< why; empty where it ran
    bool too_slow = false;    ///< that is why
    Verdict verdict = {};
    double median = 0; ///< milliseconds on the device, or of the CPU loop
    double least = 0;
    double most = 0;
    double spread = 0;   ///< how far batches of runs lie apart, a share of the median
    bool steady = false; ///< whether they agreed in the end
    double wall = 0;     ///< milliseconds a run, with all that the CPU has to do for it
    double gbps = 0;     ///< the least bytes in the median time, 1e9 a second
    std::string timer = {};
};

/// Runs the variant, compares its result with the CPU reference, and only then times it: in batches, until
/// those agree or patience ends (see time_until_steady). Throws Error(operation) where the result is wrong.
/// Patience is `seconds`, or what suits the device.
Measured measure(Context& gpu, const OpInfo& op, const BenchVariant& variant, const Operation& operation,
                 const OpInput& input, std::optional<double> seconds);

} // namespace glproc::cli
