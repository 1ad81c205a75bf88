// A question for a file: a name to type, with completion, above what the folder holds.
#pragma once

#include "view/folder.hpp"
#include "view/viewport.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

struct ImGuiInputTextCallbackData;

namespace glproc::view {

class FileChooser {
  public:
    struct Question {
        std::string title = {};
        std::string button = {};
        bool writes = false;
        /// The folder to begin in; a name, for a file to be written.
        std::filesystem::path folder = {};
        std::string name = {};
        std::vector<std::string> recent = {};
        std::string note = {};                 ///< below the list
        std::vector<std::string> formats = {}; ///< ends of names, to choose from
        /// Of a file of this name, unless a person says another one; nothing where its format has none.
        std::function<std::optional<int>(const std::string& name)> quality = {};
        std::filesystem::path original = {}; ///< replaced only if a person says so twice
        /// Why a name will not do; empty where it will.
        std::function<std::string(const std::string& path)> refuses = {};
    };

    void ask(Question question);

    /// Whether it does not take what is typed yet: ImGui needs some frames to give its field the keyboard.
    bool is_opening() const { return frames_ < frames_to_focus; }

    /// The file, in the frame in which it was chosen.
    std::optional<std::string> show();

    /// What the list shows, and where a row of it is.
    const std::vector<FolderEntry>& entries() const { return entries_; }
    Point2 place_of(std::size_t row) const;
    const std::filesystem::path& folder() const { return folder_; }
    /// Why what was typed is not taken; empty where nothing was refused.
    const std::string& refusal() const { return refusal_; }
    /// That was chosen; nothing where it stays the usual one, or the format has none.
    std::optional<int> quality() const;
    /// Where its slider is, the list of formats, and one of them while that is open.
    Point2 place_of_quality() const { return slider_; }
    Point2 place_of_formats() const { return formats_; }
    Point2 place_of_format(std::size_t number) const;

  private:
    void go_to(const std::filesystem::path& folder);
    void show_recent();
    void list_all(std::vector<FolderEntry> entries, bool are_recent = false);
    void places(float width, float height);
    bool name_field();
    bool list(float height);
    void note() const;
    void format_list();
    void quality_slider();
    void forget_refusal();
    bool may_write(const std::filesystem::path& path);
    bool choose_row(std::size_t row);
    std::optional<std::string> accept();
    bool fits(const FolderEntry& entry) const;
    void take_key(ImGuiInputTextCallbackData& data);

    Question question_;
    std::filesystem::path folder_;
    std::vector<FolderEntry> all_;     ///< of the folder, or recent files with their paths
    std::vector<FolderEntry> entries_; ///< of those the ones that fit what was typed
    std::string typed_;
    std::optional<int> chosen_quality_;
    std::string refusal_;             ///< why what was typed is not taken
    std::filesystem::path confirmed_; ///< the original, which is replaced when it is chosen again
    std::string filter_;              ///< that `entries_` were chosen by
    std::optional<std::size_t> selected_;
    bool is_recent_ = false; ///< whether recent files are listed
    bool opens_ = false;     ///< with the next frame
    static constexpr int frames_to_focus = 3;
    int frames_ = frames_to_focus; ///< since it was asked
    bool takes_focus_ = false;
    bool scrolls_ = false;
    Point2 first_row_;
    Point2 slider_;
    Point2 formats_;
    Point2 first_format_;
    float row_height_ = 0;
};

} // namespace glproc::view
