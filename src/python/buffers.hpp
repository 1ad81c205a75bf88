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

/// What to ask of arrays: values one after another in native byte order, and their type.
inline constexpr int reads_array = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT;
inline constexpr int writes_array = reads_array | PyBUF_WRITABLE;
inline constexpr int reads_strided_array = PyBUF_RECORDS_RO;

/// The memory of an object that has some, for as long as this lives.
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

    /// From the first value on; where there are gaps only steps() tell where the others are.
    std::span<std::byte> bytes() const {
        return {static_cast<std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
    }

    template <class T>
    std::span<T> values() const {
        return {static_cast<T*>(view_.buf), static_cast<std::size_t>(view_.len) / sizeof(T)};
    }

    /// Of an array; a single value is one of a single axis. Throws where its values are of none of the types.
    VolumeForm form() const;
    /// From one value to the next along each axis, in values; nothing where there are no gaps. Throws unless
    /// that can be said.
    std::vector<std::int64_t> steps() const;

  private:
    Py_buffer view_{};
};

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

/// Runs it on the GPU, or does nothing. "auto": if it is worth it, and there is a GPU whose driver is right;
/// "gpu": in any case, and errors are thrown.
void run_on_gpu(Worker& worker, const std::string& method, bool is_worth_it,
                const std::function<void(Context& gpu)>& run);

/// For work without the GIL on any thread: called on the thread that made it, it throws what a handler of a signal
/// raised.
std::function<void()> signals();

} // namespace glproc::python
