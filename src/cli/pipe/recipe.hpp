// The operations of a pipe in a file.
#pragma once

#include "cli/arguments.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace glproc::cli {

inline constexpr std::size_t max_pipe_steps = 256;

/// The operations among words that `then` separates. `origin` goes before messages. Throws Error(usage) where
/// one is missing.
std::vector<PipeStep> split_steps(const std::vector<std::string>& words, const std::string& origin);

/// One operation a line, in the words of the command line: quotes hold blanks together, and a word that
/// begins with # begins a comment. Throws Error: input for what cannot be read, and usage for a quote without
/// an end and for a recipe without operations.
std::vector<PipeStep> read_recipe(const std::string& path);

} // namespace glproc::cli
