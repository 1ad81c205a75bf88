// The distance of each pixel to the nearest background, or to the nearest object.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/level.hpp"
#include "glproc/op/plan.hpp"

#include <array>
#include <optional>

namespace glproc {

enum class NearestKind { background, foreground };

template <>
inline constexpr std::array<EnumRow<NearestKind>, 2> enum_rows<NearestKind>{
    EnumRow{NearestKind::background, "background", "how deep each pixel lies inside an object"},
    EnumRow{NearestKind::foreground, "foreground", "how far each pixel is from the nearest object"},
};

/// All give the same bits.
enum class DistanceMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<DistanceMethod>, 3> enum_rows<DistanceMethod>{
    EnumRow{DistanceMethod::automatic, "auto",
            "gpu, or cpu where that is faster or rows are too long for the device"},
    EnumRow{DistanceMethod::gpu, "gpu", "columns, then rows: near sites, then far ones"},
    EnumRow{DistanceMethod::cpu, "cpu", "columns, then rows on all cores: the reference"},
};

inline constexpr Limit distance_limit{0, 1e9};

/// The exact Euclidean distance of each pixel to the nearest one of the background, between the middles of
/// pixels: floats in one channel, whatever the source. Equals scipy.ndimage.distance_transform_edt(), rounded
/// to a float. Infinity where there is no such pixel.
struct Distance {
    /// Pixels whose luma is above it are foreground; without it, those where a colour is not 0.
    std::optional<Level> threshold = std::nullopt;
    NearestKind nearest = NearestKind::background;
    /// Pixels of that kind, which have the distance 0, get the negative distance to the other kind.
    bool is_signed = false;
    std::optional<double> most = {}; ///< larger distances become infinity
    DistanceMethod method = DistanceMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
    /// The same, bit for bit, for a picture of any size. `to` receives all rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& from, RowWriter& writer,
                    const TileProgress& progress = {}) const {
        run(*this, gpu, from, writer, progress);
    }
};

Plan plan(const Distance& op, const Form& form);

} // namespace glproc
