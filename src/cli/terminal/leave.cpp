#include "cli/terminal/leave.hpp"

#include <string>

#include <unistd.h>

namespace glproc::cli {

namespace {

/// Sanitizers look for leaks at the end of the clean road.
constexpr bool is_sanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

} // namespace

bool may_leave() {
    return !is_sanitized;
}

bool may_leave(const DeviceInfo& device) {
    return may_leave() && device.version.find("Mesa") == std::string::npos;
}

void leave(int status) {
    ::_exit(status);
}

} // namespace glproc::cli
