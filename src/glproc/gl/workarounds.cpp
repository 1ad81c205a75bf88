#include "glproc/gl/workarounds.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/context.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <string>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

constexpr std::array known{
    Workaround{"timer_query_is_zero", "llvmpipe",
               "GL_TIME_ELAPSED ends when compute work is queued (Mesa 22.3 to 26.2): the timer takes the "
               "wall clock"},
    Workaround{"performance_messages", "nvidia",
               "performance hints come with medium severity: only errors, undefined behaviour and deprecated "
               "use count"},
    Workaround{
        "loops_end_early", "llvmpipe",
        "the loops of an invocation end after 65535 turns in all (seen in Mesa 22.3.6, no more in 25.0.7 and "
        "26.2.6), whatever their condition: filters refuse radii that would need more",
        25},
    Workaround{"loops_end_early", "zink", "as on llvmpipe, whose code generator lavapipe shares", 25},
    Workaround{
        "inline_uniforms", "zink",
        "wrong values once a uniform has changed often, as its value of then stays in the program (Mesa "
        "22.3.6): ZINK_INLINE_UNIFORMS=0 is set before the driver starts"},
    Workaround{
        "write_overtakes_clear", "nvidia",
        "glBufferSubData lands before a glClearBufferData or a dispatch issued earlier (H200, driver "
        "580.159.04, 2026-11-20), and no barrier helps: a write to a buffer in use waits for the device"},
    Workaround{
        "array_moves", "",
        "rows that move within an array of arrays come out one further (25.0.7; right in 22.3.6 and 26.2.6): "
        "kernels move them in flat arrays, which scripts/lint-moves checks",
        0, "Mesa 25"},
};

/// The 22 in "4.5 (Core Profile) Mesa 22.3.6"; 0 for the versions of other drivers.
int mesa_major(std::string_view version) {
    constexpr std::string_view name = "Mesa ";
    const std::size_t at = version.find(name);
    int major = 0;
    if (at != std::string_view::npos) {
        std::from_chars(version.data() + at + name.size(), version.data() + version.size(), major);
    }
    return major;
}

} // namespace

std::span<const Workaround> workarounds() {
    return known;
}

std::vector<std::string> workarounds_of(const DeviceInfo& device) {
    std::vector<std::string> names;
    for (const Workaround& row : known) {
        const bool is_version =
            device.version.find(row.version) != std::string::npos &&
            (row.until_mesa == 0 || mesa_major(device.version) < row.until_mesa);
        if (device.is(row.renderer) && is_version) {
            names.emplace_back(row.name);
        }
    }
    return names;
}

void set_driver_variables() {
    static std::once_flag once;
    std::call_once(once, [] {
        const char* driver = std::getenv("MESA_LOADER_DRIVER_OVERRIDE");
        if (driver != nullptr && std::string_view(driver) == "zink") {
            setenv("ZINK_INLINE_UNIFORMS", "0", 0);
        }
    });
}

void check_driver(const DeviceInfo& device) {
    constexpr int oldest = 22; // 20.3.5 writes past its own memory in `walk`, 22.3.6 does not
    const int major = mesa_major(device.version);
    if (device.is("llvmpipe") && major != 0 && major < oldest) {
        throw Error(
            ErrorCode::no_context,
            fmt::format("llvmpipe of Mesa before {} corrupts memory, and this is {}", oldest, device.version),
            "update Mesa, or use a GPU");
    }
    const char* value = std::getenv("ZINK_INLINE_UNIFORMS");
    const bool is_off =
        value != nullptr && (std::string_view(value) == "0" || std::string_view(value) == "false");
    if (device.is("zink") && device.version.find("Mesa 22.3") != std::string::npos && !is_off) {
        throw Error(ErrorCode::no_context,
                    "zink of Mesa 22.3 computes wrong values unless ZINK_INLINE_UNIFORMS is 0",
                    "set the environment variable ZINK_INLINE_UNIFORMS=0");
    }
}

bool is_harmless_message(unsigned type, unsigned /*id*/, std::string_view /*message*/) {
    return type == GL_DEBUG_TYPE_PERFORMANCE;
}

} // namespace glproc
