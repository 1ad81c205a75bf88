#include "job/array_input.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/npy.hpp"
#include "job/input_file.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::job {

namespace {

std::string shape_text(const std::vector<std::size_t>& shape) {
    return shape.empty()
               ? "a single number"
               : fmt::format("an array of {}, {}", counted(shape.size(), "dimension"), fmt::join(shape, "x"));
}

} // namespace

bool names_npy(std::string_view path) {
    return path.ends_with(".npy") || path.ends_with(".NPY");
}

Array ArrayReader::read_vector(const std::string& path, std::span<const std::byte> bytes) const {
    Array array = parse(path, bytes);
    const std::vector<std::size_t>& shape = array.shape;
    if (shape.size() != 1) {
        throw Error(
            ErrorCode::input,
            fmt::format("{}: holds {}; {} takes one dimension", input_name(path), shape_text(shape), work_),
            "flatten it with NumPy: a.ravel()");
    }
    return array;
}

Array ArrayReader::parse(const std::string& path, std::span<const std::byte> bytes) const {
    const std::string name = input_name(path);
    if (!is_npy(bytes) && !names_npy(path)) {
        if (!told_) {
            throw Error(
                ErrorCode::usage, fmt::format("{}: not a .npy file, and raw data need --dtype", name),
                fmt::format("name the type of its elements: --dtype {}", FieldText<ArrayType>::range({})));
        }
        return parse_raw(bytes, *told_, name);
    }
    Array array = parse_npy(bytes, name);
    if (told_ && *told_ != array.type) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: holds {}, --dtype says {}", name, name_of(array.type), name_of(*told_)),
                    "leave out --dtype: a .npy file knows its type");
    }
    return array;
}

} // namespace glproc::job
