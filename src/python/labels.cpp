#include "labels.hpp"

#include "buffers.hpp"

#include "glproc/arrays/labels/labels.hpp"

#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

using Shape = std::vector<std::int64_t>;

/// Throws where an array has another size than its shape says.
void check_shape(const VolumeForm& form, std::span<const std::byte> source) {
    if (form.shape.empty() || form.count() < 1 ||
        source.size() != static_cast<std::size_t>(form.count()) * bytes_of(form.type)) {
        throw py::value_error("a shape that does not go with the array");
    }
}

/// Of each label. Throws where there are not as many, or not enough.
std::size_t label_bytes(const LabelJob& job, const Bytes& source, const Bytes& labels) {
    check_shape(job.source, source.bytes());
    std::size_t places = 1;
    for (std::size_t axis = 0; axis < job.source.shape.size(); ++axis) {
        places *= 3;
    }
    const auto count = static_cast<std::size_t>(job.source.count());
    const std::size_t bytes = labels.bytes().size() / count;
    constexpr std::int64_t most = std::int64_t{1} << 31;
    if (job.structure.size() != places || labels.bytes().size() % count != 0 || (bytes != 4 && bytes != 8) ||
        job.source.shape.back() >= most || (bytes == 4 && job.source.count() >= most)) {
        throw py::value_error("labels that do not go with the array");
    }
    return bytes;
}

std::int64_t label(const py::object& source_object, const std::string& type, const Shape& shape,
                   const py::object& structure, const py::object& labels_object) {
    const Bytes source(source_object, PyBUF_SIMPLE);
    const Bytes labels(labels_object, PyBUF_WRITABLE);
    const LabelJob job{{number_of(type), shape}, values_of<std::uint8_t>(structure)};
    const std::size_t bytes = label_bytes(job, source, labels);
    const py::gil_scoped_release free;
    return bytes == 4 ? label_on_cpu(job, source.bytes(), labels.values<std::int32_t>(), signals())
                      : label_on_cpu(job, source.bytes(), labels.values<std::int64_t>(), signals());
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
py::list boxes(const py::object& labels_object, const std::string& type, const Shape& shape,
               std::int64_t count) {
    const Bytes labels(labels_object, PyBUF_SIMPLE);
    const VolumeForm form{number_of(type), shape};
    check_shape(form, labels.bytes());
    std::vector<std::int64_t> ends;
    {
        const py::gil_scoped_release free;
        ends = boxes_on_cpu(form, labels.bytes(), count);
    }
    py::list list(static_cast<std::size_t>(count));
    const std::int64_t* range = ends.data();
    for (std::int64_t i = 0; i < count; ++i, range += 2 * shape.size()) {
        PyList_SET_ITEM(list.ptr(), i, box_of(range, shape.size()).release().ptr());
    }
    return list;
}

} // namespace

std::optional<std::int64_t> label_on_gpu(Worker& worker, const py::object& source_object, const std::string& type,
                                         const Shape& shape, const py::object& structure,
                                         const py::object& labels_object, const std::string& method) {
    const Bytes source(source_object, PyBUF_SIMPLE);
    const Bytes labels(labels_object, PyBUF_WRITABLE);
    const LabelJob job{{number_of(type), shape}, values_of<std::uint8_t>(structure)};
    if (label_bytes(job, source, labels) != sizeof(std::int32_t)) {
        return {};
    }
    std::optional<std::int64_t> count;
    run_on_gpu(worker, method, true, [&](Context& gpu) {
        if (fits(gpu, job)) {
            count = run_label(gpu, job, source.bytes(), labels.values<std::int32_t>());
        }
        return count.has_value();
    });
    return count;
}

void add_labels(py::module_& module) {
    module.def("label", &label);
    module.def("boxes", &boxes);
}

} // namespace glproc::python
