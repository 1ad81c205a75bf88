// `glproc pipe`: operations one after another, typed or in a recipe.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/op.hpp"

#include <memory>
#include <string>
#include <vector>

namespace glproc::cli {

inline constexpr const char* pipe_command = "pipe";
inline constexpr const char* pipe_separator = "then"; ///< between operations
inline constexpr const char* recipe_flag = "recipe";
inline constexpr const char* one_frame_flag = "frame"; ///< of a video: one picture

/// An operation that leaves pictures as they are unless it is told otherwise.
inline constexpr const char* step_without_effect = "convert";

/// The description of the command; it is no operation of the registry.
const OpInfo& pipe_info();

/// The words of a call, and those of the operations of a pipe.
struct PipeWords {
    std::vector<std::string> rest;
    std::vector<PipeStep> steps;
};

/// Where the command stands in a call; its length where it has none.
std::size_t find_command_word(const std::vector<std::string>& words);

/// Takes the operations out of a call of a command that takes steps; other calls stay as they are. They begin
/// with the first word after the files that names one. Flags that are no operation's own are the command's,
/// wherever they stand. Throws Error(usage).
PipeWords split_pipe(const std::vector<std::string>& words);

/// The operations of such a call or of its recipe; none where it names none. Throws Error as configure_pipe().
std::vector<PipeStep> steps_of(const Arguments& arguments);

/// The same for a call that needs operations. Throws Error(usage) where it has none, and does not mean that.
std::vector<PipeStep> steps_to_run(const Arguments& arguments);

/// One of them, of a call of the command `chain`.
std::unique_ptr<Operation> configure_step(const Command& chain, const PipeStep& step);

/// The error of the step at this place, whose hint shows that step alone, with the other ones around it.
Error with_other_steps(const Error& error, const Command& chain, const std::vector<PipeStep>& steps,
                       std::size_t at);

/// The operations as one. Throws Error: usage for what they do not take, and input for a recipe that cannot
/// be read.
std::unique_ptr<Operation> configure_pipe(const Arguments& arguments);

} // namespace glproc::cli
