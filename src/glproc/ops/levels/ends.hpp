// Finds the values that levels turns into black and white by itself.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/image.hpp"
#include "glproc/ops/histogram/measured.hpp"

#include <cstdint>
#include <span>

namespace glproc {

/// The values that become black and white, as codes or floats.
struct Ends {
    double black = 0;
    double white = 1;
};

/// The lowest and the highest bin beyond which no more than `clipped` pixels lie. They are the first and last of all codes
/// if both are the same bin. Floats then go from one end of their range to the other.
Ends ends_of(const Counted& counted, std::size_t channel, std::uint64_t clipped, const Form& form);

/// The same on the GPU: a copy of the parameters of levels.glsl, with black and white of r, g and b taken
/// from `counts`. These are counts of luma (1 channel) or of r, g and b (3).
Buffer ends_on_gpu(Context& gpu, const Form& form, const Buffer& counts, int channels, std::uint64_t clipped,
                   std::span<const float> params);

} // namespace glproc
