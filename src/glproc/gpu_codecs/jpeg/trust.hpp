// Whether this driver was seen to compute a codec rightly.
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

/// Whether results of these programs may be used. Those that are new to the driver are run by `is_right`, which compares
/// what they make of a probe with what the CPU makes; the program store remembers that they were right. Where they are not,
/// or do not compile, the user is warned once for the context: "the driver cannot be trusted to decode JPEG". Always true
/// where a context does not check itself.
bool is_trusted(Context& gpu, std::string_view work, std::span<const CodecProgram> programs,
                const std::function<bool()>& is_right);

} // namespace glproc::gpu_codecs
