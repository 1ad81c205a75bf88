#include "glproc/files/module_file.hpp"

#include "glproc/base/own_place.hpp"

#ifdef GLPROC_BUILT_IN_WEBP // of the modules' libraries the only one that Debian has in static form
#include "glproc/files/modules/module.hpp"
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#ifdef GLPROC_BUILT_IN_WEBP
extern "C" const glproc::modules::Module glproc_module_webp;
#endif

namespace glproc {
namespace {

#ifdef GLPROC_LINKED_STATICALLY
constexpr bool is_static = true;
#else
constexpr bool is_static = false;
#endif

/// Beside the program in its build folder, beside the library once installed, or seen from bin/. Only by full
/// paths: a module is code.
std::filesystem::path find_module(std::string_view name) {
    const std::string file = fmt::format("{}.so", name);
    std::vector<std::filesystem::path> folders;
    if (const char* told = std::getenv("GLPROC_MODULES"); told != nullptr)
        folders.emplace_back(told);
    const std::filesystem::path own = own_folder();
    folders.push_back(own / GLPROC_MODULE_FOLDER);
    folders.push_back(own / ".." / GLPROC_LIBDIR / GLPROC_MODULE_FOLDER);
    folders.push_back(std::filesystem::path(GLPROC_FULL_LIBDIR) / GLPROC_MODULE_FOLDER);
    for (const auto& folder : folders) {
        std::error_code ignored;
        if (folder.is_absolute() && std::filesystem::exists(folder / file, ignored))
            return folder / file;
    }
    return {};
}

/// What stands between `start` and the next space in a list of words; empty where none begins so.
std::string_view word_after(std::string_view list, std::string_view start) {
    const std::size_t at = list.find(start);
    return at == std::string_view::npos
               ? std::string_view()
               : list.substr(at + start.size(), list.find(' ', at) - at - start.size());
}

LoadedModule not_built(const ModuleInfo& module) {
    std::string option(module.name);
    std::ranges::transform(option, option.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    const std::string what =
        module.name == tiff_module.name ? std::string("libtiff") : fmt::format("the module {}", module.name);
    return {nullptr, ModuleState::not_built, fmt::format("needs {}, which this build lacks", what),
            is_static
                ? "programs with their libraries inside lack it: use glproc's package, or scripts/build"
                : fmt::format(
                      "install {} and build again: cmake --preset release -DGLPROC_{}=AUTO && scripts/build",
                      module.packages, option)};
}

LoadedModule not_installed(const ModuleInfo& module) {
    return {
        nullptr, ModuleState::not_installed,
        fmt::format("needs the module {}, which is not installed", module.name),
        fmt::format(
            "put the folder {}, with {}.so in it, beside the program, or its full path into GLPROC_MODULES",
            GLPROC_MODULE_FOLDER, module.name)};
}

/// The system names the first library that it has not found: "libheif.so.1: cannot open shared object file:
/// No such …".
LoadedModule not_loadable(const ModuleInfo& module, std::string_view why) {
    const std::string_view library =
        why.substr(0, why.find(": cannot open shared object file: No such file"));
    if (library.size() == why.size() || library.find('/') != std::string_view::npos) {
        return {nullptr, ModuleState::not_loadable,
                fmt::format("needs the module {}, which cannot be loaded: {}", module.name, why),
                "build and install glproc again"};
    }
    const std::size_t number = library.find(".so.");
    const std::size_t end = number == std::string_view::npos ? number : library.find('.', number + 4);
    const std::string_view package = word_after(GLPROC_PACKAGES, fmt::format("{}=", library.substr(0, end)));
    return {nullptr, ModuleState::not_loadable, fmt::format("needs {}, which is not installed", library),
            package.empty() ? fmt::format("install the package of your system that has {}", library)
                            : fmt::format("install {}", package)};
}

LoadedModule load(const ModuleInfo& module) {
#ifdef GLPROC_BUILT_IN_WEBP
    if (module.name == webp_module.name)
        return {&glproc_module_webp};
#endif
    if (!is_built(module))
        return not_built(module);
    const std::filesystem::path path = find_module(module.name);
    if (path.empty())
        return not_installed(module);
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // never closed: it is needed again
    const void* symbol = handle == nullptr ? nullptr : dlsym(handle, "glproc_module");
    if (symbol == nullptr) {
        const char* why = dlerror();
        return not_loadable(module, why == nullptr ? "unknown" : why);
    }
    return {symbol};
}

} // namespace

std::span<const ModuleInfo> all_modules() {
    static constexpr std::array all{webp_module, exr_module,  jxl_module,
                                    heif_module, lcms_module, draw_module};
    return all;
}

bool is_built(const ModuleInfo& module) {
    return fmt::format(" {} ", GLPROC_MODULES_BUILT).find(fmt::format(" {} ", module.name)) !=
           std::string::npos;
}

const LoadedModule& loaded_module(const ModuleInfo& module) {
    static std::mutex guard;
    static std::map<std::string_view, LoadedModule> all;
    const std::lock_guard lock(guard);
    auto found = all.find(module.name);
    if (found == all.end())
        found = all.emplace(module.name, load(module)).first;
    return found->second;
}

} // namespace glproc
