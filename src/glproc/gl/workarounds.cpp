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
};

} // namespace

std::span<const Workaround> workarounds() {
    return known;
}

bool is_harmless_message(unsigned type, unsigned /*id*/, std::string_view /*message*/) {
    return type == GL_DEBUG_TYPE_PERFORMANCE;
}

} // namespace glproc
