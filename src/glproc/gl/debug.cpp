#include "glproc/gl/debug.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/fault.hpp"
#include "glproc/gl/workarounds.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

void on_message(GLenum /*source*/, GLenum type, GLuint id, GLenum severity, GLsizei length,
                const GLchar* message, const void* user) {
    // The API hands the pointer given to glDebugMessageCallback back as const.
    auto* log = const_cast<DebugLog*>(static_cast<const DebugLog*>(user));
    log->add(type, id, severity, {message, static_cast<std::size_t>(length)});
}

std::string_view error_name(GLenum error) {
    switch (error) {
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    default:
        return "an unknown OpenGL error";
    }
}

} // namespace

void label_object(unsigned kind, unsigned id, std::string_view label) {
    constexpr std::size_t most = 255; // of any OpenGL; programs of long runs have longer names
    label = label.substr(0, most);
    glObjectLabel(kind, id, static_cast<GLsizei>(label.size()), label.data());
}

void throw_reset(std::string_view doing) {
    throw Error(ErrorCode::gpu, fmt::format("the GPU was reset: {}", doing),
                "run it again; if that does not help, another --device may");
}

void check_gl(std::string_view doing) {
    const GLenum error = take_gl_error();
    if (error == GL_NO_ERROR) {
        return;
    }
    if (error == out_of_memory) {
        throw Error(ErrorCode::gpu, fmt::format("out of GPU memory: {}", doing), "use a smaller image");
    }
    if (error == context_lost) {
        throw_reset(doing);
    }
    throw Error(ErrorCode::operation, fmt::format("{}: {}", doing, error_name(error)));
}

void DebugLog::attach() {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(on_message, this);
}

void DebugLog::add(unsigned type, unsigned id, unsigned severity, std::string_view message) {
    if ((severity != GL_DEBUG_SEVERITY_HIGH && severity != GL_DEBUG_SEVERITY_MEDIUM) ||
        is_harmless_message(type, id, message)) {
        return;
    }
    const std::lock_guard lock(mutex_);
    if (first_.empty()) {
        first_ = message;
    }
}

void DebugLog::clear() {
    const std::lock_guard lock(mutex_);
    first_.clear();
}

void DebugLog::throw_if_any(std::string_view doing) {
    std::string message;
    {
        const std::lock_guard lock(mutex_);
        message = std::exchange(first_, {});
    }
    if (!message.empty()) {
        throw Error(ErrorCode::operation, fmt::format("{}: the driver says: {}", doing, message));
    }
}

} // namespace glproc
