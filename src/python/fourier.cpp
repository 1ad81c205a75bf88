#include "jobs.hpp"

#include "glproc/arrays/spectra/spectra.hpp"

#include <array>

#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

FourierJob::Do work_of(FourierFilter filter) {
    return filter == FourierFilter::shift       ? FourierJob::Do::shift
           : filter == FourierFilter::ellipsoid ? FourierJob::Do::ellipsoid
                                                : FourierJob::Do::product;
}

/// `half_axis` holds half of a transform of `length` values; -1: none does.
void fourier(const py::object& source_object, const std::vector<std::int64_t>& shape, bool is_complex,
             bool is_single, const std::string& what, const std::vector<double>& values, int half_axis,
             std::int64_t length, const py::object& result_object) {
    const Bytes source(source_object, PyBUF_SIMPLE);
    const Bytes result(result_object, PyBUF_WRITABLE);
    const auto filter =
        choice_of<FourierFilter>(what, std::array{"gaussian", "uniform", "ellipsoid", "shift"});
    FourierJob job{.what = work_of(filter), .shape = shape, .tables = {}, .is_complex = is_complex};
    std::size_t left =
        source.bytes().size() / (is_single ? sizeof(float) : sizeof(double)) / (is_complex ? 2 : 1);
    const std::size_t result_bytes =
        source.bytes().size() * (filter == FourierFilter::shift && !is_complex ? 2 : 1);
    bool is_right = !shape.empty() && values.size() == shape.size() && result.bytes().size() == result_bytes;
    for (std::size_t axis = 0; is_right && axis < shape.size();
         ++axis) { // no product that might be too large
        is_right = shape[axis] > 0 && left % static_cast<std::size_t>(shape[axis]) == 0;
        left /= is_right ? static_cast<std::size_t>(shape[axis]) : 1;
    }
    if (!is_right || left != 1) {
        throw py::value_error("a filter that does not go with the array");
    }
    const py::gil_scoped_release free;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const bool is_half = static_cast<int>(axis) == half_axis;
        job.tables.push_back(
            fourier_table(filter, values[axis], {shape[axis], is_half ? length : shape[axis], is_half}));
    }
    if (is_single) {
        fourier_on_cpu(job, source.values<const float>(), result.values<float>(), signals());
    } else {
        fourier_on_cpu(job, source.values<const double>(), result.values<double>(), signals());
    }
}

} // namespace

void add_fourier(py::module_& module) {
    module.def("fourier", &fourier);
}

} // namespace glproc::python
