// Helpers of operations on volumes: planes as one array and back, jobs on it, and what they all refuse.
#pragma once

#include "glproc/arrays/run_job.hpp"
#include "glproc/gl/wrong_kernel.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/op/in_volume.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace glproc {

/// The numbers of a parameter across planes, along columns and along rows: the order of axes.
template <class T>
using PerVolumeAxis = std::array<T, 3>;

/// Of a field that has "X,Y"; where no third number is told it has one for all axes.
template <class T>
PerVolumeAxis<T> per_axis(const VolumeCall& volume, const char* field, const PerAxis<T>& value) {
    const auto across = volume.across.find(field);
    return {across == volume.across.end() ? value.x : static_cast<T>(across->second), value.y, value.x};
}

/// Planes, rows, columns, and channels where there are several.
VolumeForm form_of(const VolumePart& part);
std::vector<std::byte> values_of(const VolumePart& part);
/// The same as doubles, in units of codes.
std::vector<double> doubles_of(const VolumePart& part);

/// The wanted planes of an array that goes with the part, each value rounded once and clamped to the depth.
MakePlane rounded_planes(std::vector<double> values, const VolumePart& part, Depth depth);
/// The same of values of the source's own type.
MakePlane planes_of(std::vector<std::byte> values, const VolumePart& part);

/// Throws Error(usage) for pictures with alpha, and for a constant border whose channels differ.
void check_volume(const Form& plane, const Border& border);
/// The constant in units of the source's numbers.
double constant_of(const Border& border, const Form& plane);
/// Throw Error(operation) where a value of the part is NaN, or not finite.
void refuse_nan(const VolumeCall& volume, const VolumePart& part);
void refuse_infinite(const VolumeCall& volume, const VolumePart& part);
/// Of windows whose time grows with it.
inline constexpr Limit flat_radius_limit{0, 1000};
/// How far a part must reach for windows of this radius: everywhere where the ends meet.
std::optional<int> planes_around(const Border& border, std::int64_t radius);

/// By the GPU where there is one that can, else by the processor, with the same bits. Returns how much was
/// found.
template <ArrayJob Job>
std::int64_t run_array_job(const VolumeCall& volume, const Job& job, SourceBytes source, ResultBytes result) {
    constexpr double least_work = 4e6; // below it an array is done before it would have reached the GPU
    if (volume.gpu != nullptr && !volume.gpu->device().software && job.work() >= least_work) {
        try {
            if (const Found found = run_job(*volume.gpu, job, source, result)) {
                return *found;
            }
        } catch (const WrongKernel&) { // NOLINT(bugprone-empty-catch): the processor does it
        }
    }
    return job.run_on_cpu(source, result, volume.check);
}

} // namespace glproc
