#include "jobs.hpp"

#include "glproc/arrays/splines/splines.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

SplineBorder border_of(const std::string& name) {
    return choice_of<SplineBorder>(
        name, std::array{"constant", "nearest", "mirror", "reflect", "wrap", "grid-wrap", "grid-constant"});
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

void spline_filter(const py::object& source, const py::object& result, const std::vector<int>& axes,
                   int order, const std::string& border) {
    const Bytes from(source, reads_array);
    const Bytes to(result, writes_array);
    const SplineFilterJob job{.source = from.form(),
                              .result = to.form().type,
                              .axes = axes,
                              .order = order,
                              .border = border_of(border)};
    const auto rank = static_cast<int>(job.source.shape.size());
    const bool are_axes = std::ranges::all_of(axes, [&](int axis) { return axis >= 0 && axis < rank; });
    if (job.source.count() < 1 || to.form().shape != job.source.shape || !are_axes || order < 2 ||
        order > most_spline_order) {
        throw py::value_error("a spline that does not go with the array");
    }
    const py::gil_scoped_release free;
    run_spline_filter(job, from.bytes(), to.bytes(), signals());
}

/// `places`: "along", "matrix" or "coordinates", which is what the doubles at `values` are, as SplineJob has
/// them, one axis after another.
void spline(Session& session, const py::object& source, const py::object& result, const py::dict& given,
            const std::string& method) {
    const Bytes from(source, reads_strided_array);
    const Bytes to(result, writes_array);
    SplineJob job{.source = from.form(),
                  .result = to.form(),
                  .filters = given["filters"].cast<bool>(),
                  .rounds = given["rounds"].cast<bool>(),
                  .order = given["order"].cast<int>(),
                  .border = border_of(given["border"].cast<std::string>()),
                  .constant = given["constant"].cast<double>(),
                  .padding = given["padding"].cast<double>(),
                  .steps = from.steps(),
                  .along = {},
                  .matrix = {},
                  .coordinates = {}};
    const Bytes bytes(given["values"], PyBUF_SIMPLE);
    const std::span<const double> values = bytes.values<const double>();
    if (job.source.count() < 1 || job.result.count() < 1 || (!job.steps.empty() && job.filters)) {
        throw py::value_error("a spline that does not go with the array");
    }
    const auto places = given["places"].cast<std::string>();
    check(job, places, values.size());
    if (places == "along") {
        auto next = values.begin();
        for (const std::int64_t length : job.result.shape) {
            job.along.emplace_back(next, next + length);
            next += length;
        }
    } else if (places == "matrix") {
        job.matrix.assign(values.begin(), values.end());
    } else {
        job.coordinates = values;
    }
    run(session, job, from, to, method);
}

} // namespace

void add_splines(py::module_& module, SessionClass& session) {
    module.def("spline_filter", &spline_filter);
    session.def("spline", &spline);
}

} // namespace glproc::python
