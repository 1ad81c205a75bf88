// The two sides of a call of the decoder's process: what both know of it.
#pragma once

#include "glproc/files/codec.hpp"
#include "job/budget.hpp"
#include "job/confined/decoder_line.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace glproc::job {

inline constexpr int decoder_descriptor = 3; ///< the line, in the decoder's process

/// What the process answers with.
enum class Answers {
    image,  ///< once
    series, ///< all images of a file, the next one whenever one is asked for
    pages   ///< those that are asked for
};

struct DecoderCall {
    std::string name;
    Budget budget;
    DecodeOptions options;
    Answers answers = Answers::image;
};

/// argv of the process, with the program.
std::vector<std::string> words_of(const DecoderCall& call);

/// Throws Error(input) where the budget does not allow what `bytes` begin as.
void check_allowed(const Budget& budget, std::span<const std::byte> bytes, std::string_view name);

Deadline deadline_of(const Budget& budget);

/// Waits for a child until `deadline`, and ends it then. Nothing where it was ended.
std::optional<int> wait_for(pid_t child, const Deadline& deadline);

/// Ends a child whose answers nobody wants.
void end_child(pid_t child);

/// Its exit status. Throws Error(input): what became of the child is the file's fault.
int checked(const std::optional<int>& status, const Budget& budget, std::string_view name);

} // namespace glproc::job
