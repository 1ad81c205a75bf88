#include "cli/files/array_files.hpp"

#include "cli/files/replacing.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/field.hpp"

#include <filesystem>
#include <string>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Names of the fields that the call gave.
std::vector<std::string> named_fields(const Arguments& arguments) {
    std::vector<std::string> names;
    for (const FieldInfo& field : arguments.command->op->fields) {
        if (field.names_array && arguments.has(field.name)) {
            names.push_back(field.name);
        }
    }
    return names;
}

std::vector<std::string> files_read(const Arguments& arguments) {
    std::vector<std::string> files = arguments.inputs();
    for (const FieldInfo& field : arguments.command->op->fields) {
        if (field.reads_picture && arguments.has(field.name)) {
            files.push_back(arguments.value(field.name));
        }
    }
    return files;
}

void check_array(const Arguments& arguments, const std::string& field, const OutputPlace& place) {
    namespace fs = std::filesystem;
    place.refuse_inputs(field, files_read(arguments));
    if (fs::path(place.path()).lexically_normal() == fs::path(arguments.output()).lexically_normal()) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} is where the result goes", field, place.path()),
                    "give it another name");
    }
    check_place(place, arguments, "array");
}

} // namespace

ArrayFiles::ArrayFiles(const Arguments& arguments, Operation& operation) {
    if (operation.arrays().empty()) {
        return;
    }
    for (const std::string& field : named_fields(arguments)) {
        check_array(arguments, field, OutputPlace(arguments.value(field)));
    }
    const std::vector<ArrayFile*> arrays = operation.arrays();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        writers_.push_back(OutputPlace(arrays[i]->path).open());
        arrays[i]->to = writers_.back().get();
    }
}

void ArrayFiles::finish() {
    for (const auto& writer : writers_) {
        writer->finish();
    }
}

void refuse_array_files(const Arguments& arguments, std::string_view who, const std::string& hint) {
    for (const std::string& field : named_fields(arguments)) {
        throw Error(
            ErrorCode::usage, fmt::format("--{} writes an array, for which {} has no place", field, who),
            hint.empty() ? fmt::format("call glproc {} by itself", arguments.command->op->name) : hint);
    }
}

} // namespace glproc::cli
