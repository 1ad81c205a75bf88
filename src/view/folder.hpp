// What a folder holds, for the file chooser and for the next picture of a folder. No window, no OpenGL.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace glproc::view {

struct FolderEntry {
    std::string name;
    bool is_folder = false;
    std::uintmax_t bytes = 0;
    std::time_t written = 0; ///< 0 where it is not known
    bool operator==(const FolderEntry&) const = default;
};

/// Folders first, then files, in the order that a person expects: 2.png before 10.png, whatever the capitals.
/// Without names that begin with a dot. Empty if the folder cannot be read.
std::vector<FolderEntry> entries_of(const std::filesystem::path& folder);

/// Whether it is there, and a folder.
bool is_folder(const std::filesystem::path& path);

/// Whether a name comes before another one in that order.
bool is_before(const std::string& a, const std::string& b);

/// A path as it was typed: ~ is the home folder, and what is relative begins in `folder`.
std::filesystem::path typed_path(const std::string& typed, const std::filesystem::path& folder);

/// The typed path with all that its possible ends have in common; a folder that is the only one gets its
/// slash.
std::string completed(const std::string& typed, const std::filesystem::path& folder);

/// Whether its name says that it is an image or a video that can be opened.
bool names_picture(const std::string& name);

/// The image or video beside this one in its folder: `direction` 1 is the next, -1 the one before, and it
/// begins again at the other end. Empty if there is no other.
std::string beside(const std::string& path, int direction);

/// The home folder; empty if nothing says where it is.
std::filesystem::path home_folder();

} // namespace glproc::view
