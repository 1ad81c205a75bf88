// A context that somebody else made: a window's, or one that shares its objects.
#include "glproc/base/error.hpp"
#include "glproc/gl/backend.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"

#include <optional>
#include <thread>

#include <glad/egl.h>
#include <glad/gl.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The first EGL context that can be had, current on this thread.
std::unique_ptr<GlSurface> any_context() {
    for (const Candidate& candidate : egl_candidates(false)) {
        try {
            return candidate.open();
        } catch (const Error&) {
            continue;
        }
    }
    FAIL("no EGL context");
    return nullptr;
}

/// A context that shares objects with the current one.
EGLContext sharing_context(EGLDisplay display) {
    for (const EGLint resets :
         {EGL_LOSE_CONTEXT_ON_RESET, EGL_NO_RESET_NOTIFICATION}) { // both must say the same
        const std::array<EGLint, 9> attributes{EGL_CONTEXT_MAJOR_VERSION,
                                               4,
                                               EGL_CONTEXT_MINOR_VERSION,
                                               3,
                                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                               EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                               resets,
                                               EGL_NONE};
        const EGLContext context =
            eglCreateContext(display, EGL_NO_CONFIG_KHR, eglGetCurrentContext(), attributes.data());
        if (context != EGL_NO_CONTEXT) {
            return context;
        }
    }
    return EGL_NO_CONTEXT;
}

/// Runs on a thread of its own, which has no context yet.
template <class Work>
void on_thread(Work work) {
    std::thread(work).join();
}

bool same(const Image& a, const Image& b) {
    return a.form() == b.form() && std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin());
}

} // namespace

TEST_CASE("adopted: the caller's context does the work and stays theirs") {
    bool is_same = false;
    std::string backend;
    bool is_current = false;
    on_thread([&] {
        const auto surface = any_context();
        const EGLContext before = eglGetCurrentContext();
        {
            Context gpu({.adopt = surface->get_proc()});
            backend = gpu.device().backend;
            const Image photo = photo_like_image({61, 37, 3, Depth::u8});
            is_same = same(gpu.download(gpu.upload(photo)), photo);
        }
        is_current = eglGetCurrentContext() == before && glGetError() == GL_NO_ERROR;
    });
    CHECK(is_same);
    CHECK(backend == "the caller's context");
    CHECK(is_current);
}

TEST_CASE("adopted: images are textures of every context that shares objects") {
    std::vector<std::byte> seen;
    Image photo = photo_like_image({64, 16, 4, Depth::u8});
    on_thread([&] {
        const auto surface = any_context();
        const EGLDisplay display = eglGetCurrentDisplay();
        const EGLContext shared = sharing_context(display);
        REQUIRE(shared != EGL_NO_CONTEXT);
        std::optional<GpuImage> image;
        on_thread([&] {
            eglBindAPI(EGL_OPENGL_API);
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, shared);
            {
                Context gpu({.adopt = surface->get_proc()});
                image.emplace(gpu.upload(photo));
                gpu.finish();
            } // with it goes the storage that it recycles, but not what is still in use
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        });
        seen.resize(photo.bytes().size());
        glBindTexture(GL_TEXTURE_2D, image->texture().id());
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, seen.data());
        glBindTexture(GL_TEXTURE_2D, 0);
        image.reset();
        eglDestroyContext(display, shared);
    });
    CHECK(std::equal(seen.begin(), seen.end(), photo.bytes().begin(), photo.bytes().end()));
}

TEST_CASE("adopted: without a current context it says so") {
    on_thread([] {
        try {
            egl_candidates(false); // which loads EGL
            Context gpu({.adopt = [](const char* name) { return eglGetProcAddress(name); }});
            FAIL_CHECK("there is a context");
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::no_context);
            CHECK(error.hint().find("no OpenGL context is current on this thread") != std::string::npos);
        }
    });
}
