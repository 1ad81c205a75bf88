// Shapes thinned to lines one pixel wide.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/plan.hpp"

#include <array>

namespace glproc {

enum class SkeletonRule { zhang, guo_hall };

template <>
inline constexpr std::array<EnumRow<SkeletonRule>, 2> enum_rows<SkeletonRule>{
    EnumRow{SkeletonRule::zhang, "zhang", "Zhang and Suen, as scikit-image's skeletonize()"},
    EnumRow{SkeletonRule::guo_hall, "guo-hall", "Guo and Hall: thinner diagonals"},
};

/// Both give the same bits.
enum class SkeletonMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<SkeletonMethod>, 3> enum_rows<SkeletonMethod>{
    EnumRow{SkeletonMethod::automatic, "auto",
            "gpu; cpu on software renderers, and for masks too large for the device"},
    EnumRow{SkeletonMethod::gpu, "gpu", "32 pixels of a mask at a time"},
    EnumRow{SkeletonMethod::cpu, "cpu", "the processor, with the bits of the kernels"},
};

/// Visible pixels where a colour is not 0, without those that two passes in turn remove from their edges, until
/// nothing changes: a mask of one channel of 8 bits.
struct Skeleton {
    SkeletonRule rule = SkeletonRule::zhang;
    SkeletonMethod variant = SkeletonMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
    /// The same, bit for bit, for a picture of any size; a bit for each pixel is in memory. `to` receives all
    /// rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& to,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, to, progress);
    }
};

Plan plan(const Skeleton& op, const Form& form);

} // namespace glproc
