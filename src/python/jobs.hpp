// Functions of glproc.ndimage on arrays with any number of axes. Memory comes by Python's buffer protocol
// alone, so it does not matter which NumPy there is.
#pragma once

#include "buffers.hpp"
#include "session.hpp"

#include "glproc/arrays/run_job.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include <pybind11/pybind11.h>

namespace glproc::python {

/// Below so many multiplications an array is done before it would have reached the GPU.
inline constexpr double least_work_for_gpu = 4e6;

/// By the method: "auto" takes whichever should be faster; "gpu" and "cpu" give the same bits. What the GPU
/// cannot do goes to the processor. Returns how much was found.
template <ArrayJob Job>
std::int64_t run(Session& session, const Job& job, const Bytes& source, const Bytes& result,
                 const std::string& method) {
    Found found;
    run_on_gpu(session.worker(), method, job.work() >= least_work_for_gpu,
               [&](Context& gpu) { found = run_job(gpu, job, source.bytes(), result.bytes()); });
    if (found) {
        return *found;
    }
    const pybind11::gil_scoped_release free;
    return job.run_on_cpu(source.bytes(), result.bytes(), signals());
}

using SessionClass = pybind11::class_<Session, std::shared_ptr<Session>>;

// Those that the GPU does, too, are methods of a session.
void add_lines(SessionClass& session);
void add_labels(pybind11::module_& module, SessionClass& session);
void add_distances(pybind11::module_& module, SessionClass& session);
void add_splines(pybind11::module_& module, SessionClass& session);
void add_fourier(pybind11::module_& module);
void add_measures(pybind11::module_& module);

} // namespace glproc::python
