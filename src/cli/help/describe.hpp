// What the program says about itself to the build and to shells.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::cli {

/// Something that users look up, and what it means.
struct Fact {
    std::string_view name;
    std::string_view meaning;
};

inline constexpr std::array<Fact, 8> exit_statuses{{
    {"0", "done"},
    {"1", "the operation failed"},
    {"2", "usage: a command, a flag or a value is wrong"},
    {"3", "an input is missing, unreadable or corrupt"},
    {"4", "an output cannot be written"},
    {"5", "no usable OpenGL 4.3 context, or --require-gpu is not met"},
    {"6", "GPU memory or the context was lost"},
    {"128+N", "ended by signal N"},
}};

inline constexpr std::array<Fact, 10> environment_variables{{
    {"GLPROC_DEVICE", "the default of --device"},
    {"GLPROC_BACKEND", "the default of --backend"},
    {"GLPROC_CACHE", "off: do not keep compiled programs, which are otherwise in $XDG_CACHE_HOME/glproc or "
                     "~/.cache/glproc, in at most 64 MiB"},
    {"GLPROC_POLICY", "untrusted: every call is as with --untrusted, and no flag raises its limits"},
    {"GLPROC_GLSL_DIR", "a folder to load the kernels from instead of the built-in ones"},
    {"GLPROC_CHECK", "off: use kernels on this driver without comparing their first results with the reference"},
    {"GLPROC_JPEG", "cpu, gpu or auto: who decodes and encodes JPEG, with the same bytes; auto is the GPU where that is faster"},
    {"GLPROC_DISABLE", "extensions not to use, separated by commas: KHR_shader_subgroup"},
    {"GLPROC_LIMITS", "lower limits of the device, with the names that glproc info prints: texture_size:256"},
    {"NO_COLOR", "if set, no colours on a terminal"},
}};

/// The answer to `--describe reference` (docs/reference.md), `--describe manual` (the man page),
/// `--describe words` (those of other tools) and `--complete WORD...` (see complete.hpp); nothing for other words.
std::optional<std::string> described(const std::vector<std::string>& words);

} // namespace glproc::cli
