#include "view/presets.hpp"

#include "view/folder.hpp"

#include <cstdlib>

namespace glproc::view {

std::filesystem::path preset_folder() {
    const char* config = std::getenv("XDG_CONFIG_HOME"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    if (config != nullptr && std::filesystem::path(config).is_absolute()) {
        return std::filesystem::path(config) / "glproc" / "presets";
    }
    const std::filesystem::path home = home_folder();
    return home.is_absolute() ? home / ".config" / "glproc" / "presets" : std::filesystem::path();
}

std::vector<std::filesystem::path> presets_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> presets;
    for (const FolderEntry& entry : entries_of(folder)) {
        if (!entry.is_folder) {
            presets.push_back(folder / entry.name);
        }
    }
    return presets;
}

} // namespace glproc::view
