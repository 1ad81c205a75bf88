// Filters of arrays with any number of axes, along their lines. Memory comes by Python's buffer protocol
// alone, so it does not matter which NumPy there is.
#pragma once

#include "glproc/arrays/footprints/footprints.hpp"
#include "glproc/arrays/lines/lines.hpp"

#include "worker.hpp"

#include <string>
#include <tuple>
#include <vector>

#include <pybind11/pybind11.h>

namespace glproc::python {

/// What to do ("sum", "minimum", "maximum", "mean"), axis, border, constant, origin, size, weights as bytes
/// of doubles.
using PassOfPython =
    std::tuple<std::string, int, std::string, double, std::int64_t, std::int64_t, pybind11::object>;

struct LinesOfPython {
    pybind11::object source; ///< contiguous, in native byte order
    std::string type;        ///< "u1" to "f8", as NumPy names it
    std::vector<std::int64_t> shape;
    pybind11::object result; ///< contiguous, can be written, and shares no memory with the source
    std::string result_type;
    std::vector<PassOfPython> passes;
};

struct FootprintOfPython {
    pybind11::object source; ///< these as above
    std::string type;
    std::vector<std::int64_t> shape;
    pybind11::object result;
    std::string result_type;
    std::string what; ///< "sum", "minimum", "maximum", "rank"; "all" and "any" of sets
    std::string border;
    double constant = 0;
    pybind11::object offsets; ///< bytes of 64-bit integers
    pybind11::object weights; ///< bytes of doubles
    std::size_t rank = 0;
};

/// How: "auto" takes whichever should be faster; "gpu" and "cpu" give the same bits. "gpu" does by the CPU what the GPU has no program for.
void run_footprint(Worker& worker, const FootprintOfPython& footprint, const std::string& method);

/// The same; "gpu" refuses what it cannot do.
void run_lines(Worker& worker, const LinesOfPython& lines, const std::string& method);

} // namespace glproc::python
