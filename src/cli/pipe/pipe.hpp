// `glproc pipe`: operations one after another, typed or in a recipe.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/op/op.hpp"

#include <memory>
#include <string>
#include <vector>

namespace glproc::cli {

inline constexpr const char* pipe_command = "pipe";
inline constexpr const char* pipe_separator = "then"; ///< between operations
inline constexpr const char* recipe_flag = "recipe";

/// The description of the command; it is no operation of the registry.
const OpInfo& pipe_info();

/// The words of a call, and those of the operations of a pipe.
struct PipeWords {
    std::vector<std::string> rest;
    std::vector<PipeStep> steps;
};

/// Takes the operations out of a call of `pipe`; other calls stay as they are. They begin with the first word
/// after IN and OUT that names one. Flags that are no operation's own are the pipe's, wherever they stand.
/// Throws Error(usage).
PipeWords split_pipe(const std::vector<std::string>& words);

/// The operations as one. Throws Error: usage for what they do not take, and input for a recipe that cannot
/// be read.
std::unique_ptr<Operation> configure_pipe(const Arguments& arguments);

} // namespace glproc::cli
