// A dispatch as tests see it: enough to run it once more, elsewhere.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/shader/loader.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace glproc {

struct WatchedDispatch {
    struct Resource {
        std::string name; ///< as the kernel declares it
        std::variant<const Texture*, const Buffer*> resource;
        BufferRange range; ///< of a buffer
    };
    const Program& program;
    std::array<std::int64_t, 3> groups;
    std::vector<Resource> resources;
    std::vector<std::pair<std::string, UniformValue>> uniforms;
};

/// Called with each program that is made, by its identity(), and what the driver compiles. Null as below.
inline void (*watch_program)(std::uint64_t identity, const ShaderSource& source) = nullptr;

/// Called before each dispatch of the process, and what it returns after it. Null in programs, which no test
/// watches. Set it before the first dispatch.
inline std::function<void()> (*watch_dispatch)(const WatchedDispatch&) = nullptr;

} // namespace glproc
