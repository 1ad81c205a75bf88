#include "splines.hpp"

#include "buffers.hpp"

#include <algorithm>

namespace glproc::python {

namespace py = pybind11;

namespace {

/// Below so many multiplications a thread of its own, with the answer to Ctrl-C, is not worth it.
constexpr double least_work_for_worker = 4e7;
/// Below so many an array is done before it would have reached the GPU.
constexpr double least_work_for_gpu = 4e6;

SplineBorder border_of(const std::string& name) {
    return choice_of<SplineBorder>(
        name, std::array{"constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap", "grid-constant"});
}

void run(Worker& worker, double work, const std::function<void(const std::function<void()>& check)>& compute) {
    if (work < least_work_for_worker) {
        const py::gil_scoped_release free;
        return compute({});
    }
    on_cpu(worker, compute);
}

bool has_room(const VolumeForm& form, std::size_t bytes) {
    const bool is_empty = form.shape.empty() || std::any_of(form.shape.begin(), form.shape.end(),
                                                            [](std::int64_t length) { return length < 1; });
    return !is_empty && bytes == static_cast<std::size_t>(form.count()) * bytes_of(form.type);
}

/// Throws where the places are not as many as there must be.
void check(const SplineJob& job, const std::string& places, std::size_t values) {
    const std::size_t axes = job.source.shape.size();
    std::size_t wanted = 0;
    if (places == "along") {
        for (const std::int64_t length : job.result.shape) {
            wanted += static_cast<std::size_t>(length);
        }
        wanted = axes == job.result.shape.size() ? wanted : values + 1;
    } else if (places == "matrix") {
        wanted = axes * (job.result.shape.size() + 1);
    } else {
        wanted = axes * static_cast<std::size_t>(job.result.count());
    }
    if (values != wanted || job.order < (job.filters ? 2 : 0) || job.order > most_spline_order) {
        throw py::value_error("places that do not go with the array");
    }
}

} // namespace

void run_spline_filter(Worker& worker, const SplineFilterOfPython& given) {
    const SplineFilterJob job{.source = {number_of(given.type), given.shape},
                              .result = number_of(given.result_type),
                              .axes = given.axes,
                              .order = given.order,
                              .border = border_of(given.border)};
    const Bytes source(given.source, PyBUF_SIMPLE);
    const Bytes result(given.result, PyBUF_WRITABLE);
    const auto axes = static_cast<int>(given.shape.size());
    const bool are_axes = std::all_of(job.axes.begin(), job.axes.end(),
                                      [&](int axis) { return axis >= 0 && axis < axes; });
    if (!has_room(job.source, source.bytes().size()) || !has_room({job.result, given.shape}, result.bytes().size()) ||
        !are_axes || job.order < 2 || job.order > most_spline_order) {
        throw py::value_error("a spline that does not go with the array");
    }
    const double work = 4 * static_cast<double>(job.source.count()) * static_cast<double>(job.axes.size());
    run(worker, work, [&](const std::function<void()>& check) {
        glproc::run_spline_filter(job, source.bytes(), result.bytes(), check);
    });
}

void run_spline(Worker& worker, const SplineOfPython& given, const std::string& method) {
    SplineJob job{.source = {number_of(given.type), given.shape},
                  .result = {number_of(given.result_type), given.result_shape},
                  .filters = given.filters,
                  .rounds = given.rounds,
                  .order = given.order,
                  .border = border_of(given.border),
                  .constant = given.constant,
                  .padding = given.padding,
                  .steps = {},
                  .along = {},
                  .matrix = {},
                  .coordinates = {}};
    const StridedBytes source(given.source);
    job.steps = source.steps(job.source);
    const Bytes result(given.result, PyBUF_WRITABLE);
    const Bytes bytes(given.values, PyBUF_SIMPLE);
    const std::span values(reinterpret_cast<const double*>(bytes.bytes().data()), bytes.bytes().size() / sizeof(double));
    const bool has_gaps = !job.steps.empty();
    if (!has_room(job.source, source.bytes().size()) || !has_room(job.result, result.bytes().size()) || (has_gaps && job.filters)) {
        throw py::value_error("a spline that does not go with the array");
    }
    check(job, given.places, values.size());
    if (given.places == "along") {
        auto next = values.begin();
        for (const std::int64_t length : job.result.shape) {
            job.along.emplace_back(next, next + length);
            next += length;
        }
    } else if (given.places == "matrix") {
        job.matrix.assign(values.begin(), values.end());
    } else {
        job.coordinates = values;
    }
    double work = static_cast<double>(job.result.count());
    for (std::size_t i = 0; i < job.source.shape.size(); ++i) {
        work *= job.order + 1;
    }
    const bool is_done = !has_gaps && run_on_gpu(worker, method, work >= least_work_for_gpu, [&](Context& gpu) {
        return fits(gpu, job) && glproc::run_spline(gpu, job, source.bytes(), result.bytes());
    });
    if (is_done) {
        return;
    }
    run(worker, work, [&](const std::function<void()>& check) {
        glproc::run_spline(job, source.bytes(), result.bytes(), check);
    });
}

} // namespace glproc::python
