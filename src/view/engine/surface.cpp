#include "view/engine/surface.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/backend.hpp"

#include <array>

#include <fmt/format.h>
#include <glad/egl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace glproc::view {

namespace {

Error failure(const std::string& what) {
    const char* why = nullptr;
    glfwGetError(&why);
    return Error(ErrorCode::no_context,
                 fmt::format("{}: {}", what, why != nullptr ? why : "GLFW gives no reason"),
                 "glproc view needs a display and OpenGL 4.3; glproc info says what this machine has");
}

/// Made by the Context of the window's thread; a second one shares its objects.
class OffscreenSurface final : public Surface {
  public:
    explicit OffscreenSurface(const ContextOptions& options) : main_(options) {
        display_ = eglGetCurrentDisplay();
        // Both must say the same of resets.
        for (const EGLint resets : {EGL_LOSE_CONTEXT_ON_RESET, EGL_NO_RESET_NOTIFICATION}) {
            const std::array<EGLint, 9> attributes{EGL_CONTEXT_MAJOR_VERSION,
                                                   4,
                                                   EGL_CONTEXT_MINOR_VERSION,
                                                   3,
                                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                   EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                                   resets,
                                                   EGL_NONE};
            worker_ =
                eglCreateContext(display_, EGL_NO_CONFIG_KHR, eglGetCurrentContext(), attributes.data());
            if (worker_ != EGL_NO_CONTEXT) {
                return;
            }
        }
        throw Error(ErrorCode::no_context,
                    fmt::format("no second context (EGL error {:#06x})", eglGetError()));
    }
    ~OffscreenSurface() override { eglDestroyContext(display_, worker_); }

    GetProc get_proc() const override { return eglGetProcAddress; }
    void take_worker() override {
        eglBindAPI(EGL_OPENGL_API);
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, worker_);
    }
    void release_worker() override {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }

  private:
    Context main_;
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext worker_ = EGL_NO_CONTEXT;
};

} // namespace

WindowSurface::WindowSurface(int width, int height, const std::string& title) {
    choose_glfw_platform();
    if (glfwInit() == GLFW_FALSE) {
        throw failure("no window");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (window_ != nullptr) {
        glfwSetWindowSizeLimits(window_, 420, 320, GLFW_DONT_CARE,
                                GLFW_DONT_CARE); // where controls do not overlap
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        worker_ = glfwCreateWindow(1, 1, "", nullptr, window_);
    }
    if (worker_ == nullptr) {
        const Error error = failure("no window");
        glfwTerminate();
        throw error;
    }
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
}

WindowSurface::~WindowSurface() {
    glfwTerminate();
}

GetProc WindowSurface::get_proc() const {
    return glfwGetProcAddress;
}

void WindowSurface::take_worker() {
    glfwMakeContextCurrent(worker_);
}

void WindowSurface::release_worker() {
    glfwMakeContextCurrent(nullptr);
}

void WindowSurface::wake() {
    glfwPostEmptyEvent();
}

std::unique_ptr<Surface> offscreen_surface(const ContextOptions& options) {
    ContextOptions egl = options;
    egl.backend = Backend::egl;
    return std::make_unique<OffscreenSurface>(egl);
}

} // namespace glproc::view
