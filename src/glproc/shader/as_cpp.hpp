// GLSL as C++: the text of a shader, spelled for glsl.hpp. No OpenGL.
#pragma once

#include "glproc/shader/loader.hpp"

#include <string>

namespace glproc {

/// The body of a class whose members are the shader's functions and globals, in C++ that includes glsl.hpp. Only spelling
/// changes: parameters that are written to become references, numbers get an F, blocks become pointers. `#line` names the
/// files below `folder`, so that debuggers show GLSL.
///
/// It knows what glsl/ uses in functions of operations. Anything else is an error of the C++ compiler, never another meaning.
std::string as_cpp(const ShaderSource& source, const std::string& folder);

} // namespace glproc
