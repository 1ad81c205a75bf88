// What the window remembers from one time to the next. No window, no OpenGL.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glproc::view {

struct Session {
    static constexpr std::size_t most_recent = 12;

    int width = 1280;
    int height = 800;
    bool is_light = false;           ///< the colours of the window
    std::string folder;              ///< that a file was last opened from or saved to
    std::vector<std::string> recent; ///< files that were opened, the last one first

    /// A file was opened.
    void note(const std::string& path);
    bool operator==(const Session&) const = default;
};

/// $XDG_STATE_HOME/glproc/view or ~/.local/state/glproc/view; empty if nothing says where home is.
std::filesystem::path session_file();

/// The recipe of the operations that were there at the end; empty if nothing says where home is.
std::filesystem::path last_recipe();

/// Recipes that the window offers by name are in $XDG_CONFIG_HOME/glproc/presets or ~/.config/glproc/presets;
/// empty if nothing says where home is.
std::filesystem::path preset_folder();

/// The files of it, in the order of their names.
std::vector<std::filesystem::path> presets_in(const std::filesystem::path& folder);

/// What the file says, as far as it can be read and makes sense.
Session read_session(const std::filesystem::path& file);

/// Without a word where that cannot be: nobody needs it.
void write_session(const Session& session, const std::filesystem::path& file);

} // namespace glproc::view
