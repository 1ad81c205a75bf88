#include "glproc/gl/workarounds.hpp"

#include <array>

#include <glad/gl.h>

namespace glproc {

namespace {

constexpr std::array known{
    Workaround{
        "timer_query_is_zero", "llvmpipe",
        "GL_TIME_ELAPSED ends when compute work is queued (Mesa 22.3.6): the timer takes the wall clock"},
    Workaround{"performance_messages", "nvidia",
               "performance hints come with medium severity: only errors, undefined behaviour and deprecated "
               "use count"},
    Workaround{"loops_end_early", "llvmpipe",
               "the loops of an invocation end after 65535 turns in all (Mesa 22.3.6), whatever their "
               "condition: filters refuse radii "
               "that would need more"},
    Workaround{
        "write_overtakes_clear", "nvidia",
        "glBufferSubData lands before a glClearBufferData or a dispatch issued earlier (H200, driver "
        "580.159.04, 2026-11-20), and no barrier helps: a write to a buffer in use waits for the device"},
};

} // namespace

std::span<const Workaround> workarounds() {
    return known;
}

bool is_harmless_message(unsigned type, unsigned /*id*/, std::string_view /*message*/) {
    return type == GL_DEBUG_TYPE_PERFORMANCE;
}

} // namespace glproc
