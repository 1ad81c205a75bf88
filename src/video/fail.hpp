// Errors as the parts of `glproc video` throw them.
#pragma once

#include "glproc/base/error.hpp"

#include <string>

namespace glproc::video {

inline Error usage(const std::string& what, const std::string& hint = {}) {
    return {ErrorCode::usage, what, hint};
}

/// Throws Error(input) of a file: "in.mp4: the file is empty".
[[noreturn]] inline void fail_input(const std::string& name, const std::string& why,
                                    const std::string& hint = {}) {
    throw Error(ErrorCode::input, name + ": " + why, hint);
}

} // namespace glproc::video
