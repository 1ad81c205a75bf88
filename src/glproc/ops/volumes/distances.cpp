#include "glproc/ops/volumes/distances.hpp"

#include "glproc/arrays/distances/distances.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/over_time.hpp"
#include "glproc/ops/distance.hpp"
#include "glproc/ops/distance/sites.hpp"
#include "glproc/ops/volumes/volume.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace glproc {

namespace {

/// 0 where distances lead to, 1 elsewhere.
std::vector<std::byte> sites_of_planes(const Distance& op, const VolumePart& part) {
    const Form& form = part.planes.front()->form();
    std::vector<std::byte> away;
    away.reserve(part.planes.size() * static_cast<std::size_t>(form.width) *
                 static_cast<std::size_t>(form.height));
    for (const Image* plane : part.planes) {
        const HostMask sites = sites_on_cpu(op, *plane);
        for (int y = 0; y < form.height; ++y) {
            for (int x = 0; x < form.width; ++x) {
                away.push_back(std::byte{!sites.is_set(x, y)});
            }
        }
    }
    return away;
}

MakePlane distance_planes(const Operation& call, const VolumeCall& volume, const VolumePart& part) {
    const auto& op = parameters_of<Distance>(call);
    const Form& form = part.planes.front()->form();
    const std::vector<std::byte> away = sites_of_planes(op, part);
    std::vector<double> distances(away.size(), std::numeric_limits<double>::infinity());
    if (std::ranges::find(away, std::byte{0}) != away.end()) {
        const EuclideanJob job{
            {Number::u8, {static_cast<std::int64_t>(part.planes.size()), form.height, form.width}},
            {volume.spacing.begin(), volume.spacing.end()}};
        run_array_job(volume, job, away, std::as_writable_bytes(std::span(distances)));
    }
    if (op.most) {
        std::ranges::replace_if(
            distances, [&](double distance) { return distance > *op.most; },
            std::numeric_limits<double>::infinity());
    }
    return rounded_planes(std::move(distances), part, Depth::f32);
}

} // namespace

const InVolume& distance_in_volume() {
    static const InVolume made{
        .around = [](const Operation& call, const VolumeCall&, const Form& plane) -> std::optional<int> {
            const auto& op = parameters_of<Distance>(call);
            check_volume(plane, {});
            if (op.is_signed || op.metric != Metric::euclidean) {
                throw Error(ErrorCode::usage, "--volume has the euclidean distance alone",
                            op.is_signed ? "leave --signed out" : "--metric euclidean");
            }
            return std::nullopt;
        },
        .run = &distance_planes,
        .knows_spacing = true};
    return made;
}

} // namespace glproc
