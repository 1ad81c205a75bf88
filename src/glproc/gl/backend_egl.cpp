#include "glproc/gl/backend.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/handle.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <glad/egl.h>

namespace glproc {

namespace {

std::mutex egl_mutex; // guards glad's function pointers and display_users

/// eglTerminate ends a display for all contexts on it, so the last of them has to call it.
std::map<EGLDisplay, int>& display_users() {
    static std::map<EGLDisplay, int> users;
    return users;
}

[[noreturn]] void fail(std::string_view doing) {
    throw Error(ErrorCode::no_context, fmt::format("{} failed (EGL error {:#06x})", doing, eglGetError()));
}

/// Loads libEGL.so.1 and the entry points that belong to no display. They are fetched one by one, because
/// glad leaves client extensions out if it cannot ask a display for them.
bool load_egl() {
    const std::lock_guard lock(egl_mutex);
    static const bool loaded = [] {
        if (gladLoaderLoadEGL(EGL_NO_DISPLAY) == 0) {
            return false;
        }
        const auto fetch = [](auto& pointer, const char* name) {
            pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(eglGetProcAddress(name));
        };
        fetch(glad_eglGetPlatformDisplayEXT, "eglGetPlatformDisplayEXT");
        fetch(glad_eglQueryDevicesEXT, "eglQueryDevicesEXT");
        fetch(glad_eglQueryDeviceStringEXT, "eglQueryDeviceStringEXT");
        return true;
    }();
    return loaded;
}

bool has_word(const char* list, std::string_view word) {
    const std::string_view text = list != nullptr ? list : "";
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) {
            return true;
        }
    }
    return false;
}

/// An initialised display, terminated with its last user.
class Display {
  public:
    Display(EGLenum platform, void* native) : display_(eglGetPlatformDisplayEXT(platform, native, nullptr)) {
        if (display_ == EGL_NO_DISPLAY) {
            fail("eglGetPlatformDisplayEXT");
        }
        const std::lock_guard lock(egl_mutex);
        if (eglInitialize(display_, nullptr, nullptr) == EGL_FALSE) {
            fail("eglInitialize");
        }
        // The core entry points. The first display's serve all: they dispatch by display themselves.
        static const int version = gladLoaderLoadEGL(display_);
        if (version == 0) {
            throw Error(ErrorCode::no_context, "libEGL.so.1 lacks entry points");
        }
        ++display_users()[display_];
    }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    ~Display() {
        const std::lock_guard lock(egl_mutex);
        if (--display_users()[display_] == 0) {
            eglTerminate(display_);
        }
    }
    EGLDisplay get() const { return display_; }

  private:
    EGLDisplay display_;
};

EGLContext create_context(EGLDisplay display, bool debug) {
    if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) {
        fail("eglBindAPI(EGL_OPENGL_API)");
    }
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (!has_word(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_no_config_context")) {
        constexpr std::array<EGLint, 5> wanted{EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                               EGL_NONE};
        EGLint count = 0;
        if (eglChooseConfig(display, wanted.data(), &config, 1, &count) == EGL_FALSE || count == 0) {
            fail("eglChooseConfig");
        }
    }
    std::array<EGLint, 11> attributes{EGL_CONTEXT_MAJOR_VERSION,
                                      4,
                                      EGL_CONTEXT_MINOR_VERSION,
                                      3,
                                      EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                      EGL_CONTEXT_OPENGL_DEBUG,
                                      debug ? EGL_TRUE : EGL_FALSE,
                                      EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                      EGL_LOSE_CONTEXT_ON_RESET,
                                      EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
    if (context == EGL_NO_CONTEXT) { // the driver cannot report resets
        attributes[8] = EGL_NONE;
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
    }
    if (context == EGL_NO_CONTEXT) {
        fail("eglCreateContext for OpenGL 4.3 core");
    }
    return context;
}

class EglSurface final : public GlSurface {
  public:
    EglSurface(EGLenum platform, void* native, bool debug)
        : display_(platform, native), context_(create_context(display_.get(), debug)) {
        if (eglMakeCurrent(display_.get(), EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_FALSE) {
            eglDestroyContext(display_.get(), context_);
            fail("eglMakeCurrent without a surface");
        }
    }
    ~EglSurface() override {
        eglMakeCurrent(display_.get(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_.get(), context_);
    }

    GetProc get_proc() const override { return eglGetProcAddress; }

  private:
    Display display_;
    EGLContext context_;
};

Candidate failing(const std::string& what, const std::string& why) {
    return {what, -1, [why]() -> std::unique_ptr<GlSurface> { throw Error(ErrorCode::no_context, why); }};
}

struct Device {
    EGLDeviceEXT id;
    int number;
    bool software;
    std::string path;
};

std::vector<Device> query_devices() {
    std::array<EGLDeviceEXT, 32> ids{};
    EGLint count = 0;
    if (glad_eglQueryDevicesEXT == nullptr ||
        eglQueryDevicesEXT(static_cast<EGLint>(ids.size()), ids.data(), &count) == EGL_FALSE) {
        return {};
    }
    std::vector<Device> devices;
    for (int number = 0; number < count; ++number) {
        EGLDeviceEXT id = ids[static_cast<std::size_t>(number)];
        const char* extensions = eglQueryDeviceStringEXT(id, EGL_EXTENSIONS);
        const char* path = has_word(extensions, "EGL_EXT_device_drm")
                               ? eglQueryDeviceStringEXT(id, EGL_DRM_DEVICE_FILE_EXT)
                               : nullptr;
        devices.push_back(
            {id, number, has_word(extensions, "EGL_MESA_device_software"), path != nullptr ? path : ""});
    }
    std::stable_partition(devices.begin(), devices.end(),
                          [](const Device& device) { return !device.software; });
    return devices;
}

} // namespace

std::vector<Candidate> egl_candidates(bool debug) {
    std::vector<Candidate> result;
    if (!load_egl()) {
        result.push_back(failing("EGL", "libEGL.so.1 cannot be loaded"));
        return result;
    }
    if (glad_eglGetPlatformDisplayEXT == nullptr) {
        result.push_back(failing("EGL", "this libEGL has no EGL_EXT_platform_base"));
        return result;
    }
    for (const Device& device : query_devices()) {
        const std::string kind = device.software ? "software" : device.path;
        result.push_back(
            {fmt::format("EGL device {}{}", device.number, kind.empty() ? "" : fmt::format(" ({})", kind)),
             device.number, [id = device.id, debug] {
                 return std::make_unique<EglSurface>(EGL_PLATFORM_DEVICE_EXT, id, debug);
             },
             device.software});
    }
    result.push_back(
        {"EGL surfaceless (Mesa)", -1, [debug]() -> std::unique_ptr<GlSurface> {
             if (!has_word(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless")) {
                 throw Error(ErrorCode::no_context, "EGL_MESA_platform_surfaceless is absent");
             }
             return std::make_unique<EglSurface>(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, debug);
         }});
    return result;
}

} // namespace glproc
