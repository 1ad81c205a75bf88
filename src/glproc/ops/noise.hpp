// Noise, the same each time.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/op/level.hpp"

namespace glproc {

enum class NoiseKind { gaussian, uniform };

template <>
inline constexpr std::array<EnumRow<NoiseKind>, 2> enum_rows<NoiseKind>{
    EnumRow{NoiseKind::gaussian, "gaussian", "a normal distribution, as of a sensor"},
    EnumRow{NoiseKind::uniform, "uniform", "all values within sigma x 1.732 are equally likely"},
};

/// v + sigma n for each colour, where n has mean 0 and standard deviation 1; alpha is kept. It is the same on every driver, in
/// tiles and in chains, and within 1e-6 sigma of the exact value before it is rounded.
///
/// The noise of pixel (x, y) comes from Philox4x32-10 with counter (x, y, 0, 0) and key (seed, 0). Its words are cut to 23 bits.
/// Box and Muller's transform makes gaussian noise of them, up to 5.8 sigma.
struct Noise {
    Level sigma = 0.05;
    NoiseKind kind = NoiseKind::gaussian;
    bool mono = false; ///< the same for all colours of a pixel
    int seed = 0;
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Noise& op, const Form& form);

} // namespace glproc
