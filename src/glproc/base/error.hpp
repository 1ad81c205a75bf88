// The one exception that glproc throws, and its codes, which are the exit statuses of the command line.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace glproc {

/// Why a call failed. The values are the exit statuses of the command line.
enum class ErrorCode {
    operation = 1,  ///< the operation failed
    usage = 2,      ///< an argument is unknown, missing or out of range
    input = 3,      ///< an input is missing, unreadable or corrupt
    output = 4,     ///< an output cannot be written
    no_context = 5, ///< no usable OpenGL 4.3 context
    gpu = 6,        ///< GPU memory or the context was lost
};

/// Every failure of the library. `what()` is one line; `hint()` says what to do about it, and may be empty.
class Error : public std::runtime_error {
  public:
    Error(ErrorCode code, const std::string& what, std::string hint = {})
        : std::runtime_error(what), code_(code), hint_(std::move(hint)) {}

    ErrorCode code() const noexcept { return code_; }
    const std::string& hint() const noexcept { return hint_; }

  private:
    ErrorCode code_;
    std::string hint_;
};

} // namespace glproc
