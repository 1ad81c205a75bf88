#include "view/folder.hpp"

#include "cli/files/video_command.hpp"
#include "glproc/files/codec.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <compare>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>

namespace glproc::view {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

char small(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// The digits at the beginning, without zeros before them.
std::string_view number_at(std::string_view text) {
    text = text.substr(0, text.find_first_not_of("0123456789"));
    return text.substr(std::min(text.find_first_not_of('0'), text.size()));
}

void skip_number(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
}

/// Runs of digits by their number, letters whatever their size.
std::weak_ordering natural_order(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a.front()) && is_digit(b.front())) {
            const std::string_view x = number_at(a);
            const std::string_view y = number_at(b);
            if (const auto order = std::tuple(x.size(), x) <=> std::tuple(y.size(), y); order != 0) {
                return order;
            }
            skip_number(a);
            skip_number(b);
        } else {
            if (const auto order = small(a.front()) <=> small(b.front()); order != 0) {
                return order;
            }
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.size() <=> b.size();
}

std::size_t common_length(const std::string& a, const std::string& b) {
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

} // namespace

bool is_folder(const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::is_directory(path, unknown);
}

bool is_before(const std::string& a, const std::string& b) {
    const auto order = natural_order(a, b);
    return order != 0 ? order < 0 : a < b;
}

namespace {

std::time_t written_at(const std::filesystem::directory_entry& entry) {
    std::error_code unknown;
    const auto time = entry.last_write_time(unknown);
    const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
    return unknown ? 0 : std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

} // namespace

std::vector<FolderEntry> entries_of(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::vector<FolderEntry> entries;
    std::error_code fault;
    for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, fault);
         !fault && at != fs::directory_iterator(); at.increment(fault)) {
        FolderEntry entry{at->path().filename().string()};
        if (entry.name.starts_with('.')) {
            continue;
        }
        std::error_code unknown;
        entry.is_folder = at->is_directory(unknown);
        entry.bytes = entry.is_folder ? 0 : at->file_size(unknown);
        entry.bytes = unknown ? 0 : entry.bytes;
        entry.written = written_at(*at);
        entries.push_back(std::move(entry));
    }
    std::ranges::sort(entries, [](const FolderEntry& a, const FolderEntry& b) {
        return a.is_folder != b.is_folder ? a.is_folder : is_before(a.name, b.name);
    });
    return entries;
}

std::filesystem::path home_folder() {
    const char* home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    return home == nullptr ? "" : home;
}

std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& folder) {
    if (typed == "~" || typed.starts_with("~/")) {
        const std::filesystem::path home = home_folder();
        return home.empty() ? folder / typed : home / typed.substr(std::min<std::size_t>(2, typed.size()));
    }
    return folder / typed; // which is `typed` alone if that is absolute
}

std::string completed(const std::string& typed, const std::filesystem::path& folder) {
    const std::size_t slash = typed.rfind('/');
    const std::string before = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
    const std::string begin = typed.substr(before.size());
    std::optional<std::string> common;
    for (const FolderEntry& entry : entries_of(typed_path(before, folder))) {
        if (entry.name.starts_with(begin)) {
            const std::string name = entry.name + (entry.is_folder ? "/" : "");
            common = common ? common->substr(0, common_length(*common, name)) : name;
        }
    }
    return common ? before + *common : typed;
}

bool names_picture(const std::string& name) {
    return format_of(std::filesystem::path(name).extension().string()).has_value() ||
           cli::video_container_of(name) != nullptr;
}

std::string beside(const std::string& path, int direction) {
    const std::filesystem::path at(path);
    const std::filesystem::path folder = at.has_parent_path() ? at.parent_path() : ".";
    std::vector<std::string> names;
    for (const FolderEntry& entry : entries_of(folder)) {
        if (!entry.is_folder && names_picture(entry.name)) {
            names.push_back(entry.name);
        }
    }
    const std::string name = at.filename().string();
    const auto found = std::lower_bound(names.begin(), names.end(), name, is_before);
    const bool is_there = found != names.end() && *found == name;
    if (names.size() < (is_there ? std::size_t{2} : std::size_t{1})) {
        return {};
    }
    const auto count = static_cast<std::ptrdiff_t>(names.size());
    const std::ptrdiff_t here = found - names.begin();
    const std::ptrdiff_t next = direction > 0 ? here + (is_there ? 1 : 0) : here - 1;
    return (folder / names[static_cast<std::size_t>((next + count) % count)]).string();
}

} // namespace glproc::view
