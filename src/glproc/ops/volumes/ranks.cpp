#include "glproc/ops/volumes/ranks.hpp"

#include "glproc/arrays/footprints/footprints.hpp"
#include "glproc/arrays/lines/lines.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/median/parts.hpp"
#include "glproc/ops/morphology.hpp"
#include "glproc/ops/morphology/parts.hpp"
#include "glproc/ops/volumes/volume.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

using Bytes = std::vector<std::byte>;

/// Of the neighbours within the radius for which is_in() holds: a place along each axis, also along
/// channels.
template <class IsIn>
std::vector<std::int64_t> offsets_within(const PerVolumeAxis<int>& radius, bool has_channels,
                                         const IsIn& is_in) {
    std::vector<std::int64_t> offsets;
    for (std::int64_t z = -radius[0]; z <= radius[0]; ++z) {
        for (std::int64_t y = -radius[1]; y <= radius[1]; ++y) {
            for (std::int64_t x = -radius[2]; x <= radius[2]; ++x) {
                if (is_in(z, y, x)) {
                    offsets.insert(offsets.end(), {z, y, x});
                    if (has_channels) {
                        offsets.push_back(0);
                    }
                }
            }
        }
    }
    return offsets;
}

/// More neighbours are refused: each voxel compares all of them.
void check_neighbours(const PerVolumeAxis<int>& radius) {
    constexpr double most = 35937; // radius 16
    double count = 1;
    for (const int along : radius) {
        count *= 2.0 * along + 1;
    }
    if (count > most) {
        throw Error(ErrorCode::usage,
                    fmt::format("--volume takes {} neighbours at most, and these are {}", most, count),
                    "--radius 16");
    }
}

FootprintJob footprint_job(const VolumePart& part, const Border& border, FootprintJob::Do what,
                           std::vector<std::int64_t> offsets) {
    FootprintJob job;
    job.source = form_of(part);
    job.result = job.source.type;
    job.what = what;
    job.border = border.mode;
    job.constant = constant_of(border, part.planes.front()->form());
    job.offsets = std::move(offsets);
    return job;
}

/// The GPU has other bits for zeros of two signs, which only floats have.
VolumeCall for_ranks(const VolumeCall& volume, const VolumePart& part) {
    VolumeCall made = volume;
    made.gpu = part.planes.front()->depth() == Depth::f32 ? nullptr : volume.gpu;
    return made;
}

MakePlane median_planes(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    refuse_nan(volume, part);
    const auto& op = parameters_of<Median>(call);
    FootprintJob job =
        footprint_job(part, op.border, FootprintJob::Do::rank,
                      offsets_within(per_axis(volume, "radius", op.radius), form_of(part).shape.size() > 3,
                                     [](auto...) { return true; }));
    job.rank = rank_among(op.percentile, static_cast<int>(job.neighbours()));
    Bytes made(job.source.bytes());
    run_array_job(for_ranks(volume, part), job, values_of(part), made);
    return planes_of(std::move(made), part);
}

/// Steps of morphology on one part.
class Shape3 {
  public:
    Shape3(const Morphology& op, const VolumeCall& volume, const VolumePart& part)
        : op_(op), volume_(for_ranks(volume, part)), part_(part),
          radius_(per_axis(volume, "radius", PerAxis<int>(op.radius))) {}

    Bytes step(const Bytes& from, Extreme which) const {
        Bytes made(from.size());
        if (op_.shape == MorphologyShape::box) {
            run_array_job(volume_, lines(which), from, made);
        } else {
            run_array_job(
                volume_,
                footprint_job(part_, op_.border,
                              which == Extreme::least ? FootprintJob::Do::minimum : FootprintJob::Do::maximum,
                              offsets()),
                from, made);
        }
        return made;
    }

  private:
    LineJob lines(Extreme which) const {
        LineJob job{form_of(part_), form_of(part_).type, {}};
        for (int axis = 0; axis < 3; ++axis) {
            job.passes.push_back(
                {.what = which == Extreme::least ? LinePass::Do::minimum : LinePass::Do::maximum,
                 .axis = axis,
                 .border = op_.border.mode,
                 .constant = constant_of(op_.border, part_.planes.front()->form()),
                 .size = 2 * std::int64_t{radius_[static_cast<std::size_t>(axis)]} + 1,
                 .weights = {}});
        }
        return job;
    }

    std::vector<std::int64_t> offsets() const {
        const bool is_cross = op_.shape == MorphologyShape::cross;
        const auto share = [](std::int64_t i, int radius) { // of an ellipsoid, exact for small radii
            return radius == 0 ? 0 : static_cast<double>(i * i) / (static_cast<double>(radius) * radius);
        };
        return offsets_within(radius_, form_of(part_).shape.size() > 3, [&](auto z, auto y, auto x) {
            return is_cross ? (z != 0) + (y != 0) + (x != 0) <= 1
                            : share(z, radius_[0]) + share(y, radius_[1]) + share(x, radius_[2]) <= 1;
        });
    }

    const Morphology& op_;
    VolumeCall volume_;
    const VolumePart& part_;
    PerVolumeAxis<int> radius_;
};

/// `from` minus `other`, which is not larger but at a border; then codes are 0.
MakePlane difference(Bytes from, Bytes other, const VolumePart& part) {
    const auto subtract = [](auto less, auto values) {
        std::transform(values.begin(), values.end(), less, values.begin(), [](auto a, auto b) {
            return static_cast<decltype(a)>(a > b || std::is_floating_point_v<decltype(a)> ? a - b : 0);
        });
    };
    return [make = planes_of(std::move(from), part), make_less = planes_of(std::move(other), part),
            subtract](std::size_t number) {
        Image plane = make(number);
        const Image less = make_less(number);
        switch (plane.depth()) {
        case Depth::u8:
            subtract(less.values<std::uint8_t>().begin(), plane.values<std::uint8_t>());
            break;
        case Depth::u16:
            subtract(less.values<std::uint16_t>().begin(), plane.values<std::uint16_t>());
            break;
        case Depth::f32:
            subtract(less.values<float>().begin(), plane.values<float>());
            break;
        }
        return plane;
    };
}

MakePlane shaped_planes(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    using enum Extreme;
    refuse_nan(volume, part);
    const auto& op = parameters_of<Morphology>(call);
    const Shape3 shape(op, volume, part);
    const Bytes source = values_of(part);
    const auto twice = [&](Extreme first, Extreme then) {
        return shape.step(shape.step(source, first), then);
    };
    switch (op.step) {
    case MorphologyStep::erode:
        return planes_of(shape.step(source, least), part);
    case MorphologyStep::dilate:
        return planes_of(shape.step(source, largest), part);
    case MorphologyStep::open:
        return planes_of(twice(least, largest), part);
    case MorphologyStep::close:
        return planes_of(twice(largest, least), part);
    case MorphologyStep::tophat:
        return difference(source, twice(least, largest), part);
    case MorphologyStep::blackhat:
        return difference(twice(largest, least), source, part);
    default:
        return difference(shape.step(source, largest), shape.step(source, least), part);
    }
}

} // namespace

const InVolume& median_in_volume() {
    static const InVolume made{.around =
                                   [](const Operation& call, const VolumeCall& volume, const Form& plane) {
                                       const auto& op = parameters_of<Median>(call);
                                       check_volume(plane, op.border);
                                       if (op.outliers) {
                                           throw Error(ErrorCode::usage, "--outliers is for single images",
                                                       "leave --volume out");
                                       }
                                       const PerVolumeAxis<int> radius =
                                           per_axis(volume, "radius", op.radius);
                                       check_neighbours(radius);
                                       return planes_around(op.border, radius[0]);
                                   },
                               .run = &median_planes};
    return made;
}

const InVolume& morphology_in_volume() {
    static const InVolume made{
        .around =
            [](const Operation& call, const VolumeCall& volume, const Form& plane) {
                const auto& op = parameters_of<Morphology>(call);
                check_volume(plane, op.border);
                if (is_of_objects(op.step)) {
                    throw Error(ErrorCode::usage,
                                fmt::format("--do {} is for single images", name_of(op.step)),
                                "leave --volume out");
                }
                const PerVolumeAxis<int> radius = per_axis(volume, "radius", PerAxis<int>(op.radius));
                if (op.shape != MorphologyShape::box) {
                    check_neighbours(radius);
                }
                for (const int along : radius) {
                    check_limit("radius", along, flat_radius_limit);
                }
                return planes_around(op.border, 2 * std::int64_t{radius[0]}); // of two steps
            },
        .run = &shaped_planes};
    return made;
}

} // namespace glproc
