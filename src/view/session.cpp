#include "view/session.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "view/folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

namespace glproc::view {

namespace {

constexpr int least_side = 320;
constexpr int most_side = 16384;

bool is_side(int n) {
    return n >= least_side && n <= most_side;
}

} // namespace

void Session::note(const std::string& path) {
    std::error_code unknown;
    const std::string whole = std::filesystem::absolute(path, unknown).lexically_normal().string();
    if (unknown || whole.find('\n') != std::string::npos) { // which is a line of the file
        return;
    }
    std::erase(recent, whole);
    recent.insert(recent.begin(), whole);
    recent.resize(std::min(recent.size(), most_recent));
    folder = std::filesystem::path(whole).parent_path().string();
}

namespace {

/// Of glproc, in the folder that the variable names, else in this one below home; empty if nothing says where
/// home is.
std::filesystem::path own_path(const char* variable, const char* below_home, const char* name) {
    const char* named = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): nothing sets it
    std::filesystem::path folder(named == nullptr ? "" : named);
    folder = folder.is_absolute() ? folder : home_folder() / below_home;
    return folder.is_absolute() ? folder / "glproc" / name : std::filesystem::path();
}

} // namespace

std::filesystem::path session_file() {
    return own_path("XDG_STATE_HOME", ".local/state", "view");
}

std::filesystem::path preset_folder() {
    return own_path("XDG_CONFIG_HOME", ".config", "presets");
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

std::filesystem::path last_recipe() {
    const std::filesystem::path file = session_file();
    return file.empty() ? file : file.parent_path() / "last-operations.txt";
}

Session read_session(const std::filesystem::path& file) {
    Session session;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string name = line.substr(0, blank);
        const std::string value = line.substr(std::min(blank + 1, line.size()));
        if (name == "size") {
            int width = 0;
            int height = 0;
            if (std::istringstream(value) >> width >> height && is_side(width) && is_side(height)) {
                session.width = width;
                session.height = height;
            }
        } else if (name == "colours") {
            session.is_light = value == "light";
        } else if (name == "folder") {
            session.folder = value;
        } else if (name == "recent" && session.recent.size() < Session::most_recent) {
            session.recent.push_back(value);
        }
    }
    return session;
}

void write_session(const Session& session, const std::filesystem::path& file) {
    std::string text = fmt::format("size {} {}\ncolours {}\nfolder {}\n", session.width, session.height,
                                   session.is_light ? "light" : "dark", session.folder);
    for (const std::string& path : session.recent) {
        text += fmt::format("recent {}\n", path);
    }
    std::error_code fault;
    std::filesystem::create_directories(file.parent_path(), fault);
    if (fault) {
        return;
    }
    try {
        write_file(file, std::as_bytes(std::span(text)));
    } catch (const Error&) { // a full disk, or one that cannot be written to
    }
}

} // namespace glproc::view
