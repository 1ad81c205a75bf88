#include "cli/configure.hpp"

#include "glproc/error.hpp"

#include <fmt/format.h>

namespace glproc::cli {

std::unique_ptr<Operation> configure(const Arguments& arguments) {
    const Command& command = *arguments.command;
    const OpInfo& op = *command.op;
    std::unique_ptr<Operation> operation = op.make();
    for (const FieldInfo& field : op.fields) {
        // What is measured are all values of this one.
        const bool is_ours = command.measures && field.name == op.bench.field;
        if (arguments.has(field.name) && !is_ours) {
            operation->set(field.name, arguments.value(field.name));
        }
    }
    for (const FieldInfo& field : op.fields) {
        if (field.required && !arguments.has(field.name)) {
            throw Error(ErrorCode::usage, fmt::format("{} needs --{}", command.name, field.name),
                        command.example_call());
        }
        if (arguments.has(field.name) && !field.needs.empty() && !arguments.has(field.needs)) {
            throw Error(ErrorCode::usage,
                        fmt::format("--{} has no effect without --{}", field.name, field.needs));
        }
    }
    return operation;
}

OpInput op_input(const std::string& name, const Source& source, const Uploaded& uploaded) {
    if (const auto* pixels = std::get_if<Image>(&source)) {
        return ImageInput{.name = name, .pixels = *pixels, .image = std::get<GpuImage>(uploaded)};
    }
    return ArrayInput{.array = std::get<GpuArray>(uploaded)};
}

} // namespace glproc::cli
