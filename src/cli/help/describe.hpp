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
    {"5", "no usable OpenGL 4.3, or no GPU with --require-gpu"},
    {"6", "out of GPU memory, or the GPU was reset"},
    {"128+N", "ended by signal N"},
}};

inline constexpr std::array<Fact, 11> environment_variables{{
    {"GLPROC_DEVICE", "the default of --device"},
    {"GLPROC_BACKEND", "the default of --backend"},
    {"GLPROC_CACHE", "off: do not keep compiled programs. By default they are kept in "
                     "$XDG_CACHE_HOME/glproc or ~/.cache/glproc, up to 256 MiB"},
    {"GLPROC_POLICY", "untrusted: act as if every command had --untrusted, with limits that no flag raises"},
    {"GLPROC_GLSL_DIR", "a folder to load GPU kernels from, instead of the built-in ones"},
    {"GLPROC_CHECK", "off: use GPU kernels without first comparing them with the reference on this driver"},
    {"GLPROC_JPEG", "cpu, gpu or auto: what decodes and encodes JPEG, with the same bytes; auto is whichever is faster"},
    {"GLPROC_DISABLE", "OpenGL extensions not to use, separated by commas, such as KHR_shader_subgroup"},
    {"GLPROC_LIMITS", "lower limits for the device, by the names that glproc info prints, such as "
                      "texture_size:256"},
    {"NO_COLOR", "if set, no colours on a terminal"},
    {"TERM", "dumb: neither colours nor a progress bar"},
}};

/// The answer to `--describe reference` (a page of Markdown), `--describe manual [COMMAND]` (a man page),
/// `--describe commands` (their names), `--describe words` (those of other tools) and `--complete WORD...`
/// (see complete.hpp); nothing for other words.
std::optional<std::string> described(const std::vector<std::string>& words);

} // namespace glproc::cli
