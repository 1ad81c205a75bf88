#include "jobs.hpp"

#include "glproc/arrays/measures/measures.hpp"

#include <algorithm>

namespace glproc::python {

namespace py = pybind11;

namespace {

/// Values and their groups, for as long as this lives.
class Grouped {
  public:
    Grouped(const py::object& values, const py::object& groups, std::size_t count)
        : values_(values, reads_array),
          groups_(groups, PyBUF_SIMPLE), job_{values_.form().type, values_.bytes(),
                                              checked(groups_.values<const std::int32_t>(), count)} {
        if (job_.values.size() != job_.groups.size() * bytes_of(job_.type)) {
            throw py::value_error("groups that do not go with the array");
        }
    }

    const MeasureJob& job() const { return job_; }

    static Groups checked(std::span<const std::int32_t> groups, std::size_t count) {
        std::uint32_t most = 0; // a negative one is larger than all
        for (const std::int32_t group : groups) {
            most = std::max(most, static_cast<std::uint32_t>(group));
        }
        if (count < 1 || most >= count || count >= std::size_t{1} << 31) {
            throw py::value_error("groups that are not there");
        }
        return {groups, count};
    }

  private:
    Bytes values_;
    Bytes groups_;
    MeasureJob job_;
};

void sums(const py::object& values, const py::object& groups, const py::object& counts,
          const py::object& sums) {
    const Bytes many(counts, PyBUF_WRITABLE);
    const Bytes added(sums, PyBUF_WRITABLE);
    const std::span<std::int64_t> numbers = many.values<std::int64_t>();
    const Grouped grouped(values, groups, std::min(numbers.size(), added.values<double>().size()));
    const py::gil_scoped_release free;
    count_and_sum(grouped.job(), numbers, added.values<double>());
}

void squares(const py::object& values, const py::object& groups, const py::object& means,
             const py::object& sums) {
    const Bytes middle(means, PyBUF_SIMPLE);
    const Bytes added(sums, PyBUF_WRITABLE);
    const std::span<const double> from = middle.values<const double>();
    const Grouped grouped(values, groups, std::min(from.size(), added.values<double>().size()));
    const py::gil_scoped_release free;
    sum_squares(grouped.job(), from, added.values<double>());
}

void by_index(const py::object& values, const py::object& groups, std::int64_t step, std::int64_t length,
              const py::object& sums) {
    const Bytes added(sums, PyBUF_WRITABLE);
    const Grouped grouped(values, groups, added.values<double>().size());
    const py::gil_scoped_release free;
    sum_by_index(grouped.job(), step, length, added.values<double>());
}

void extremes(const py::object& values, const py::object& groups, const py::object& least,
              const py::object& largest, const py::object& least_at, const py::object& largest_at,
              const py::object& flags) {
    const Bytes rooms[] = {{least, PyBUF_WRITABLE},
                           {largest, PyBUF_WRITABLE},
                           {least_at, PyBUF_WRITABLE},
                           {largest_at, PyBUF_WRITABLE},
                           {flags, PyBUF_WRITABLE}};
    const Extremes made{rooms[0].bytes(), rooms[1].bytes(), rooms[2].values<std::int64_t>(),
                        rooms[3].values<std::int64_t>(), rooms[4].values<std::uint8_t>()};
    const std::size_t size = bytes_of(Bytes(values, reads_array).form().type);
    const Grouped grouped(values, groups,
                          std::min({made.least.size() / size, made.largest.size() / size,
                                    made.least_at.size(), made.largest_at.size(), made.flags.size()}));
    const py::gil_scoped_release free;
    find_extremes(grouped.job(), made);
}

void middles(const py::object& values, const py::object& groups, const py::object& below,
             const py::object& above) {
    const Bytes lower(below, PyBUF_WRITABLE);
    const Bytes upper(above, PyBUF_WRITABLE);
    const std::size_t count = std::min(lower.bytes().size(), upper.bytes().size()) /
                              bytes_of(Bytes(values, reads_array).form().type);
    const Grouped grouped(values, groups, count);
    const py::gil_scoped_release free;
    find_middles(grouped.job(), lower.bytes(), upper.bytes());
}

void places(const py::object& groups_object, const py::object& starts, const py::object& places) {
    const Bytes groups(groups_object, PyBUF_SIMPLE);
    const Bytes from(starts, PyBUF_WRITABLE);
    const Bytes to(places, PyBUF_WRITABLE);
    const std::span<std::int64_t> first = from.values<std::int64_t>();
    const Groups of_values =
        Grouped::checked(groups.values<const std::int32_t>(), first.empty() ? 0 : first.size() - 1);
    if (to.values<std::int64_t>().size() != of_values.size()) {
        throw py::value_error("places that do not go with the groups");
    }
    const py::gil_scoped_release free;
    group_places(of_values, first, to.values<std::int64_t>());
}

} // namespace

void add_measures(py::module_& module) {
    module.def("sums", &sums);
    module.def("squares", &squares);
    module.def("by_index", &by_index);
    module.def("extremes", &extremes);
    module.def("middles", &middles);
    module.def("places", &places);
}

} // namespace glproc::python
