// NumPy arrays as pictures: H x W or H x W x C of uint8, uint16 or float32, with any strides.
//
// Arrays are known by Python's attributes alone, and NumPy itself makes new ones. pybind11's own arrays know
// where NumPy keeps what it says of a type; before 2.12 they find it in NumPy 1 only, and read sizes and
// strides of 0 in NumPy 2.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/image/array.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

namespace glproc::python {

/// An object with NumPy's description of its memory, `__array_interface__`.
class NumpyArray : public pybind11::object {
    static bool is_one(PyObject* object) {
        return PyObject_HasAttrString(object, "__array_interface__") != 0;
    }

  public:
    PYBIND11_OBJECT_DEFAULT(NumpyArray, pybind11::object, is_one)
};

/// What that says.
struct ArrayMemory {
    explicit ArrayMemory(const NumpyArray& array);

    std::byte* data = nullptr;
    bool is_read_only = false;
    char kind = 0; ///< as in numpy.dtype.kind
    std::size_t value_bytes = 0;
    bool is_native = true; ///< in byte order
    std::vector<pybind11::ssize_t> shape;
    std::vector<pybind11::ssize_t> strides; ///< bytes
};

/// A new array of a type by its name, with undefined values.
NumpyArray new_array(const std::vector<pybind11::ssize_t>& shape, const char* type);

/// Pixels of an array, which must live as long.
struct Pixels {
    std::byte* data = nullptr;
    Form form;
    pybind11::ssize_t row = 0; ///< bytes from one to the next
    pybind11::ssize_t column = 0;
    pybind11::ssize_t channel = 0;
    bool flat = true; ///< a single channel made of it has no dimension of its own
};

/// Throws pybind11::type_error for types and pybind11::value_error for shapes that are no picture's; `what`
/// begins the text.
Pixels pixels_of(const NumpyArray& array, const std::string& what);

/// An array for a picture of this form. A single channel has no dimension of its own unless `flat` is false.
NumpyArray make_array(const Form& form, bool flat);

/// The pixels of `out` if it is an array of this form that can be written. Throws pybind11::type_error and
/// pybind11::value_error otherwise.
Pixels check_out(const NumpyArray& out, const Form& form);

/// False only where writing one array cannot change the other.
bool may_overlap(const Pixels& a, const Pixels& b);

/// A picture whose rows lie in an array.
RowSource rows_of(const Pixels& pixels);
Image image_of(const Pixels& pixels);

/// Puts rows into an array.
class RowsToPixels final : public RowWriter {
  public:
    explicit RowsToPixels(const Pixels& pixels) : pixels_(pixels) {}

    void write(std::span<const std::byte> rows) override;
    void finish() override {}

  private:
    Pixels pixels_;
    int next_ = 0;
};

/// An array of one dimension, uint32, int32 or float32. Throws pybind11::type_error.
Array vector_of(const NumpyArray& array, const std::string& what);
NumpyArray array_of(const Array& array);

} // namespace glproc::python
