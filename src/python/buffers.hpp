// What functions on arrays of any number of axes share: memory by Python's buffer protocol, names of types, and where to work.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/image/volume.hpp"

#include "worker.hpp"

#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>

namespace glproc::python {

/// The bytes of an object that has them, for as long as this lives.
class Bytes {
  public:
    Bytes(const pybind11::object& object, int flags) {
        if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) {
            throw pybind11::error_already_set();
        }
    }
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;
    ~Bytes() { PyBuffer_Release(&view_); }

    std::span<std::byte> bytes() const {
        return {static_cast<std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
    }

    template <class T>
    std::span<T> values() const {
        return {static_cast<T*>(view_.buf), static_cast<std::size_t>(view_.len) / sizeof(T)};
    }

  private:
    Py_buffer view_{};
};

/// The memory of an array with any strides, for as long as this lives.
class StridedBytes {
  public:
    explicit StridedBytes(const pybind11::object& object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_STRIDED_RO) != 0) {
            throw pybind11::error_already_set();
        }
    }
    StridedBytes(const StridedBytes&) = delete;
    StridedBytes& operator=(const StridedBytes&) = delete;
    ~StridedBytes() { PyBuffer_Release(&view_); }

    /// From the first value on; where there are gaps only steps() tell where the others are.
    std::span<const std::byte> bytes() const {
        return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
    }
    /// From one value to the next along each axis, in values; nothing where there are no gaps. Throws unless that can be said, and the
    /// array is of this form.
    std::vector<std::int64_t> steps(const VolumeForm& form) const;

  private:
    Py_buffer view_{};
};

/// By NumPy's name, "u1" to "f8".
Number number_of(const std::string& name);

template <class Enum, std::size_t N>
Enum choice_of(const std::string& name, const std::array<const char*, N>& names) {
    for (std::size_t i = 0; i < N; ++i) {
        if (name == names[i]) {
            return static_cast<Enum>(i);
        }
    }
    throw pybind11::value_error(fmt::format("unknown: '{}'", name));
}

template <class T>
std::vector<T> values_of(const pybind11::object& object) {
    const Bytes bytes(object, PyBUF_SIMPLE);
    std::vector<T> values(bytes.bytes().size() / sizeof(T));
    std::memcpy(values.data(), bytes.bytes().data(), values.size() * sizeof(T));
    return values;
}

/// Work for the processor on the thread of the calls, so that a signal ends it, if there can be one.
void on_cpu(Worker& worker, const std::function<void(const std::function<void()>& check)>& work);

/// Whether it tells of a kernel that the driver refuses, or computes wrongly, so that the processor should do its work.
bool is_of_kernels(const Error& error);

/// Runs it on the GPU, which may refuse by false. "auto": if it is worth it, and there is a GPU whose driver is right; "gpu": in any
/// case, and errors are thrown. Returns whether it is done.
bool run_on_gpu(Worker& worker, const std::string& method, bool is_worth_it, const std::function<bool(Context& gpu)>& run);

/// For work without the GIL on any thread: called on the thread that made it, it throws what a handler of a signal
/// raised.
std::function<void()> signals();

} // namespace glproc::python
