// Where things are drawn: a context for the window's thread, and one for the engine's that shares its
// objects.
#pragma once

#include "glproc/gl/context.hpp"

#include <memory>
#include <string>

struct GLFWwindow;

namespace glproc::view {

class Surface {
  public:
    Surface() = default;
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    virtual ~Surface() = default;

    virtual GetProc get_proc() const = 0;
    /// The second context becomes this thread's, and is then nobody's again.
    virtual void take_worker() = 0;
    virtual void release_worker() = 0;
    /// Wakes the thread that waits for events, from any thread.
    virtual void wake() {}
};

/// A window of GLFW. Throws Error(no_context) where there is no display or no OpenGL 4.3.
class WindowSurface final : public Surface {
  public:
    WindowSurface(int width, int height, const std::string& title);
    ~WindowSurface() override;

    GetProc get_proc() const override;
    void take_worker() override;
    void release_worker() override;
    void wake() override;

    GLFWwindow* window() const { return window_; }

  private:
    GLFWwindow* window_ = nullptr;
    GLFWwindow* worker_ = nullptr;
};

/// No window: contexts of EGL, on the device that `options` choose.
std::unique_ptr<Surface> offscreen_surface(const ContextOptions& options);

} // namespace glproc::view
