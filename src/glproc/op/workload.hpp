// Parts of the workloads that `bench` measures, shared by operations on pictures and arrays.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"

#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glproc {

/// The correct result of an operation on pictures: chosen rows of it, unrounded, in code units.
struct RowReference {
    std::function<std::vector<double>(std::span<const int> rows)> rows;
    double row_cost = 0; ///< multiplications a row, which decides how many rows are compared
    bool near = false;   ///< whether the method is an approximation
    std::function<Verdict(const Image& got)> bits =
        {}; ///< instead of rows, of methods that give the same bits
};

/// The rows of `height` that are compared: all if that takes about a second or less, else some at equal
/// distances, the first and the last among them.
std::vector<int> rows_to_compare(int height, double row_cost);

/// Says how `rows` of an image differ from `expected`. A method that is `near` is an approximation.
///
/// - 8 bits: no value is more than a step from the rounded answer, and at most 0.1 % (`most_off`) differ from
///   it. One value may always differ. Any number may if the method is `near`, or if the answer is so near a
///   tie, 1e-6 of full scale, that either neighbour is right. The root mean square to the unrounded answer is
///   at most 0.30. If rounding alone gives more, it is at most 0.01 above that.
/// - 16 bits: no value is more than a step off, or 0.3 % of full scale if the method is `near`.
/// - Float: no value is more than 1e-6 of `full_scale` off, or of the answer's largest magnitude if that is
///   more. Colours may be off by that much divided by their alpha. 0.3 % of full scale if the method is
///   `near`.
std::string difference(const Image& got, std::span<const int> rows, std::span<const double> expected,
                       double full_scale, bool near = false, double most_off = 0.001);

/// Where an image first differs from the one wanted, bit for bit. One NaN counts as another. `first_row` is
/// their place in the picture.
std::string difference_of_bits(const Image& got, const Image& wanted, int first_row = 0);

/// How many rows difference_of_twin() compares; 0 where not even one can be.
int rows_of_twin(const Plan& plan, const TileNeeds& needs, const Rect& source, double most_work);

/// Where a result first differs from the processor's: all of it, or some of its rows where more than so many
/// multiplications would be needed.
Verdict difference_of_twin(const Image& source, const Image& got, const Plan& plan, const TileNeeds& needs,
                           double most_work);

/// The scale for errors of a float image: 1, or its largest magnitude if that is more.
double full_scale_of(const Image& image);

/// An image from an image: `run` leaves it on the GPU, where `result` finds it. `input` and everything that
/// the functions refer to must outlive the workload.
Workload image_workload(Context& gpu, const ImageInput& input, std::function<void()> run,
                        std::function<const GpuImage&()> result, RowReference reference);
/// The same for an operation that allocates its result.
Workload image_workload(Context& gpu, const ImageInput& input, std::function<GpuImage()> compute,
                        RowReference reference);
/// The same in CPU memory.
Workload image_workload_on_cpu(const ImageInput& input, std::function<Image()> compute,
                               RowReference reference);

/// A picture made by a plan, compared with the plan's reference.
Workload plan_workload(Context& gpu, const ImageInput& input, const Plan& plan);

/// Why a plan is not measured, as a sentence: its own reason, or that the CPU would take minutes.
std::optional<std::string> why_not_measured(Context& gpu, const ImageInput& input, const Plan& plan);

/// An array from a picture or an array of `input_bytes`; integers must be the same as in the answer, floats
/// within 1e-5 of its largest magnitude.
Workload array_workload(Context& gpu, std::size_t input_bytes, std::function<GpuArray()> compute,
                        std::function<Array()> reference);

/// Where two arrays of equal type and length first differ.
std::string difference(const Array& got, const Array& expected);

/// Element i. Its type must match the array.
template <class T>
T value_at(const Array& array, std::size_t i) {
    T value{};
    std::memcpy(&value, array.bytes.data() + i * sizeof(T), sizeof(T));
    return value;
}

} // namespace glproc
