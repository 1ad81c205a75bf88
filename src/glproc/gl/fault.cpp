#include "glproc/gl/fault.hpp"

#include "glproc/base/error.hpp"

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

/// Errors of OpenGL belong to the current context, and so to the thread.
unsigned& pending_error() {
    thread_local unsigned error = GL_NO_ERROR;
    return error;
}

[[noreturn]] void refuse(const std::string& fault) {
    throw Error(ErrorCode::usage, fmt::format("GLPROC_FAULT names no fault: '{}'", fault),
                "known: alloc:N, compile:KERNEL, context_lost[:N], kernel:KERNEL, link:KERNEL");
}

int count_in(const std::string& fault, const std::string& text) {
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count < 1) {
        refuse(fault);
    }
    return count;
}

} // namespace

Faults Faults::from_environment() {
    Faults faults;
    pending_error() = GL_NO_ERROR;
    const char* text = std::getenv("GLPROC_FAULT"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    std::istringstream list(text != nullptr ? text : "");
    for (std::string fault; std::getline(list, fault, ',');) {
        faults.add(fault);
    }
    return faults;
}

void Faults::add(const std::string& fault) {
    const std::size_t colon = fault.find(':');
    const std::string name = fault.substr(0, colon);
    const std::string value = colon == std::string::npos ? "" : fault.substr(colon + 1);
    if (name == "alloc") {
        full_at_ = count_in(fault, value);
    } else if (name == "context_lost") {
        lost_at_ = colon == std::string::npos ? 1 : count_in(fault, value);
    } else if (name == "compile" && !value.empty()) {
        broken_kernel_ = value;
    } else if (name == "link" && !value.empty()) {
        unlinkable_kernel_ = value;
    } else if (name == "kernel" && !value.empty()) {
        wrong_kernel_ = value;
    } else {
        refuse(fault);
    }
}

void Faults::strike(int& count, int at, unsigned error) {
    if (++count == at) {
        pending_error() = error;
    }
}

unsigned take_gl_error() {
    const unsigned injected = std::exchange(pending_error(), GL_NO_ERROR);
    return injected != GL_NO_ERROR ? injected : glGetError();
}

} // namespace glproc
