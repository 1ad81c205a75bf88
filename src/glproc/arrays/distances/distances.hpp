// Distances to the nearest value that is 0, in arrays with any number of axes, with SciPy's bits and its
// choice among zeros that are equally near.
#pragma once

#include "glproc/arrays/distances/metric.hpp"
#include "glproc/arrays/run_job.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

struct DistanceJob {
    std::vector<std::int64_t> shape;        ///< at least one axis, each shorter than 2^29
    std::vector<double> sampling;           ///< of each axis the distance of neighbours, finite
    std::span<const std::uint8_t> is_value; ///< 0, or anything
};

/// Writes `features`: along each axis the index of the nearest 0, one axis after another. `distances` may be
/// empty; then that is all. Otherwise it writes distances, and may leave features undone if `keeps_features`
/// is false. There must be a 0.
void euclidean_on_cpu(const DistanceJob& job, std::span<std::int32_t> features, std::span<double> distances,
                      bool keeps_features, const Check& check = {});

/// Distances alone, of bytes. See run_job.hpp.
struct EuclideanJob {
    VolumeForm source; ///< of Number::u8
    std::vector<double> sampling;

    VolumeForm result_form() const { return {Number::f64, source.shape}; }
    double work() const { return 4 * static_cast<double>(source.count()); }
    bool fits_at_once(const Context& gpu) const; ///< neighbours are 1 apart along each axis
    std::vector<Probe<EuclideanJob>> probes() const;
    Found run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const;
    std::int64_t run_on_cpu(SourceBytes from, ResultBytes to, const Check& check = {}) const;
};

/// In steps between neighbours. `steps` are those to places before the middle of a box of 3 along each axis,
/// in the order of its elements: the first half of them without the middle. Distances are -1 where no way
/// leads to a 0. `features` may be empty. Otherwise it holds the place of each value, and gets the place of
/// its 0.
void chamfer_on_cpu(const DistanceJob& job, std::span<const std::uint8_t> steps,
                    std::span<std::int32_t> distances, std::span<std::int32_t> features);

/// The index along each axis of places in C order, one axis after another.
void indices_on_cpu(const std::vector<std::int64_t>& shape, std::span<const std::int32_t> places,
                    std::span<std::int32_t> indices);

/// By comparing each value with all of `borders`: their places in C order. Distances are doubles if the
/// metric is euclidean, and 32-bit unsigned integers otherwise. Either result may be empty. Features are
/// places.
void brute_force_on_cpu(const DistanceJob& job, Metric metric, std::span<const std::int64_t> borders,
                        std::span<std::byte> distances, std::span<std::int32_t> features,
                        const Check& check = {});

} // namespace glproc
