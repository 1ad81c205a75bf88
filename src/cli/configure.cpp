#include "cli/configure.hpp"

#include "cli/files/volume_flags.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/words/own_files.hpp"
#include "glproc/base/error.hpp"
#include "glproc/ops/operations_over_stack.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Whether the flag of this name is the field's: `bench` has flags of its own.
bool is_offered(const Command& command, const FieldInfo& field) {
    return field.is_place || std::any_of(command.flags.begin(), command.flags.end(), [&](const Flag& flag) {
               return flag.info.name == field.name && flag.info.value == field.value;
           });
}

} // namespace

std::unique_ptr<Operation> configure(const Arguments& arguments) {
    const Command& command = *arguments.command;
    const OpInfo& op = arguments.op();
    if (&op == &pipe_info()) {
        return configure_pipe(arguments);
    }
    std::unique_ptr<Operation> operation = op.make();
    for (const FieldInfo& field : op.fields) {
        // What is measured are all values of this one.
        const bool is_ours = command.measures && field.name == op.bench.field;
        const std::string flag = arguments.flag_of(field);
        if (arguments.has(flag) && !is_ours && is_offered(command, field)) {
            operation->set(field.name, value_in_image(arguments, field, arguments.value(flag)));
        }
    }
    for (const FieldInfo& field : op.fields) {
        const std::string flag = arguments.flag_of(field);
        const bool has_other = std::any_of(op.fields.begin(), op.fields.end(), [&](const FieldInfo& other) {
            return other.contradicts == field.name && arguments.has(arguments.flag_of(other));
        });
        const bool is_made_up =
            command.measures && field.reads_picture; // by an operation that can be measured
        if (field.required && !is_made_up && !arguments.has(flag) && !has_other) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} needs {}{}", command.name, flag == field.name ? "--" : "", flag),
                        example_with_files(arguments));
        }
        if (is_offered(command, field) && arguments.has(field.name) && !field.needs.empty() &&
            !arguments.has(field.needs)) {
            throw Error(ErrorCode::usage,
                        fmt::format("--{} has no effect without --{}", field.name, field.needs));
        }
    }
    return operation;
}

void refuse_stack(const OpInfo& op, const Operation& operation, const std::string& where) {
    if (over_stack_of(op, operation) != nullptr) {
        throw Error(ErrorCode::usage, fmt::format("--stack reads its file twice, which {} cannot do", where),
                    fmt::format("glproc {} in.tif out.tif --rule otsu --stack", op.name));
    }
}

} // namespace glproc::cli
