// Object labels, glGetError and KHR_debug messages, turned into Error.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

namespace glproc {

/// Names a GL object in debuggers and driver messages. `kind` is GL_BUFFER, GL_TEXTURE, GL_PROGRAM …
void label_object(unsigned kind, unsigned id, std::string_view label);

/// Throws Error if glGetError reports one: code gpu for full memory and a lost context, else operation.
void check_gl(std::string_view doing);

/// Throws Error(gpu): the device was reset, and the context is lost.
[[noreturn]] void throw_reset(std::string_view doing);

/// Collects the debug messages of a context.
class DebugLog {
  public:
    /// Makes the current context report to this log, which must live as long as the context.
    void attach();

    /// Throws Error(operation) with the first message of medium severity or worse since the last call.
    void throw_if_any(std::string_view doing);

    /// Drops the messages since then; they have been reported already.
    void clear();

    /// For the driver's callback.
    void add(unsigned type, unsigned id, unsigned severity, std::string_view message);

  private:
    std::mutex mutex_; // drivers may call from threads of their own
    std::string first_;
};

} // namespace glproc
