#include "jobs.hpp"

#include "glproc/arrays/distances/distances.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

/// What lies at an object, or nothing of None.
class Room {
  public:
    explicit Room(const py::object& object) {
        if (!object.is_none()) {
            bytes_.emplace(object, PyBUF_WRITABLE);
        }
    }

    template <class T>
    std::span<T> values() const {
        return bytes_ ? bytes_->values<T>() : std::span<T>();
    }

  private:
    std::optional<Bytes> bytes_;
};

void require(bool is_right) {
    if (!is_right) {
        throw py::value_error("distances that do not go with the array");
    }
}

/// Throws where the values are not bytes, or the axes too long.
DistanceJob job_of(const Bytes& is_value, std::vector<double> sampling) {
    const VolumeForm form = is_value.form();
    require(form.type == Number::u8 && sampling.size() == form.shape.size());
    require(std::ranges::all_of(
        form.shape, [](std::int64_t length) { return length > 0 && length < std::int64_t{1} << 29; }));
    return {form.shape, std::move(sampling), is_value.values<const std::uint8_t>()};
}

/// Distances alone.
void distances(Session& session, const py::object& is_value, const std::vector<double>& sampling,
               const py::object& distances, const std::string& method) {
    const Bytes values(is_value, reads_array);
    const Bytes lengths(distances, writes_array);
    const DistanceJob job = job_of(values, sampling);
    require(lengths.values<double>().size() == job.is_value.size());
    run(session, EuclideanJob{values.form(), sampling}, values, lengths, method);
}

/// The indices of the nearest zeros, and the distances unless they are None.
void euclidean(const py::object& is_value, const std::vector<double>& sampling, const py::object& features,
               const py::object& distances) {
    const Bytes values(is_value, reads_array);
    const DistanceJob job = job_of(values, sampling);
    const Room nearest(features);
    const Room lengths(distances);
    const std::size_t count = job.is_value.size();
    require(nearest.values<std::int32_t>().size() == job.shape.size() * count);
    require(lengths.values<double>().empty() || lengths.values<double>().size() == count);
    const py::gil_scoped_release free;
    euclidean_on_cpu(job, nearest.values<std::int32_t>(), lengths.values<double>(), true, signals());
}

void chamfer(const py::object& is_value, const py::object& steps, const py::object& distances,
             const py::object& features) {
    const Bytes values(is_value, reads_array);
    const std::size_t axes = values.form().shape.size();
    const DistanceJob job = job_of(values, std::vector<double>(axes, 1.0));
    const Bytes ways(steps, PyBUF_SIMPLE);
    const Room lengths(distances);
    const Room nearest(features);
    std::size_t places = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        places *= 3;
    }
    require(ways.bytes().size() == places / 2 &&
            lengths.values<std::int32_t>().size() == job.is_value.size());
    require(features.is_none() || nearest.values<std::int32_t>().size() == job.is_value.size());
    const py::gil_scoped_release free;
    chamfer_on_cpu(job, ways.values<const std::uint8_t>(), lengths.values<std::int32_t>(),
                   nearest.values<std::int32_t>());
}

Metric metric_of(const std::string& name) {
    if (name == "euclidean") {
        return Metric::euclidean;
    }
    return name == "taxicab" ? Metric::taxicab : Metric::chessboard;
}

void brute_force(const py::object& is_value, const std::string& metric, const std::vector<double>& sampling,
                 const py::object& borders, const py::object& distances, const py::object& features) {
    const Bytes values(is_value, reads_array);
    const DistanceJob job = job_of(values, sampling);
    const std::vector<std::int64_t> places = values_of<std::int64_t>(borders); // nobody changes these once they are checked
    const Room lengths(distances);
    const Room nearest(features);
    const std::size_t count = job.is_value.size();
    const std::size_t size = count * (metric == "euclidean" ? sizeof(double) : sizeof(std::uint32_t));
    require(distances.is_none() || lengths.values<std::byte>().size() == size);
    require(features.is_none() || nearest.values<std::int32_t>().size() == count);
    for (const std::int64_t place : places) {
        require(place >= 0 && static_cast<std::size_t>(place) < count);
    }
    const py::gil_scoped_release free;
    brute_force_on_cpu(job, metric_of(metric), places, lengths.values<std::byte>(), nearest.values<std::int32_t>(), signals());
}

void indices(const py::object& places, const std::vector<std::int64_t>& shape, const py::object& indices) {
    const Bytes from(places, PyBUF_SIMPLE);
    const Bytes to(indices, PyBUF_WRITABLE);
    const std::size_t count = from.values<std::int32_t>().size();
    require(!shape.empty() && to.values<std::int32_t>().size() == count * shape.size());
    require(std::all_of(shape.begin(), shape.end(), [](std::int64_t length) { return length > 0; }));
    const py::gil_scoped_release free;
    indices_on_cpu(shape, from.values<const std::int32_t>(), to.values<std::int32_t>());
}

} // namespace

void add_distances(py::module_& module, SessionClass& session) {
    session.def("distances", &distances);
    module.def("euclidean", &euclidean);
    module.def("chamfer", &chamfer);
    module.def("brute_force", &brute_force);
    module.def("indices", &indices);
}

} // namespace glproc::python
