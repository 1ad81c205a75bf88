// What the files of Engine share.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/image/image.hpp"
#include "view/document.hpp"

#include <chrono>
#include <memory>
#include <string>

#include <fmt/format.h>

namespace glproc::view {

using Clock = std::chrono::steady_clock;

inline double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

inline double megapixels(const Form& form) {
    return 1e-6 * form.width * form.height;
}

/// The step as an operation, with the other pictures that it reads.
std::unique_ptr<Operation> loaded_operation_of(const Step& step);

/// The steps that run: those that are on and have their files.
Steps active(const Steps& steps);

/// Something newer is wanted.
struct Outdated {};

/// A text of one line.
inline std::string text_of(const Error& error) {
    return error.hint().empty() ? error.what() : fmt::format("{} ({})", error.what(), error.hint());
}

} // namespace glproc::view
