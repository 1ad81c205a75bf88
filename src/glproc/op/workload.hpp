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

/// Where an image first differs from the one wanted, bit for bit. One NaN counts as another. `first_row` is
/// their place in the picture.
std::string difference_of_bits(const Image& got, const Image& wanted, int first_row = 0);

/// How many rows difference_of_twin() compares; 0 where not even one can be.
int rows_of_twin(const Plan& plan, const TileNeeds& needs, const Rect& source, double most_work);

/// Where a result first differs from the processor's: all of it, or some of its rows where more than so many
/// multiplications would be needed.
Verdict difference_of_twin(const Image& source, const Image& got, const Plan& plan, const TileNeeds& needs,
                           double most_work);

/// Says how a result differs from the right one.
using Judge = std::function<Verdict(const Image& got)>;

/// An image from an image. `input` and everything that the functions refer to must outlive the workload.
Workload image_workload(Context& gpu, const ImageInput& input, std::function<GpuImage()> compute, Judge judge);

/// A picture made by a plan, compared with the processor's, bit for bit.
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
