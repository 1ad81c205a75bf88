// The distance of each pixel to the nearest background, or to the nearest object.
#pragma once

#include "glproc/arrays/distances/metric.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/op/field.hpp"
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

template <>
inline constexpr std::array<EnumRow<Metric>, 3> enum_rows<Metric>{
    EnumRow{Metric::euclidean, "euclidean", "as the crow flies"},
    EnumRow{Metric::chessboard, "chessboard", "in steps to any of the eight neighbours"},
    EnumRow{Metric::taxicab, "taxicab", "in steps to one of the four neighbours at the sides"},
};

/// All give the same bits.
enum class DistanceMethod { automatic, gpu, cpu };

template <>
inline constexpr std::array<EnumRow<DistanceMethod>, 3> enum_rows<DistanceMethod>{
    EnumRow{DistanceMethod::automatic, "auto",
            "gpu, or cpu where that is faster or rows are too long for the device"},
    EnumRow{DistanceMethod::gpu, "gpu", "columns, then rows: near sites, then far ones"},
    EnumRow{DistanceMethod::cpu, "cpu", "columns, then rows on all cores, with the bits of the kernels"},
};

inline constexpr Limit distance_limit{0, 1e9};

/// The exact distance of each pixel to the nearest one of the background, between the middles of pixels:
/// floats in one channel, whatever the source. Equals scipy.ndimage.distance_transform_edt() or _cdt(),
/// rounded to a float. Infinity where there is no such pixel.
struct Distance {
    /// Pixels whose luma is above it are foreground; without it, those where a colour is not 0. Fully
    /// transparent pixels are background.
    std::optional<Level> threshold = std::nullopt;
    NearestKind nearest = NearestKind::background;
    /// Pixels of that kind, which have the distance 0, get the negative distance to the other kind.
    bool is_signed = false;
    Metric metric = Metric::euclidean;
    std::optional<double> most = {}; ///< larger distances become infinity
    /// Gets the place of the nearest pixel; of several as near it is the first, row by row. The array has
    /// int32 and the shape (2, height, width): first rows, then columns, as
    /// distance_transform_edt(return_indices=True) has them. It is -1 where the distance is infinite. Not
    /// with is_signed.
    ArrayFile indices = {};
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
