// Splines over arrays with any number of axes, for the Python package. See lines.hpp.
#pragma once

#include "glproc/arrays/splines/splines.hpp"

#include "worker.hpp"

#include <string>
#include <vector>

#include <pybind11/pybind11.h>

namespace glproc::python {

struct SplineFilterOfPython {
    pybind11::object source; ///< contiguous, in native byte order
    std::string type;        ///< "u1" to "f8", as NumPy names it
    std::vector<std::int64_t> shape;
    pybind11::object result; ///< contiguous, can be written
    std::string result_type;
    std::vector<int> axes;
    int order = 3;
    std::string border;
};

struct SplineOfPython {
    pybind11::object source; ///< in native byte order; with gaps if it is not filtered
    std::string type;
    std::vector<std::int64_t> shape;
    pybind11::object result;
    std::string result_type;
    std::vector<std::int64_t> result_shape;
    bool filters = false;
    bool rounds = true;
    int order = 3;
    std::string border;
    double constant = 0;
    double padding = 0;
    std::string places;     ///< "along", "matrix" or "coordinates": what the doubles are
    pybind11::object values; ///< bytes of doubles, as SplineJob has them, one axis after another
};

void run_spline_filter(Worker& worker, const SplineFilterOfPython& filter);
/// How: "auto" takes whichever should be faster; "gpu" and "cpu" give the same bits. What the GPU has no program for goes to the CPU.
void run_spline(Worker& worker, const SplineOfPython& spline, const std::string& method);

} // namespace glproc::python
