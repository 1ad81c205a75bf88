#include "jobs.hpp"

#include "glproc/arrays/labels/labels.hpp"

#include <vector>

namespace glproc::python {

namespace py = pybind11;

namespace {

std::int64_t label(Session& session, const py::object& source, const py::object& labels,
                   const py::object& structure, const std::string& method) {
    const Bytes from(source, reads_array);
    const Bytes to(labels, writes_array);
    const LabelJob job{from.form(), values_of<std::uint8_t>(structure), to.form().type};
    std::size_t places = 1;
    for (std::size_t axis = 0; axis < job.source.shape.size(); ++axis) {
        places *= 3;
    }
    constexpr std::int64_t most = std::int64_t{1} << 31;
    const bool is_long = job.result == Number::i64;
    if (job.source.count() < 1 || to.form().shape != job.source.shape || job.structure.size() != places ||
        (job.result != Number::i32 && !is_long) || job.source.shape.back() >= most ||
        (!is_long && job.source.count() >= most)) {
        throw py::value_error("labels that do not go with the array");
    }
    return run(session, job, from, to, method);
}

/// A tuple of slices, or None.
py::object box_of(const std::int64_t* range, std::size_t axes) {
    if (range[1] == 0) {
        return py::none();
    }
    py::tuple box(axes);
    for (std::size_t axis = 0; axis < axes; ++axis, range += 2) {
        const py::int_ first(range[0]);
        const py::int_ end(range[1]);
        PyObject* const slice = PySlice_New(first.ptr(), end.ptr(), nullptr);
        if (slice == nullptr) {
            throw py::error_already_set();
        }
        PyTuple_SET_ITEM(box.ptr(), static_cast<py::ssize_t>(axis), slice);
    }
    return box;
}

/// For each label where it lies.
py::list boxes(const py::object& labels_object, std::int64_t count) {
    const Bytes labels(labels_object, reads_array);
    const VolumeForm form = labels.form();
    if (form.count() < 1) {
        throw py::value_error("labels of no values");
    }
    std::vector<std::int64_t> ends;
    {
        const py::gil_scoped_release free;
        ends = boxes_on_cpu(form, labels.bytes(), count);
    }
    py::list list(static_cast<std::size_t>(count));
    const std::int64_t* range = ends.data();
    for (std::int64_t i = 0; i < count; ++i, range += 2 * form.shape.size()) {
        PyList_SET_ITEM(list.ptr(), i, box_of(range, form.shape.size()).release().ptr());
    }
    return list;
}

} // namespace

void add_labels(py::module_& module, SessionClass& session) {
    session.def("label", &label);
    module.def("boxes", &boxes);
}

} // namespace glproc::python
