// Functions of ndimage that need no context: connected parts, distances and spectra of arrays with any number
// of axes. Two of them have kernels, too.
#pragma once

#include "worker.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

namespace glproc::python {

/// What label() of the module does, with labels of 32 bits, if the GPU does it by this method: see run_on_gpu().
std::optional<std::int64_t> label_on_gpu(Worker& worker, const pybind11::object& source, const std::string& type,
                                         const std::vector<std::int64_t>& shape, const pybind11::object& structure,
                                         const pybind11::object& labels, const std::string& method);

/// The distances of euclidean() of the module for neighbours 1 apart, likewise.
bool euclidean_on_gpu(Worker& worker, const pybind11::object& is_value, const std::vector<std::int64_t>& shape,
                      const pybind11::object& distances, const std::string& method);

void add_labels(pybind11::module_& module);
void add_distances(pybind11::module_& module);
void add_fourier(pybind11::module_& module);
void add_measures(pybind11::module_& module);

} // namespace glproc::python
