#include "cli/files/input.hpp"

#include "cli/amount.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/npy.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

std::string shape_text(const std::vector<std::size_t>& shape) {
    return shape.empty()
               ? "a single number"
               : fmt::format("an array of {}, {}", counted(shape.size(), "dimension"), fmt::join(shape, "x"));
}

} // namespace

namespace {

/// The whole number that a flag has.
std::uint64_t count_of(const Arguments& arguments, const std::string& flag, const Limit& limit) {
    return parse_amount({flag, Counted::things, 1, limit}, arguments.value(flag));
}

} // namespace

std::int64_t max_frames(const Arguments& arguments, std::int64_t otherwise) {
    return allowed_frames(read_budget(arguments),
                          arguments.has("max-frames")
                              ? static_cast<std::int64_t>(count_of(arguments, "max-frames", max_frames_limit))
                              : otherwise);
}

void check_count(std::int64_t images, const Arguments& arguments, const std::string& name) {
    if (const std::int64_t most = max_frames(arguments); images > most) {
        throw Error(ErrorCode::input, fmt::format("{}: {} images are more than the limit of {}", name, images, most),
                    "--max-frames allows more");
    }
}

Budget read_budget(const Arguments& arguments) {
    BudgetTold told{.untrusted = arguments.has("untrusted")};
    if (arguments.has("max-seconds")) {
        told.seconds = parse_number({"max-seconds", "s", max_seconds_limit}, arguments.value("max-seconds"));
    }
    if (arguments.has("max-memory")) {
        told.memory = parse_amount({"max-memory", Counted::bytes, mebibyte, max_memory_limit, "MiB"}, arguments.value("max-memory"));
    }
    return budget_for(told);
}

Reading read_reading(const Arguments& arguments, Notes* notes) {
    return {decode_options(arguments, notes), read_budget(arguments)};
}

DecodeOptions decode_options(const Arguments& arguments, Notes* notes) {
    DecodeOptions options{.notes = notes};
    options.alone = !arguments.places.empty() && arguments.places.front() == "-";
    options.keep_partial = arguments.has("keep-partial");
    if (arguments.has("max-pixels")) {
        options.max_pixels = count_of(arguments, "max-pixels", max_pixels_limit);
    }
    options.max_pixels = allowed_pixels(read_budget(arguments), options.max_pixels);
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
                ErrorCode::usage, fmt::format("{}: not a .npy file, and raw data need --dtype", name),
                fmt::format("name the type of its elements: --dtype {}", FieldText<ArrayType>::range({})));
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
