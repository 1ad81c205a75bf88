// What functions without a context share: memory of Python's objects by its buffer protocol, NumPy's names of
// types, and Ctrl-C.
#pragma once

#include "glproc/image/volume.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <thread>
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

/// A type by NumPy's name: "u1" to "f8".
inline Number number_of(const std::string& name) {
    constexpr std::array names = {"u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (name == names[i]) {
            return static_cast<Number>(i);
        }
    }
    throw pybind11::type_error(fmt::format("no arrays of {}", name));
}

template <class T>
std::vector<T> values_of(const pybind11::object& object) {
    const Bytes bytes(object, PyBUF_SIMPLE);
    std::vector<T> values(bytes.bytes().size() / sizeof(T));
    std::memcpy(values.data(), bytes.bytes().data(), values.size() * sizeof(T));
    return values;
}

/// For work without the GIL: called on the thread that made it, it throws what a handler of a signal raised.
inline std::function<void()> signals() {
    using Clock = std::chrono::steady_clock;
    constexpr auto pause = std::chrono::milliseconds(50); // the GIL may be another thread's
    return [pause, caller = std::this_thread::get_id(), next = Clock::now() + pause]() mutable {
        if (std::this_thread::get_id() != caller || Clock::now() < next) {
            return;
        }
        const pybind11::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) {
            throw pybind11::error_already_set();
        }
        next = Clock::now() + pause;
    };
}

} // namespace glproc::python
