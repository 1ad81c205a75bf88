// Mirrors a picture.
#pragma once

#include "glproc/kinds/gather/plan.hpp"

namespace glproc {

enum class FlipAxis { x, y };

template <>
inline constexpr std::array<EnumRow<FlipAxis>, 2> enum_rows<FlipAxis>{
    EnumRow{FlipAxis::x, "x", "swap left and right"},
    EnumRow{FlipAxis::y, "y", "swap top and bottom"},
};

/// The picture mirrored, bit for bit.
struct Flip {
    FlipAxis axis = FlipAxis::x;
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Placement placement_of(const Flip& op, const Form& form);
Plan plan(const Flip& op, const Form& form);

} // namespace glproc
