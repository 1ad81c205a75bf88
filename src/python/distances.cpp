#include "labels.hpp"

#include "buffers.hpp"

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

DistanceJob job_of(const Bytes& is_value, const std::vector<std::int64_t>& shape,
                   std::vector<double> sampling) {
    DistanceJob job{shape, std::move(sampling), is_value.values<const std::uint8_t>()};
    std::size_t count = 1;
    for (const std::int64_t length : shape) {
        require(length > 0 && length < std::int64_t{1} << 29);
        count *= static_cast<std::size_t>(length);
    }
    require(!shape.empty() && job.sampling.size() == shape.size() && job.is_value.size() == count);
    return job;
}

void euclidean(const py::object& is_value, const std::vector<std::int64_t>& shape,
               const std::vector<double>& sampling, const py::object& features, const py::object& distances,
               bool keeps_features) {
    const Bytes values(is_value, PyBUF_SIMPLE);
    const DistanceJob job = job_of(values, shape, sampling);
    const Room nearest(features);
    const Room lengths(distances);
    const std::size_t count = job.is_value.size();
    // The last axis needs no room if only distances are wanted.
    const std::size_t axes = keeps_features || shape.size() == 1 ? shape.size() : shape.size() - 1;
    require(nearest.values<std::int32_t>().size() == axes * count);
    require((lengths.values<double>().empty() && keeps_features) || lengths.values<double>().size() == count);
    const py::gil_scoped_release free;
    euclidean_on_cpu(job, nearest.values<std::int32_t>(), lengths.values<double>(), keeps_features,
                     signals());
}

void chamfer(const py::object& is_value, const std::vector<std::int64_t>& shape, const py::object& steps,
             const py::object& distances, const py::object& features) {
    const Bytes values(is_value, PyBUF_SIMPLE);
    const DistanceJob job = job_of(values, shape, std::vector<double>(shape.size(), 1.0));
    const Bytes ways(steps, PyBUF_SIMPLE);
    const Room lengths(distances);
    const Room nearest(features);
    std::size_t places = 1;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
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

void brute_force(const py::object& is_value, const std::vector<std::int64_t>& shape,
                 const std::string& metric, const std::vector<double>& sampling, const py::object& borders,
                 const py::object& distances, const py::object& features) {
    const Bytes values(is_value, PyBUF_SIMPLE);
    const DistanceJob job = job_of(values, shape, sampling);
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

bool euclidean_on_gpu(Worker& worker, const py::object& is_value, const std::vector<std::int64_t>& shape,
                      const py::object& distances, const std::string& method) {
    const Bytes values(is_value, PyBUF_SIMPLE);
    const Bytes lengths(distances, PyBUF_WRITABLE);
    const DistanceJob job = job_of(values, shape, std::vector<double>(shape.size(), 1.0));
    require(lengths.values<double>().size() == job.is_value.size());
    return run_on_gpu(worker, method, true, [&](Context& gpu) {
        const bool is_done = fits(gpu, job);
        if (is_done) {
            run_euclidean(gpu, job, lengths.values<double>());
        }
        return is_done;
    });
}

void add_distances(py::module_& module) {
    module.def("euclidean", &euclidean);
    module.def("chamfer", &chamfer);
    module.def("brute_force", &brute_force);
    module.def("indices", &indices);
}

} // namespace glproc::python
