#include "glproc/gl/device.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/workarounds.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool contains(std::string_view text, std::string_view part) {
    return lower(text).find(lower(part)) != std::string::npos;
}

/// An extension the driver has, unless GLPROC_DISABLE=KHR_shader_subgroup,… forces the fallback.
bool has_extension(std::string_view name) {
    const char* disabled = std::getenv("GLPROC_DISABLE");
    if (disabled != nullptr && contains(fmt::format(",{},", disabled), fmt::format(",{},", name))) {
        return false;
    }
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLuint i = 0; i < static_cast<GLuint>(count); ++i) {
        const auto* text = reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, i));
        if (text != nullptr && fmt::format("GL_{}", name) == text) {
            return true;
        }
    }
    return false;
}

/// Whether invocations of a subgroup can ask each other, as lib/subgroup.glsl does.
bool has_subgroup_shuffles() {
    if (!has_extension("KHR_shader_subgroup")) {
        return false;
    }
    GLint stages = 0;
    GLint features = 0;
    glGetIntegerv(GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stages);
    glGetIntegerv(GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
    constexpr GLint needed = GL_SUBGROUP_FEATURE_BALLOT_BIT_KHR | GL_SUBGROUP_FEATURE_SHUFFLE_BIT_KHR |
                             GL_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT_KHR;
    return (stages & GL_COMPUTE_SHADER_BIT) != 0 && (features & needed) == needed;
}

std::string get_string(GLenum name) {
    const auto* text = reinterpret_cast<const char*>(glGetString(name));
    return text != nullptr ? text : "";
}

bool is_software(std::string_view renderer) {
    constexpr std::array<std::string_view, 5> names{"llvmpipe", "softpipe", "swrast", "swiftshader",
                                                    "software"};
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return contains(renderer, name); });
}

/// Free memory of the GPU as the driver reports it, or 0.
std::uint64_t query_free_bytes() {
    // These extensions consist of the queries alone, so the loader need not know them. In KiB.
    constexpr GLenum current_available_vidmem = 0x9049;
    constexpr GLenum texture_free_memory = 0x87FC;
    std::array<GLint, 4> kibibytes{};
    if (has_extension("NVX_gpu_memory_info")) {
        glGetIntegerv(current_available_vidmem, kibibytes.data());
    } else if (has_extension("ATI_meminfo")) {
        glGetIntegerv(texture_free_memory, kibibytes.data());
    }
    return static_cast<std::uint64_t>(std::max(kibibytes[0], 0)) << 10U;
}

} // namespace

DeviceInfo query_device() {
    GLint major = 0;
    GLint minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (major * 10 + minor < 43) {
        throw Error(ErrorCode::no_context,
                    fmt::format("{} has OpenGL {}.{} only", get_string(GL_RENDERER), major, minor));
    }
    DeviceInfo info;
    info.renderer = get_string(GL_RENDERER);
    info.vendor = get_string(GL_VENDOR);
    info.version = get_string(GL_VERSION);
    info.glsl = get_string(GL_SHADING_LANGUAGE_VERSION);
    info.software = is_software(info.renderer);
    info.has_subgroup = has_subgroup_shuffles();
    if (info.has_subgroup) {
        info.extensions.emplace_back("GL_KHR_shader_subgroup");
    }
    info.tells_of_resets = has_extension("KHR_robustness");
    info.has_mapped_memory = has_extension("ARB_buffer_storage");
    if (info.has_mapped_memory) {
        info.extensions.emplace_back("GL_ARB_buffer_storage");
    }
    info.workarounds = workarounds_of(info);
    return info;
}

std::uint64_t default_memory_bytes(const DeviceInfo& device) {
    if (device.software) {
        return std::uint64_t{512} << 20U;
    }
    const std::uint64_t free_bytes = query_free_bytes();
    return free_bytes > 0 ? free_bytes / 2 : std::uint64_t{2} << 30U;
}

bool DeviceInfo::is(std::string_view part) const {
    // "zink (NAME)", since Mesa 23 "zink Vulkan 1.4(NAME)", is OpenGL on the Vulkan driver of NAME: another
    // driver, which has neither NAME's speed nor its bugs.
    constexpr std::string_view zink = "zink ";
    const bool names_another = lower(renderer).starts_with(zink) && !lower(part).starts_with("zink");
    return (!names_another && contains(renderer, part)) || contains(vendor, part);
}

} // namespace glproc
