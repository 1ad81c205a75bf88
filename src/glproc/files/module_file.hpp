// Finds and loads modules: parts of the program that need libraries which not every machine has.
#pragma once

#include "glproc/base/error.hpp"

#include <span>
#include <string>
#include <string_view>

namespace glproc {

struct ModuleInfo {
    std::string_view name;     ///< of its file, and in CMake's GLPROC_<NAME>
    std::string_view title;    ///< what it is for
    std::string_view packages; ///< of Debian, which it is built with
};

inline constexpr ModuleInfo webp_module{"webp", "WebP", "libwebp-dev"};
inline constexpr ModuleInfo exr_module{"exr", "OpenEXR", "libopenexr-dev"};
inline constexpr ModuleInfo jxl_module{"jxl", "JPEG XL", "libjxl-dev"};
inline constexpr ModuleInfo heif_module{"heif", "HEIC and AVIF", "libheif-dev"};
inline constexpr ModuleInfo lcms_module{"lcms", "colour profiles", "liblcms2-dev"};
inline constexpr ModuleInfo draw_module{"draw", "text and shapes", "libpango1.0-dev and libcairo2-dev"};
/// Part of the program where it is there: libtiff needs no file of its own.
inline constexpr ModuleInfo tiff_module{"tiff", "TIFF", "libtiff-dev"};

/// All of them.
std::span<const ModuleInfo> all_modules();

/// Whether the program was built with it, whatever has become of its file since.
bool is_built(const ModuleInfo& module);

enum class ModuleState { ready, not_built, not_installed, not_loadable };

struct LoadedModule {
    const void* symbol = nullptr; ///< what a module exports
    ModuleState state = ModuleState::ready;
    std::string problem = {}; ///< "needs the module heif, which this build lacks"
    std::string hint = {};    ///< what mends it
};

/// Loads on first use; a failure is final for the process.
const LoadedModule& loaded_module(const ModuleInfo& module);

/// What the module exports. Throws Error(code) with a hint where it cannot be used: `who` has "o.avif: this
/// format".
template <class Exported>
const Exported& use_module(const ModuleInfo& module, ErrorCode code, std::string_view who) {
    const LoadedModule& loaded = loaded_module(module);
    if (loaded.symbol == nullptr)
        throw Error(code, std::string(who) + " " + loaded.problem, loaded.hint);
    return *static_cast<const Exported*>(loaded.symbol);
}

} // namespace glproc
