// Operations on a frame of a video that also look at the frames before and after it.
//
// A front end that has the frames keeps a window of them on the GPU and calls OverTime::run() for each of them. On single
// images these operations do not look around.
#pragma once

#include "glproc/gl/gpu_image.hpp"
#include "glproc/op/describe.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace glproc {

inline constexpr int most_frames = 15; ///< of a window

/// Frames in their order, all of one form, and which of them the result is for. A window has frames missing where the video begins
/// or ends.
struct FrameWindow {
    std::vector<const GpuImage*> frames;
    std::size_t own = 0;
};

/// How an operation of the registry works on windows. Calls that it gets are operations made by its OpInfo.
struct OverTime {
    /// The form of the result, for windows of `frames` at most. Throws Error(usage) for parameters and pictures that it does not
    /// take.
    std::function<Form(const Operation& call, int frames, const Form& form)> result_form;
    std::function<GpuImage(Context&, const Operation& call, int frames, const FrameWindow& window)> run;
};

/// The parameters of an operation made by a description of this type; null for any other.
const void* parameters_of(const Operation& call, const OpType& type);

template <class Op>
const Op& parameters_of(const Operation& call) {
    const void* op = parameters_of(call, op_type<Op>);
    if (op == nullptr) {
        throw Error(ErrorCode::operation, "parameters of another operation");
    }
    return *static_cast<const Op*>(op);
}

} // namespace glproc
