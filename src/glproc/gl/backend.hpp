// Ways to get an OpenGL 4.3 core context without a visible window.
#pragma once

#include "glproc/gl/context.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace glproc {

/// A current context and the function that finds its entry points; destroying it releases both.
class GlSurface {
  public:
    GlSurface() = default;
    GlSurface(const GlSurface&) = delete;
    GlSurface& operator=(const GlSurface&) = delete;
    virtual ~GlSurface() = default;
    virtual GetProc get_proc() const = 0;
};

/// One way to try: its name, and open(), which throws Error(no_context) with the reason if it fails.
struct Candidate {
    std::string what;
    int egl_device = -1; ///< its number among EGL's devices, if it is one
    std::function<std::unique_ptr<GlSurface>()> open;
    bool software = false; ///< for an EGL device: it says so itself
};

/// Hidden windows: the display's, then (GLFW ≥ 3.4) the null platform's.
std::vector<Candidate> glfw_candidates(bool debug);

/// Call before glfwInit(): keeps GLFW ≥ 3.4 from asking for Wayland if there cannot be any, because its
/// library would complain on stderr. Missing without GLFW.
void choose_glfw_platform();

/// EGL devices, hardware first, then Mesa's surfaceless platform. If EGL itself is missing, the only
/// candidate's open() says so.
std::vector<Candidate> egl_candidates(bool debug);

/// The context that is current on this thread, and belongs to somebody else; see ContextOptions::adopt.
Candidate adopted_candidate(GetProc get_proc);

} // namespace glproc
