#include "buffers.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/proof.hpp"

#include <chrono>
#include <string_view>
#include <thread>

namespace glproc::python {

namespace py = pybind11;

VolumeForm Bytes::form() const {
    constexpr std::string_view unsigned_ones = "?BHILQ";
    constexpr std::string_view signed_ones = "bhilq";
    constexpr std::string_view floats = "fd";
    const std::string_view format = view_.format;
    const bool is_complex = format.find('Z') != format.npos;
    for (int i = 0; i <= static_cast<int>(Number::f64); ++i) {
        const auto type = static_cast<Number>(i);
        const std::string_view letters = type >= Number::f32 ? floats
                                         : i % 2 == 1        ? signed_ones
                                                             : unsigned_ones;
        if (!is_complex && letters.find(format.back()) != letters.npos &&
            bytes_of(type) == static_cast<std::size_t>(view_.itemsize)) {
            const std::vector<std::int64_t> shape(view_.shape, view_.shape + view_.ndim);
            return {type, shape.empty() ? std::vector<std::int64_t>{1} : shape};
        }
    }
    throw py::type_error(fmt::format("no arrays of {}", format));
}

std::vector<std::int64_t> Bytes::steps() const {
    std::vector<std::int64_t> steps;
    for (int axis = 0; axis < view_.ndim; ++axis) {
        if (view_.strides[axis] % view_.itemsize != 0) {
            throw py::value_error("an array of another form");
        }
        steps.push_back(view_.strides[axis] / view_.itemsize);
    }
    return PyBuffer_IsContiguous(&view_, 'C') != 0 ? std::vector<std::int64_t>() : steps;
}

namespace {

/// Whether it tells of a kernel that the driver refuses, or computes wrongly, so that the processor should do
/// its work.
bool is_of_kernels(const Error& error) {
    return error.code() == ErrorCode::operation || dynamic_cast<const WrongKernel*>(&error) != nullptr;
}

} // namespace

void run_on_gpu(Worker& worker, const std::string& method, bool is_worth_it,
                const std::function<void(Context& gpu)>& run) {
    const bool is_asked = method == "gpu";
    if (!is_asked && (method != "auto" || !is_worth_it || worker.lacks_gpu())) {
        return;
    }
    try {
        worker.run([&](Context& gpu, const std::atomic<bool>&) {
            try {
                if (is_asked || !gpu.device().software) {
                    run(gpu);
                }
            } catch (const Error& error) {
                if (is_asked || !is_of_kernels(error)) {
                    throw;
                }
            }
        });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::no_context || is_asked) {
            throw;
        }
    }
}

std::function<void()> signals() {
    using Clock = std::chrono::steady_clock;
    constexpr auto pause = std::chrono::milliseconds(50); // the GIL may be another thread's
    return [pause, caller = std::this_thread::get_id(), next = Clock::now() + pause]() mutable {
        if (std::this_thread::get_id() != caller || Clock::now() < next) {
            return;
        }
        const py::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) {
            throw py::error_already_set();
        }
        next = Clock::now() + pause;
    };
}

} // namespace glproc::python
