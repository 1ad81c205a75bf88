#include "buffers.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/proof.hpp"

#include <chrono>
#include <thread>

namespace glproc::python {

namespace py = pybind11;

Number number_of(const std::string& name) {
    constexpr std::array names = {"u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (name == names[i]) {
            return static_cast<Number>(i);
        }
    }
    throw py::type_error(fmt::format("no arrays of {}", name));
}

std::vector<std::int64_t> StridedBytes::steps(const VolumeForm& form) const {
    const auto size = static_cast<py::ssize_t>(bytes_of(form.type));
    bool is_right = view_.itemsize == size && static_cast<std::size_t>(view_.ndim) == form.shape.size();
    std::vector<std::int64_t> steps;
    for (std::size_t axis = 0; is_right && axis < form.shape.size(); ++axis) {
        is_right = view_.shape[axis] == form.shape[axis] && view_.strides[axis] % size == 0;
        steps.push_back(view_.strides[axis] / size);
    }
    if (!is_right) {
        throw py::value_error("an array of another form");
    }
    return PyBuffer_IsContiguous(&view_, 'C') != 0 ? std::vector<std::int64_t>() : steps;
}

void on_cpu(Worker& worker, const std::function<void(const std::function<void()>& check)>& work) {
    try {
        worker.run([&](Context&, const std::atomic<bool>& cancelled) {
            work([&] {
                if (cancelled) {
                    throw Cancelled{};
                }
            });
        });
    } catch (const Error& error) {
        if (error.code() != ErrorCode::no_context) {
            throw;
        }
        const py::gil_scoped_release free;
        work({});
    }
}

bool is_of_kernels(const Error& error) {
    return error.code() == ErrorCode::operation || dynamic_cast<const WrongKernel*>(&error) != nullptr;
}

bool run_on_gpu(Worker& worker, const std::string& method, bool is_worth_it, const std::function<bool(Context& gpu)>& run) {
    const bool is_asked = method == "gpu";
    if (!is_asked && (method != "auto" || !is_worth_it || worker.lacks_gpu())) {
        return false;
    }
    bool is_done = false;
    try {
        worker.run([&](Context& gpu, const std::atomic<bool>&) {
            try {
                is_done = (is_asked || !gpu.device().software) && run(gpu);
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
    return is_done;
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
