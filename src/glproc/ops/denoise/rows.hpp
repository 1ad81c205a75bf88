// Non-local means by the processor, with the bits of glsl/denoise/.
#pragma once

#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/denoise.hpp"

#include <cstddef>
#include <vector>

namespace glproc {

/// How patches weigh by the sum of their squared differences, in code units.
struct PatchWeights {
    float free;    ///< sums up to this weigh 1
    float per_sum; ///< beyond it, how fast weights fall, in powers of 2

    PatchWeights(const Denoise& op, const Form& form);
};

/// Of hidden pixels, as far as patches see them.
inline Filling filling_of(const Denoise& op) {
    return {.reach = op.search + op.patch, .border = BorderMode::mirror};
}

/// Frames in their order, all of one form, and which of them is denoised.
struct DenoiseFrames {
    std::vector<const Image*> frames;
    std::size_t own = 0;
};

/// Similar places are searched for in all frames.
Image denoised(const Denoise& op, const DenoiseFrames& from);

} // namespace glproc
