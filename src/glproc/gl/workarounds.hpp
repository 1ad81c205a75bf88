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
    int until_mesa = 0; ///< the first major version of Mesa that does without; 0 where every one needs it
    std::string_view version = {}; ///< part of GL_VERSION, where other versions are right
};

/// Every known one.
std::span<const Workaround> workarounds();

/// The names of those that a driver needs.
std::vector<std::string> workarounds_of(const DeviceInfo& device);

/// Sets what drivers must find in the environment before they start, unless the user has set it; once in a process.
void set_driver_variables();

/// Throws Error(no_context) where the driver cannot be used, or computes wrong values with what the user has set.
void check_driver(const DeviceInfo& device);

/// True for debug messages of medium severity that are not about a mistake of ours.
bool is_harmless_message(unsigned type, unsigned id, std::string_view message);

} // namespace glproc
