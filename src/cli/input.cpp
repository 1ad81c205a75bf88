#include "cli/input.hpp"

#include "cli/terminal.hpp"
#include "glproc/error.hpp"
#include "glproc/image/file.hpp"

#include <algorithm>
#include <cmath>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

std::string shape_text(const std::vector<std::size_t>& shape) {
    return shape.empty() ? "a single number"
                         : fmt::format("an array of {} dimensions, {}", shape.size(), fmt::join(shape, "x"));
}

} // namespace

std::string input_name(const std::string& path) {
    return path == "-" ? "stdin" : path;
}

std::vector<std::byte> read_input(const std::string& path, std::string_view what) {
    if (path != "-") {
        return read_file(path);
    }
    if (is_terminal(STDIN_FILENO)) {
        throw Error(ErrorCode::usage, fmt::format("stdin is a terminal: it has no {}", what),
                    "name a file, or redirect stdin");
    }
    return read_descriptor(STDIN_FILENO, input_name(path));
}

std::vector<std::byte> peek_input(const std::string& path) {
    constexpr std::size_t enough = 4096;
    std::vector<std::byte> bytes(enough);
    const bool is_stdin = path == "-";
    const int descriptor = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const off_t begin = is_stdin ? ::lseek(descriptor, 0, SEEK_CUR) : 0;
    const ssize_t got = begin < 0 ? 0 : ::pread(descriptor, bytes.data(), bytes.size(), begin);
    if (!is_stdin && descriptor >= 0) {
        ::close(descriptor);
    }
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

DecodeOptions decode_options(const Arguments& arguments, Notes* notes) {
    DecodeOptions options{.notes = notes};
    if (arguments.has("max-pixels")) {
        const std::string& text = arguments.value("max-pixels");
        const double number = parse_number({"max-pixels", "", max_pixels_limit}, text);
        if (number != std::floor(number)) {
            throw Error(ErrorCode::usage, fmt::format("--max-pixels {} is not a whole number", text));
        }
        options.max_pixels = static_cast<std::uint64_t>(number);
    }
    return options;
}

bool names_npy(std::string_view path) {
    return path.ends_with(".npy") || path.ends_with(".NPY");
}

ArrayReader::ArrayReader(const Arguments& arguments) : command_(arguments.command->name) {
    if (arguments.has("dtype")) {
        dtype_ = FieldText<ArrayType>::parse({"dtype", "", {}}, arguments.value("dtype"));
    }
}

Array ArrayReader::read_vector(const std::string& path, std::span<const std::byte> bytes) const {
    Array array = parse(path, bytes);
    const std::vector<std::size_t>& shape = array.shape;
    if (shape.size() != 1) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: holds {}; {} takes one dimension", input_name(path), shape_text(shape),
                                command_),
                    "flatten it with NumPy: a.ravel()");
    }
    return array;
}

Array ArrayReader::parse(const std::string& path, std::span<const std::byte> bytes) const {
    const std::string name = input_name(path);
    if (!is_npy(bytes) && !names_npy(path)) {
        if (!dtype_) {
            throw Error(
                ErrorCode::usage, fmt::format("{}: is no .npy file, and raw needs --dtype", name),
                fmt::format("say what its elements are: --dtype {}", FieldText<ArrayType>::range({})));
        }
        return parse_raw(bytes, *dtype_, name);
    }
    Array array = parse_npy(bytes, name);
    if (dtype_ && *dtype_ != array.type) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: holds {}, --dtype says {}", name, name_of(array.type), name_of(*dtype_)),
                    "leave out --dtype: a .npy file knows its type");
    }
    return array;
}

} // namespace glproc::cli
