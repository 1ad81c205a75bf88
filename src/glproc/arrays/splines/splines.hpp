// Splines over arrays with any number of axes: their coefficients, and values at any place. They have SciPy's
// bits: doubles, each operation rounded, in the order in which scipy.ndimage does them. See lines.hpp.
#pragma once

#include "glproc/arrays/run_job.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glproc {

/// How an array goes on beyond its ends, by SciPy's names. BorderMode knows whole places alone: between the
/// last value and what follows, `constant` and `wrap` differ from `grid_constant` and `grid_wrap`.
enum class SplineBorder { constant, nearest, mirror, reflect, wrap, grid_wrap, grid_constant };

inline constexpr int most_spline_order = 5;

struct SplineFilterJob {
    VolumeForm source;
    Number result = Number::f64; ///< also between one axis and the next
    std::vector<int> axes;       ///< one after another
    int order = 3;               ///< 2 to 5
    SplineBorder border = SplineBorder::mirror;
};

/// The root of a spline's polynomial within the unit circle; of orders 4 and 5 there are two.
std::span<const double> spline_poles(int order);

/// The coefficients of the spline through the values of an array. By the threads of the CPU; `check` is called
/// now and then and may throw. Source: M. Unser, A. Aldroubi, M. Eden, Fast B-spline transforms for continuous
/// image representation and interpolation, IEEE PAMI 13 (1991).
void run_spline_filter(const SplineFilterJob& job, std::span<const std::byte> source,
                       std::span<std::byte> result, const Check& check = {});

/// Each result is the value of a spline at a place in the source, by one of three: `along`, `matrix` or
/// `coordinates`. See run_job.hpp.
struct SplineJob {
    VolumeForm source;    ///< coefficients, or the values themselves where the order is 0 or 1
    VolumeForm result;
    bool filters = false; ///< the source is values, whose coefficients are made first, with the same border
    bool rounds = true; ///< integers, to the nearest one within their type; else towards 0
    int order = 3;      ///< 0 to 5
    SplineBorder border = SplineBorder::constant;
    double constant = 0;
    double padding = 0; ///< added to each place that `matrix` or `coordinates` gives
    /// For the processor, of a source that is not filtered: from its first value to the next one along each axis, in values. Empty: the
    /// source has no gaps.
    std::vector<std::int64_t> steps = {};

    std::vector<std::vector<double>> along = {}; ///< as many axes as the result: the place for each index
    std::vector<double> matrix = {};             ///< a row for each axis of the source: factors of the indices, and the offset
    std::span<const double> coordinates = {};    ///< for each axis of the source one for each result

    VolumeForm result_form() const { return result; }
    double work() const;
    bool fits_at_once(const Context& gpu) const; ///< up to three axes, no results of 64-bit integers, no gaps
    std::vector<Probe<SplineJob>> probes() const;
    /// Nothing where a place lies 2^52 or more away or is no number.
    Found run_on_gpu(Context& gpu, SourceBytes from, ResultBytes to) const;
    std::int64_t run_on_cpu(SourceBytes from, ResultBytes to, const Check& check = {}) const;
};

} // namespace glproc
