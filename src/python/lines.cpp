#include "jobs.hpp"

#include "glproc/arrays/footprints/footprints.hpp"
#include "glproc/arrays/lines/lines.hpp"

#include <array>
#include <new>
#include <vector>

#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

std::string text_of(const py::dict& given, const char* name) {
    return given[name].cast<std::string>();
}

BorderMode border_of(const py::dict& given) {
    return choice_of<BorderMode>(text_of(given, "border"),
                                 std::array{"nearest", "mirror", "reflect", "wrap", "constant"});
}

LinePass pass_of(const py::dict& given) {
    LinePass pass{.what = choice_of<LinePass::Do>(text_of(given, "what"),
                                                  std::array{"sum", "minimum", "maximum", "mean"}),
                  .axis = given["axis"].cast<int>(),
                  .border = border_of(given),
                  .constant = given["constant"].cast<double>(),
                  .origin = given["origin"].cast<std::int64_t>(),
                  .size = given["size"].cast<std::int64_t>(),
                  .weights = {}};
    if (pass.what == LinePass::Do::sum) {
        pass.weights = values_of<double>(given["weights"]);
        pass.size = static_cast<std::int64_t>(pass.weights.size());
    }
    return pass;
}

/// Whether a kernel would stay in the array.
bool fits_array(const LinePass& pass, std::size_t axes) {
    constexpr std::int64_t most = std::int64_t{1}
                                  << 40; // values beyond the end of a line, which lie in memory
    if (pass.size > most) {
        throw std::bad_alloc();
    }
    const std::int64_t before = pass.size / 2 + pass.origin;
    return pass.axis >= 0 && static_cast<std::size_t>(pass.axis) < axes && pass.size >= 1 && before >= 0 &&
           before < pass.size;
}

void lines(Session& session, const py::object& source, const py::object& result,
           const std::vector<py::dict>& passes, const std::string& method) {
    const Bytes from(source, reads_array);
    const Bytes to(result, writes_array);
    LineJob job{from.form(), to.form().type, {}};
    bool is_right = job.source.count() > 0 && !passes.empty() && to.form().shape == job.source.shape;
    for (const py::dict& given : passes) {
        job.passes.push_back(pass_of(given));
        is_right = fits_array(job.passes.back(), job.source.shape.size()) && is_right;
    }
    if (!is_right) {
        throw py::value_error("lines that do not go with the array");
    }
    run(session, job, from, to, method);
}

void footprint(Session& session, const py::object& source, const py::object& result, const py::dict& given,
               const std::string& method) {
    const std::string asked = text_of(given, "what");
    const bool is_set = asked == "all" || asked == "any"; // of values that are 0 or 1
    const std::string what = asked == "all" ? "minimum" : asked == "any" ? "maximum" : asked;
    const Bytes from(source, reads_array);
    const Bytes to(result, writes_array);
    const FootprintJob job{
        .source = from.form(),
        .result = to.form().type,
        .what = choice_of<FootprintJob::Do>(what, std::array{"sum", "minimum", "maximum", "rank"}),
        .border = border_of(given),
        .constant = given["constant"].cast<double>(),
        .offsets = values_of<std::int64_t>(given["offsets"]),
        .weights = values_of<double>(given["weights"]),
        .rank = given["rank"].cast<std::size_t>(),
        .is_set = is_set};
    const bool is_sum = job.what == FootprintJob::Do::sum; // one of nothing is 0
    const bool are_bytes =
        job.source.type == Number::u8 && job.result == Number::u8 && job.border == BorderMode::constant;
    if (job.source.count() == 0 || to.form().shape != job.source.shape ||
        job.offsets.size() != job.neighbours() * job.source.shape.size() ||
        (is_sum ? job.weights.size() != job.neighbours() : job.rank >= job.neighbours()) ||
        (is_set && !are_bytes)) {
        throw py::value_error("a footprint that does not go with the array");
    }
    run(session, job, from, to, method);
}

} // namespace

void add_lines(SessionClass& session) {
    session.def("lines", &lines).def("footprint", &footprint);
}

} // namespace glproc::python
