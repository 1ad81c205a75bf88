#include "glproc/gl/backend.hpp"

#include "glproc/base/error.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

/// OpenGL that somebody else set up and will end.
class AdoptedSurface final : public GlSurface {
  public:
    explicit AdoptedSurface(GetProc by_name) : get_proc_(by_name) {
        // Before anything is loaded: if no context is current, the entry point is missing or does nothing.
        const auto get = reinterpret_cast<PFNGLGETINTEGERVPROC>(get_proc_("glGetIntegerv"));
        int major = 0;
        int minor = 0;
        if (get != nullptr) {
            get(GL_MAJOR_VERSION, &major);
            get(GL_MINOR_VERSION, &minor);
        }
        if (major == 0) {
            throw Error(ErrorCode::no_context, "no OpenGL context is current on this thread");
        }
        if (10 * major + minor < 43) {
            throw Error(ErrorCode::no_context,
                        fmt::format("the current context is one of OpenGL {}.{}", major, minor));
        }
    }

    GetProc get_proc() const override { return get_proc_; }

  private:
    GetProc get_proc_;
};

} // namespace

Candidate adopted_candidate(GetProc by_name) {
    return {"the caller's context", -1, [by_name] { return std::make_unique<AdoptedSurface>(by_name); }};
}

} // namespace glproc
