#include "arrays.hpp"

#include "glproc/base/copy.hpp"
#include "glproc/base/parallel.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

std::string name_of(const NumpyArray& array) {
    return py::str(array.attr("dtype"));
}

const char* name_of(Depth depth) {
    return depth == Depth::u8 ? "uint8" : depth == Depth::u16 ? "uint16" : "float32";
}

std::optional<Depth> depth_of(const ArrayMemory& memory) {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const char kind = depth == Depth::f32 ? 'f' : 'u';
        if (memory.kind == kind && memory.value_bytes == glproc::bytes_of(depth) && memory.is_native) {
            return depth;
        }
    }
    return {};
}

/// What to do about a type that no picture has.
std::string hint_for(char kind) {
    switch (kind) {
    case 'b':
        return "a.astype(numpy.uint8) * 255 makes it black and white";
    case 'f':
        return "a.astype(numpy.float32) converts it";
    default:
        return "a.astype(numpy.uint8), uint16 or float32 converts it, whichever holds its values";
    }
}

std::vector<py::ssize_t> shape_of(const Form& form, bool flat) {
    std::vector<py::ssize_t> shape{form.height, form.width};
    if (!flat || form.channels > 1) {
        shape.push_back(form.channels);
    }
    return shape;
}

/// Of an array without gaps.
std::vector<py::ssize_t> strides_of(const std::vector<py::ssize_t>& shape, std::size_t value) {
    std::vector<py::ssize_t> strides(shape.size(), static_cast<py::ssize_t>(value));
    for (std::size_t i = shape.size(); i > 1; --i) {
        strides[i - 2] = strides[i - 1] * shape[i - 1];
    }
    return strides;
}

/// Whether values of a row follow each other without gaps.
bool is_tight(const Pixels& pixels) {
    const auto value = static_cast<py::ssize_t>(glproc::bytes_of(pixels.form.depth));
    return (pixels.form.channels == 1 || pixels.channel == value) &&
           (pixels.form.width == 1 || pixels.column == value * pixels.form.channels);
}

std::byte* row_of(const Pixels& pixels, int y) {
    return pixels.data + y * pixels.row;
}

/// A row whose values do not, for values of one size.
template <std::size_t value, class Copy>
void each_apart(const Pixels& pixels, std::byte* row, Copy copy) {
    constexpr std::integral_constant<std::size_t, value> bytes;
    std::size_t at = 0;
    for (int x = 0; x < pixels.form.width; ++x, row += pixels.column) {
        for (int c = 0; c < pixels.form.channels; ++c, at += value) {
            copy(row + c * pixels.channel, at, bytes);
        }
    }
}

/// Copies such a row between an array and tight memory: `copy` gets where values lie in each, and their
/// bytes.
template <class Copy>
void each_value(const Pixels& pixels, int y, Copy copy) {
    std::byte* row = row_of(pixels, y);
    switch (pixels.form.depth) {
    case Depth::u8:
        return each_apart<1>(pixels, row, copy);
    case Depth::u16:
        return each_apart<2>(pixels, row, copy);
    case Depth::f32:
        return each_apart<4>(pixels, row, copy);
    }
}

/// The addresses of the first byte of an array and of the one after its last.
std::pair<const std::byte*, const std::byte*> extent_of(const Pixels& pixels) {
    const std::byte* first = pixels.data;
    const std::byte* end = pixels.data + glproc::bytes_of(pixels.form.depth);
    for (const auto& [step, count] :
         {std::pair(pixels.row, pixels.form.height), std::pair(pixels.column, pixels.form.width),
          std::pair(pixels.channel, pixels.form.channels)}) {
        (step < 0 ? first : end) += step * (count - 1);
    }
    return {first, end};
}

class RowsOfPixels final : public RowReader {
  public:
    explicit RowsOfPixels(const Pixels& pixels) : pixels_(pixels) {}

    const Form& form() const override { return pixels_.form; }
    const Metadata& metadata() const override { return metadata_; }

    void read(std::span<std::byte> rows) override {
        const std::size_t bytes = pixels_.form.row_bytes();
        const int count = static_cast<int>(rows.size() / bytes);
        if (is_tight(pixels_)) {
            copy_rows(row_of(pixels_, next_), pixels_.row, rows.data(), static_cast<std::ptrdiff_t>(bytes),
                      bytes, count);
        } else {
            parallel_for(static_cast<std::size_t>(count), [&](std::size_t y) {
                each_value(
                    pixels_, next_ + static_cast<int>(y),
                    [&, to = rows.data() + y * bytes](const std::byte* from, std::size_t at, auto size) {
                        std::memcpy(to + at, from, size);
                    });
            });
        }
        next_ += count;
    }

  private:
    Pixels pixels_;
    Metadata metadata_;
    int next_ = 0;
};

} // namespace

ArrayMemory::ArrayMemory(const NumpyArray& array) {
    const auto facts = py::cast<py::dict>(array.attr("__array_interface__"));
    const auto place = py::cast<std::pair<std::uintptr_t, bool>>(facts["data"]);
    data = reinterpret_cast<std::byte*>(place.first); // NOLINT(performance-no-int-to-ptr): so NumPy gives it
    is_read_only = place.second;
    const auto type = py::cast<std::string>(facts["typestr"]); // "<f4"
    constexpr char other_order = std::endian::native == std::endian::little ? '>' : '<';
    is_native = type[0] != other_order;
    kind = type[1];
    value_bytes = py::cast<std::size_t>(array.attr("dtype").attr("itemsize"));
    shape = py::cast<std::vector<py::ssize_t>>(facts["shape"]);
    const py::object given = facts["strides"];
    strides = given.is_none() ? strides_of(shape, value_bytes) : py::cast<std::vector<py::ssize_t>>(given);
}

NumpyArray new_array(const std::vector<py::ssize_t>& shape, const char* type) {
    return py::module_::import("numpy").attr("empty")(py::tuple(py::cast(shape)), type);
}

Pixels pixels_of(const NumpyArray& array, const std::string& what) {
    const ArrayMemory memory(array);
    const std::optional<Depth> depth = depth_of(memory);
    if (!depth) {
        throw py::type_error(fmt::format("{} takes arrays of uint8, uint16 or float32; this one holds {}: {}",
                                         what, name_of(array), hint_for(memory.kind)));
    }
    const bool flat = memory.shape.size() == 2;
    const auto size_at = [&](std::size_t i) { return memory.shape[i]; };
    constexpr py::ssize_t most = 1 << 30;
    if ((!flat && memory.shape.size() != 3) || size_at(0) < 1 || size_at(1) < 1 || size_at(0) > most ||
        size_at(1) > most || (!flat && (size_at(2) < 1 || size_at(2) > 4))) {
        throw py::value_error(
            fmt::format("{} takes images, of shape (height, width) or (height, width, 1 to 4 channels); "
                        "this array has shape {}",
                        what, std::string(py::str(array.attr("shape")))));
    }
    Pixels pixels;
    pixels.data = memory.data;
    pixels.form = {static_cast<int>(size_at(1)), static_cast<int>(size_at(0)),
                   flat ? 1 : static_cast<int>(size_at(2)), *depth};
    pixels.row = memory.strides[0];
    pixels.column = memory.strides[1];
    pixels.channel = flat ? 0 : memory.strides[2];
    pixels.flat = flat || size_at(2) > 1;
    return pixels;
}

NumpyArray make_array(const Form& form, bool flat) {
    return new_array(shape_of(form, flat), name_of(form.depth));
}

Pixels check_out(const NumpyArray& out, const Form& form) {
    const Pixels pixels = pixels_of(out, "out");
    if (pixels.form != form) {
        throw py::value_error(fmt::format("out must be an array of shape {} and {}; it has shape {} and {}",
                                          std::string(py::str(py::tuple(py::cast(shape_of(form, true))))),
                                          name_of(form.depth), std::string(py::str(out.attr("shape"))),
                                          name_of(out)));
    }
    if (ArrayMemory(out).is_read_only) {
        throw py::value_error("out cannot be written: it is read-only");
    }
    return pixels;
}

bool may_overlap(const Pixels& a, const Pixels& b) {
    const auto [a_first, a_end] = extent_of(a);
    const auto [b_first, b_end] = extent_of(b);
    return std::less<>()(a_first, b_end) && std::less<>()(b_first, a_end);
}

RowSource rows_of(const Pixels& pixels) {
    return {.form = pixels.form, .metadata = {}, .open = [pixels] {
                return std::make_unique<RowsOfPixels>(pixels);
            }};
}

Image image_of(const Pixels& pixels) {
    Image image(pixels.form);
    RowsOfPixels(pixels).read(image.bytes());
    return image;
}

void RowsToPixels::write(std::span<const std::byte> rows) {
    const std::size_t bytes = pixels_.form.row_bytes();
    const int count = static_cast<int>(rows.size() / bytes);
    if (is_tight(pixels_)) {
        copy_rows(rows.data(), static_cast<std::ptrdiff_t>(bytes), row_of(pixels_, next_), pixels_.row, bytes,
                  count);
    } else {
        parallel_for(static_cast<std::size_t>(count), [&](std::size_t y) {
            each_value(pixels_, next_ + static_cast<int>(y),
                       [&, from = rows.data() + y * bytes](std::byte* to, std::size_t at, auto size) {
                           std::memcpy(to, from + at, size);
                       });
        });
    }
    next_ += count;
}

Array vector_of(const NumpyArray& array, const std::string& what) {
    const ArrayMemory memory(array);
    const bool is_float = memory.kind == 'f';
    if (memory.value_bytes != 4 || !memory.is_native ||
        (!is_float && memory.kind != 'u' && memory.kind != 'i') || memory.shape.size() != 1) {
        throw py::type_error(
            fmt::format("{} takes arrays of one dimension, of uint32, int32 or float32; this one has {} "
                        "dimensions of {}",
                        what, memory.shape.size(), name_of(array)));
    }
    const auto count = static_cast<std::size_t>(memory.shape[0]);
    Array result{is_float             ? ArrayType::f32
                 : memory.kind == 'u' ? ArrayType::u32
                                      : ArrayType::i32,
                 {count},
                 std::vector<std::byte>(count * 4)};
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(result.bytes.data() + 4 * i,
                    memory.data + static_cast<py::ssize_t>(i) * memory.strides[0], 4);
    }
    return result;
}

NumpyArray array_of(const Array& array) {
    const char* type = array.type == ArrayType::u32   ? "uint32"
                       : array.type == ArrayType::i32 ? "int32"
                                                      : "float32";
    NumpyArray result = new_array({array.shape.begin(), array.shape.end()}, type);
    std::memcpy(ArrayMemory(result).data, array.bytes.data(), array.bytes.size());
    return result;
}

} // namespace glproc::python
