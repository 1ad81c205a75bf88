// HDR and wide-gamut values as a screen of standard range shows them.
#pragma once

#include "glproc/op/plan.hpp"

#include <array>

namespace glproc {

/// The curve of a video's values: BT.2100 has PQ and HLG, screens of standard range the power of 2.4 of BT.1886.
enum class HdrCurve { pq, hlg, power };

/// Chromaticities of red, green, blue and white: x, y of each.
using Primaries = std::array<double, 8>;
inline constexpr Primaries bt709_primaries{0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290};
inline constexpr Primaries bt2020_primaries{0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290};
inline constexpr Primaries display_p3_primaries{0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290};
inline constexpr Primaries dci_p3_primaries{0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.314, 0.351};

inline constexpr double sdr_white = 203; ///< cd/m2: reference white of BT.2408, here the white of the result
inline constexpr double hlg_peak = 1000; ///< cd/m2
inline constexpr Limit hdr_peak_limit{100, 10000}; ///< cd/m2

/// Tone mapping and conversion to the primaries of BT.709. Light comes of the curve. The largest of red, green and blue is mapped
/// from 0 … `peak` to 0 … sdr_white by the curve of BT.2390, and all three are scaled by as much. Then come the primaries,
/// clipping, and the power of 1 / 2.4. `power` is not tone mapped. The result has 8 bits: that power is so steep at black that
/// floats cannot tell codes of 16 bits there.
struct ToSdr {
    HdrCurve curve = HdrCurve::pq;
    Primaries primaries = bt2020_primaries;
    double peak = 1000; ///< cd/m2; HLG has hlg_peak

    GpuImage operator()(Context& gpu, const GpuImage& src) const;
};

/// For RGB, with alpha or without.
Plan plan(const ToSdr& op, const Form& form);

/// PQ of light in cd/m2, and back.
double pq_of(double light);
double light_of_pq(double pq);

/// Three rows of three: light by some primaries as light by others of the same white, or by as much of each.
std::array<double, 9> between_primaries(const Primaries& from, const Primaries& to);

} // namespace glproc
