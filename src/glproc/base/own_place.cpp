#include "glproc/base/own_place.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace glproc {

namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

// By the kernel's word: dladdr() tells argv[0], which is relative, or whatever the caller made of it.
fs::path own_folder() {
    const auto address = reinterpret_cast<std::uintptr_t>(&own_folder);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        char dash = 0;
        std::istringstream(line) >> std::hex >> begin >> dash >> end;
        if (address >= begin && address < end) {
            const std::size_t path = line.find('/');
            return path == std::string::npos ? fs::path() : fs::path(line.substr(path)).parent_path();
        }
    }
    return {};
}

fs::path find_program(const std::string& name) {
    std::error_code unknown;
    const fs::path self = fs::read_symlink("/proc/self/exe", unknown);
    if (!unknown && is_program(self.parent_path() / name)) {
        return self.parent_path() / name;
    }
    const char* folders = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    std::istringstream rest(folders == nullptr ? "" : folders);
    for (std::string folder; std::getline(rest, folder, ':');) {
        if (fs::path(folder).is_absolute() && is_program(fs::path(folder) / name)) {
            return fs::path(folder) / name;
        }
    }
    return {};
}

} // namespace glproc
