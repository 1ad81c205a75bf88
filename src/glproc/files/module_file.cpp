#include "glproc/files/module_file.hpp"

#include "glproc/base/own_place.hpp"

#ifdef GLPROC_BUILT_IN_WEBP // of the modules' libraries the only one that Debian has in static form
#include "glproc/files/modules/module.hpp"
#endif

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

/// Beside the program in its build folder, beside the library once installed, or seen from bin/. Only by full paths: a
/// module is code.
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

LoadedModule load(std::string_view name) {
#ifdef GLPROC_BUILT_IN_WEBP
    if (name == "webp")
        return {&glproc_module_webp, {}};
#endif
    const std::filesystem::path path = find_module(name);
    if (path.empty())
        return {nullptr, fmt::format("the module {}.so is not installed", name)};
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); // never closed: it is needed again
    const void* symbol = handle == nullptr ? nullptr : dlsym(handle, "glproc_module");
    if (symbol == nullptr) {
        const char* why = dlerror();
        return {nullptr, why == nullptr ? "unknown" : why};
    }
    return {symbol, {}};
}

} // namespace

const LoadedModule& loaded_module(std::string_view name) {
    static std::mutex guard;
    static std::map<std::string, LoadedModule, std::less<>> all;
    const std::lock_guard lock(guard);
    auto found = all.find(name);
    if (found == all.end())
        found = all.emplace(name, load(name)).first;
    return found->second;
}

} // namespace glproc
