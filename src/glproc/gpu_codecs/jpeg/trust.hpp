// Whether this driver is known to compute a codec correctly.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/shader/loader.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace glproc::gpu_codecs {

/// A program of a codec.
struct CodecProgram {
    std::string_view kernel;
    Defines defines{};
};

/// Whether results of these programs may be used. Programs that are new to the driver are run by `is_right`,
/// which compares their result for a probe with the CPU's. The program store remembers that they were right.
/// If they are not, or do not compile, the user is warned once for the context: "the driver cannot be trusted
/// to decode JPEG". Always true if a context does not check itself.
bool is_trusted(Context& gpu, std::string_view work, std::span<const CodecProgram> programs,
                const std::function<bool()>& is_right);

} // namespace glproc::gpu_codecs
