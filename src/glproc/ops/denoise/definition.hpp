// The definition of `denoise`, in double precision.
#pragma once

#include "glproc/ops/denoise.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace glproc {

/// How patches weigh by the sum of their squared differences, in code units.
struct PatchWeights {
    double free;    ///< sums up to this weigh 1
    double per_sum; ///< beyond it, how fast the logarithm of weights falls

    PatchWeights(const Denoise& op, const Form& form);
    double operator()(double sum) const;
};

/// Frames in their order, all of one form, and which of them is denoised.
struct DenoiseFrames {
    std::vector<const Image*> frames;
    std::size_t own = 0;
};

/// Chosen rows of the result one after another, unrounded, in code units. Similar places are searched for in all frames.
std::vector<double> denoised_rows(const Denoise& op, const DenoiseFrames& from, std::span<const int> rows);

} // namespace glproc
