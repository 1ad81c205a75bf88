#include "buffers.hpp"
#include "labels.hpp"

#include "glproc/kinds/fourier.hpp"

#include <utility>

#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

void fourier(const py::object& source_object, const std::vector<std::int64_t>& shape, bool is_complex,
             bool is_single, const std::string& what, std::vector<std::vector<double>> tables,
             const py::object& result_object) {
    const Bytes source(source_object, PyBUF_SIMPLE);
    const Bytes result(result_object, PyBUF_WRITABLE);
    const FourierJob job{.what = what == "product" ? FourierJob::Do::product
                                 : what == "shift" ? FourierJob::Do::shift
                                                   : FourierJob::Do::ellipsoid,
                         .shape = shape,
                         .tables = std::move(tables),
                         .is_complex = is_complex};
    bool is_right = !shape.empty() && job.tables.size() == shape.size();
    std::size_t bytes = is_single ? sizeof(float) : sizeof(double);
    for (std::size_t axis = 0; is_right && axis < shape.size(); ++axis) {
        is_right = shape[axis] > 0 && job.tables[axis].size() == static_cast<std::size_t>(shape[axis]);
        bytes *= job.tables[axis].size();
    }
    if (!is_right || source.bytes().size() != bytes * (job.is_complex ? 2 : 1) ||
        result.bytes().size() != bytes * (job.is_complex || job.what == FourierJob::Do::shift ? 2 : 1)) {
        throw py::value_error("tables that do not go with the array");
    }
    const py::gil_scoped_release free;
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
