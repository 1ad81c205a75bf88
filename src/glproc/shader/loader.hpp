// From a kernel's name to the text a driver compiles, and from a driver's log back to the kernel's lines. No
// OpenGL.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// Selects a variant of a kernel: macro name -> value. Sorted, so that equal sets give equal program
/// keys.
using Defines = std::map<std::string, std::string>;

/// A number as a define's value.
inline std::string text(int value) {
    return std::to_string(value);
}

/// The text of a file by its name relative to glsl/ ("blur.comp", "lib/border.glsl"); nothing if there is
/// none.
using GlslReader = std::function<std::optional<std::string>(std::string_view name)>;

/// Reads from the folder that the environment variable GLPROC_GLSL_DIR names at the time of this call, so that
/// kernels can be changed without building. If it is unset or empty, reads the files embedded in the library.
GlslReader default_glsl_reader();

/// Makes a text of the caller's own readable as `name`, beside the files of the library, which win. Programs that were made
/// of another text of that name are not made again. Any thread may call it.
void register_glsl(const std::string& name, std::string text);

/// One shader, ready for glShaderSource.
struct ShaderSource {
    std::string text;
    /// files[i] is the name of source string i in `#line N i` and in driver logs.
    std::vector<std::string> files;
};

/// Reads the kernel `name`, puts `defines` right after its `#version` line and expands its includes.
///
/// `#include "lib/x.glsl"` names a file relative to glsl/, whichever file includes it; `#include NAME` the one that is the
/// value of that define. Each file is expanded
/// once, where it is first included, and later includes of it are empty; cycles are harmless. Expansion looks
/// at the text only and evaluates no condition, so a file must not be included in two branches that exclude
/// each other: the second branch would stay empty. Includes in comments are ignored. `#line` keeps the
/// numbers of the files' own lines.
///
/// @throws Error (operation) for a file that `read` does not have, and for a malformed `#include` or one on a
/// line that shares a comment with its neighbours. Also for a kernel whose first line of code is not
/// `#version`. Also for a define that is not an identifier, starts with GL_, contains __ (both reserved) or has
/// a value of several lines.
ShaderSource load_shader(std::string_view name, const Defines& defines,
                         const GlslReader& read = default_glsl_reader());

/// Turns the locations in a driver's compile log into `blur.comp:12: error: ...` (`blur.comp:12:3: ...` where
/// the driver gives a column), by `ShaderSource::files`. Knows the formats of Mesa, NVIDIA, AMD, Intel and
/// glslangValidator; lines of other forms and source numbers without a file stay as they are.
std::string rewrite_log(std::string_view log, std::span<const std::string> files);

} // namespace glproc
