// Driver bugs, by name. The list documents them; the code that works around one mentions its name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

struct DeviceInfo;

struct Workaround {
    std::string_view name;
    std::string_view renderer; ///< part of GL_RENDERER or GL_VENDOR, lower case
    std::string_view why;
    int until_mesa = 0; ///< the first major version of Mesa that does not need it; 0 if every version does
    std::string_view version = {}; ///< part of GL_VERSION, if other versions are right
};

/// Every known one.
std::span<const Workaround> workarounds();

/// The names of the workarounds that a driver needs.
std::vector<std::string> workarounds_of(const DeviceInfo& device);

/// Sets environment variables that drivers must find before they start, unless the user has set them; once in
/// a process.
void set_driver_variables();

/// Throws Error(no_context) if the driver cannot be used, or computes wrong values with the user's settings.
void check_driver(const DeviceInfo& device);

/// True for debug messages of medium severity that do not report a mistake of glproc.
bool is_harmless_message(unsigned type, unsigned id, std::string_view message);

} // namespace glproc
