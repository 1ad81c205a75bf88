// Functions of ndimage that need no context: connected parts, distances and spectra of arrays with any number
// of axes.
#pragma once

#include <pybind11/pybind11.h>

namespace glproc::python {

void add_labels(pybind11::module_& module);
void add_distances(pybind11::module_& module);
void add_fourier(pybind11::module_& module);
void add_measures(pybind11::module_& module);

} // namespace glproc::python
