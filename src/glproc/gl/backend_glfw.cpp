#include "glproc/gl/backend.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/handle.hpp"

#ifdef GLPROC_WITH_GLFW
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cstdlib>
#include <mutex>
#include <string_view>

#include <fmt/format.h>
#endif

namespace glproc {

#ifdef GLPROC_WITH_GLFW

namespace {

// Guards glfw_users and GLFW itself. GLFW is started once and stopped with its last window, and makes and
// destroys windows on one thread at a time.
std::mutex glfw_mutex;
int glfw_users = 0;

std::string glfw_reason() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "GLFW gives no reason";
}

/// Keeps GLFW started.
class GlfwLibrary {
  public:
    explicit GlfwLibrary([[maybe_unused]] bool null_platform) {
        const std::lock_guard lock(glfw_mutex);
        if (glfw_users == 0) {
            choose_glfw_platform();
#ifdef GLFW_PLATFORM_NULL
            if (null_platform) {
                glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_NULL);
            }
#endif
            if (glfwInit() == GLFW_FALSE) {
                throw Error(ErrorCode::no_context, glfw_reason());
            }
        }
        ++glfw_users;
    }
    GlfwLibrary(const GlfwLibrary&) = delete;
    GlfwLibrary& operator=(const GlfwLibrary&) = delete;
    ~GlfwLibrary() {
        const std::lock_guard lock(glfw_mutex);
        if (--glfw_users == 0) {
            glfwTerminate();
        }
    }
};

struct WindowTraits {
    using Type = GLFWwindow*;
    static void destroy(GLFWwindow* window) {
        const std::lock_guard lock(glfw_mutex);
        glfwDestroyWindow(window);
    }
};

class GlfwSurface final : public GlSurface {
  public:
    GlfwSurface(bool debug, bool null_platform) : library_(null_platform) {
        const std::lock_guard lock(glfw_mutex);
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
        if (null_platform) {
            glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
        }
        glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
        GLFWwindow* window = glfwCreateWindow(1, 1, "glproc", nullptr, nullptr);
        if (window == nullptr) { // the driver cannot report resets
            glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
            window = glfwCreateWindow(1, 1, "glproc", nullptr, nullptr);
        }
        window_ = Handle<WindowTraits>(window);
        if (!window_) {
            throw Error(ErrorCode::no_context, glfw_reason());
        }
        glfwMakeContextCurrent(window_.get());
    }

    GetProc get_proc() const override { return glfwGetProcAddress; }

  private:
    GlfwLibrary library_; // before the window, so that it is destroyed after it
    Handle<WindowTraits> window_;
};

#ifdef GLFW_PLATFORM
std::string_view variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here changes it
    return value == nullptr ? "" : value;
}

/// Whether libwayland could connect: to a socket it was handed, or to one whose path it knows.
bool wayland_is_possible() {
    return !variable("WAYLAND_SOCKET").empty() || variable("WAYLAND_DISPLAY").starts_with('/') ||
           variable("XDG_RUNTIME_DIR").starts_with('/');
}
#endif

} // namespace

void choose_glfw_platform() {
#ifdef GLFW_PLATFORM
    glfwInitHint(GLFW_PLATFORM, wayland_is_possible() ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11);
#endif
}

std::vector<Candidate> glfw_candidates(bool debug) {
    std::vector<Candidate> result;
    result.push_back(
        {"GLFW hidden window", -1, [debug] { return std::make_unique<GlfwSurface>(debug, false); }});
#ifdef GLFW_PLATFORM_NULL
    result.push_back(
        {"GLFW null platform", -1, [debug] { return std::make_unique<GlfwSurface>(debug, true); }});
#endif
    return result;
}

#else

std::vector<Candidate> glfw_candidates(bool /*debug*/) {
    std::vector<Candidate> result;
    result.push_back({"GLFW hidden window", -1, []() -> std::unique_ptr<GlSurface> {
                          throw Error(ErrorCode::no_context, "glproc was built without GLFW");
                      }});
    return result;
}

#endif

} // namespace glproc
