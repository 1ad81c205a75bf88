#include "view/tools/files.hpp"

#include "cli/files/video_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "job/pages.hpp"
#include "view/folder.hpp"
#include "view/keys.hpp"
#include "view/panels/theme.hpp"
#include "view/tools/second.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

const char* const recipe_note = "glproc pipe and glproc video run it with --recipe.";

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// Why no file can be in this place; empty where one can.
std::string folder_refusal_of(const std::string& name) {
    const std::filesystem::path folder = std::filesystem::path(name).parent_path();
    return folder.empty() || is_folder(folder) ? "" : fmt::format("There is no folder {}", folder.string());
}

/// Why no image of this name can be written.
std::string refusal_of(const std::string& name) {
    try {
        check_encodable(std::filesystem::path(name).filename().string());
        return folder_refusal_of(name);
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<std::string> video_ends() {
    std::vector<std::string> ends;
    for (const cli::VideoContainer& one : cli::video_containers) {
        ends.emplace_back(one.end);
    }
    return ends;
}

} // namespace

void Files::ask(FileChooser::Question question, Take take) {
    question.button = !question.button.empty() ? question.button : question.writes ? "Save" : "Open";
    question.folder = question.folder.empty() ? "." : question.folder;
    question.note = !question.note.empty()
                        ? question.note
                        : "Tab completes a name, the arrows choose one. Or drop a file on the window.";
    take_ = std::move(take);
    chooser_.ask(std::move(question));
}

bool Files::is_file() const {
    return !all_.news.path.empty() && !is_camera(all_.news.path);
}

/// Of the file that is open, else the last one that was used.
std::string Files::folder() const {
    return is_file() ? std::filesystem::path(cli::file_of(all_.news.path)).parent_path().string()
                     : all_.session.folder;
}

void Files::ask_to_open() {
    ask({.title = "Open an image or a video", .folder = all_.session.folder, .recent = all_.session.recent},
        [this](const std::string& path) { open(path); });
}

void Files::ask_to_save() {
    const std::filesystem::path path(cli::file_of(all_.news.path));
    const bool is_video = all_.news.playing.is_video && cli::video_container_of(all_.news.path) != nullptr;
    const std::string end = is_video || refusal_of(path.string()).empty() ? path.extension().string() : ".png";
    ask({.title = "Save the result",
         .writes = true,
         .folder = folder(),
         .name = is_file() ? path.stem().string() + "-edited" + end : "out.png",
         .note = "The end of the name decides the format.",
         .formats = is_video ? video_ends() : writable_extensions(),
         .quality =
             [jpeg = all_.news.jpeg](const std::string& written) {
                 const std::optional<Format> format =
                     format_of(std::filesystem::path(written).extension().string());
                 return format ? usual_quality(*format, jpeg) : std::nullopt;
             },
         .original = is_file() ? path : std::filesystem::path(),
         .refuses =
             [is_video](const std::string& name) {
                 return is_video && cli::video_container_of(name) != nullptr ? folder_refusal_of(name)
                                                                           : refusal_of(name);
             }},
        [this](const std::string& chosen) { save(chosen); });
}

void Files::ask_to_compare() {
    ask({.title = "Compare with another image", .folder = folder(), .recent = all_.session.recent},
        [this](const std::string& path) {
            all_.engine.compare_with(path);
            all_.splits = true;
        });
}

void Files::ask_for(const WantedFile& wanted) {
    ask({.title = "Choose the file for " + wanted.field, .folder = folder(), .recent = all_.session.recent},
        [this, wanted](const std::string& path) { set_file(wanted, path); });
}

void Files::ask_to_load_recipe() {
    ask({.title = "Load a recipe", .folder = folder(), .note = recipe_note},
        [this](const std::string& path) { load_recipe(path); });
}

void Files::ask_to_save_recipe() {
    ask({.title = "Save the recipe",
         .writes = true,
         .folder = folder(),
         .name = "recipe.txt",
         .note = recipe_note},
        [this](const std::string& path) { save_steps(path); });
}

void Files::ask_to_save_preset() {
    std::error_code fault;
    std::filesystem::create_directories(preset_folder(), fault);
    ask({.title = "Save the operations as a preset",
         .writes = true,
         .folder = preset_folder(),
         .name = "my look.txt",
         .note = "It appears in the menu Recipe."},
        [this](const std::string& path) { save_steps(path); });
}

void Files::ask_to_rename(const std::filesystem::path& preset) {
    ask({.title = "Rename the preset " + preset.stem().string(),
         .button = "Rename",
         .writes = true,
         .folder = preset.parent_path(),
         .name = preset.filename().string()},
        [this, preset](const std::string& path) {
            std::error_code fault;
            std::filesystem::rename(preset, path, fault);
            all_.message.tell(fault ? "The preset cannot be renamed: " + fault.message()
                                    : "Renamed: " + std::filesystem::path(path).stem().string(),
                              bool(fault));
        });
}

void Files::ask_for_folder() {
    const std::filesystem::path path(folder());
    ask({.title = "Apply the operations to all images of the folder: where to",
         .writes = true,
         .folder = (path.empty() ? "." : path).parent_path(),
         .name = path.filename().string() + "-edited",
         .note = "A folder, which is made if it is not there. The images keep their names."},
        [this](const std::string& to) {
            queue(cli::pipe_command, std::filesystem::path(all_.news.path).parent_path().string(), to + "/");
        });
}

bool Files::key(const Key& pressed) {
    return act_on(pressed, {{ctrl('O'), [&] { ask_to_open(); }},
                            {ctrl('S'), [&] { ask_to_save(); }},
                            {ctrl('R'), [&] { ask_to_load_recipe(); }},
                            {ctrl('E'), [&] { ask_to_save_recipe(); }},
                            {page_down_key, [&] { open_beside(1); }},
                            {page_up_key, [&] { open_beside(-1); }}});
}

void Files::show() {
    if (const std::optional<std::string> path = chooser_.show()) {
        try {
            std::exchange(take_, nullptr)(*path);
        } catch (const Error& error) {
            all_.message.tell(error.what(), true);
        }
    }
    quit_question();
}

void Files::open(const std::string& named) {
    const std::string first = is_folder(named) ? beside(named + "/", 1) : "";
    path_ = first.empty() ? named : first;
    all_.held.reset();
    video_.forget_cut();
    all_.engine.open(path_);
    if (!is_camera(path_) && !is_folder(path_)) {
        all_.session.note(path_);
    }
    all_.wants_result = true;
    all_.view.fit();
}

void Files::open_beside(int direction) {
    const std::string next = path_.empty() || is_camera(path_) ? "" : beside(path_, direction);
    next.empty() ? all_.message.tell("There is no other image in this folder") : open(next);
}

/// A video is written beside the window, which goes on.
void Files::save(const std::string& path) {
    if (all_.news.playing.is_video && cli::names_video(path)) {
        queue(cli::video_command().name, all_.news.path, path);
        all_.document.mark_saved();
    } else {
        all_.engine.save(all_.document.steps(), path, chooser_.quality()); // which says when it is written
    }
    all_.session.folder = std::filesystem::path(path).parent_path().string();
}

void Files::save_steps(const std::string& path) {
    write_steps(all_.document.steps(), path);
    all_.document.mark_saved();
    all_.message.tell("Saved " + file_name(path));
}

void Files::queue(const std::string& command, const std::string& input, const std::string& output) {
    std::error_code unknown;
    if (std::filesystem::equivalent(input, output, unknown)) {
        return all_.message.tell("The result cannot replace what it is made of", true);
    }
    std::vector<std::string> words{"glproc", command, input, output};
    for (const std::vector<std::string>& more : {video_.flags(), words_of(all_.document.steps())}) {
        words.insert(words.end(), more.begin(), more.end());
    }
    const std::filesystem::path path(output);
    jobs_.add((path.has_filename() ? path : path.parent_path()).filename().string(), std::move(words));
}

void Files::set_file(const WantedFile& wanted, const std::string& path) {
    Document& document = all_.document;
    const std::optional<std::size_t> at = document.find(wanted.step); // which may be gone
    const FieldInfo* field = at ? field_called(*document.steps()[*at].op, wanted.field) : nullptr;
    if (field != nullptr) {
        const bool is_second = second_file(document.steps()[*at]).empty();
        document.set(*at, *field, path);
        document.settle();
        if (const auto handle = handle_of(document.steps()[*at]);
            is_second && handle && handle->kind == ToolKind::second) {
            all_.held = handle; // to put it in its place
        }
    }
}

void Files::load_recipe(const std::filesystem::path& path) {
    try {
        Steps steps = read_steps(path.string());
        if (!all_.document.steps().empty()) {
            all_.message.tell(path.stem().string() + " has replaced the operations. Undo brings them back.");
        }
        all_.document.replace(std::move(steps));
    } catch (const Error& error) {
        all_.message.tell(error.what(), true);
    }
}

void Files::recipe_menu() {
    if (ImGui::IsWindowAppearing()) {
        removed_preset_.clear();
    }
    const bool has_steps = !all_.document.steps().empty();
    const bool has_folder = all_.has_picture() && !all_.news.playing.is_video;
    std::error_code missing;
    menu_item("Load a recipe ...", "Ctrl+R", true, [&] { ask_to_load_recipe(); });
    menu_item("Save the recipe ...", "Ctrl+E", has_steps, [&] { ask_to_save_recipe(); });
    ImGui::Separator();
    menu_item("Save as a preset ...", nullptr, has_steps && !preset_folder().empty(),
              [&] { ask_to_save_preset(); });
    menu_item("Apply to all images of the folder ...", nullptr, has_steps && has_folder,
              [&] { ask_for_folder(); });
    menu_item("The operations of last time", nullptr, std::filesystem::exists(last_recipe(), missing),
              [&] { load_recipe(last_recipe()); });
    if (const auto all = presets_in(preset_folder()); !all.empty()) {
        ImGui::Separator();
        ImGui::TextDisabled("Presets");
        std::ranges::for_each(all, [this](const auto& one) { show_preset(one); });
    }
}

/// A click on its name loads it; buttons behind it rename it, and remove it at the second click.
void Files::show_preset(const std::filesystem::path& preset) {
    const std::string name = preset.stem().string();
    const bool asks = removed_preset_ == preset;
    const char* remove = asks ? "remove for good" : "remove";
    ImGui::PushID(name.c_str());
    const float width = std::max(ImGui::CalcTextSize(name.c_str()).x, scaled_pixels(150));
    if (ImGui::Selectable(name.c_str(), false, 0, {width, 0})) {
        load_recipe(preset);
    }
    ImGui::SameLine();
    if (ImGui::SmallButton("rename")) {
        ImGui::CloseCurrentPopup();
        ask_to_rename(preset);
    }
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, asks ? theme::fault : theme::text);
    if (ImGui::SmallButton(remove)) {
        std::error_code fault;
        if (asks && !std::filesystem::remove(preset, fault) && fault) {
            all_.message.tell("The preset cannot be removed: " + fault.message(), true);
        }
        removed_preset_ = asks ? std::filesystem::path() : preset;
    }
    ImGui::PopStyleColor();
    ImGui::PopID();
}

void Files::ask_to_quit() {
    quits_ = !all_.document.is_changed() && !jobs_.is_busy();
    asks_to_quit_ = !quits_;
}

void Files::quit_question() {
    if (asks_to_quit_) {
        ImGui::OpenPopup("quit");
    }
    asks_to_quit_ = false;
    ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5F, 0.5F});
    if (!ImGui::BeginPopupModal("quit", nullptr,
                                ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_AlwaysAutoResize)) {
        return;
    }
    ImGui::TextUnformatted(jobs_.is_busy()
                               ? "Work goes on beside the window. Quitting stops it."
                               : "The operations are not saved, neither as an image nor as a recipe.");
    ImGui::Dummy({0, scaled_pixels(4)});
    const ImVec2 size{scaled_pixels(110), 0};
    const bool saves = ImGui::Button("Save image", size);
    ImGui::SameLine();
    const bool saves_recipe = ImGui::Button("Save recipe", size);
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Button, theme::accent_deep); // what Enter does
    quits_ = ImGui::Button("Quit without saving") || is_key_pressed(enter_key);
    ImGui::PopStyleColor();
    ImGui::SameLine();
    const bool stays = ImGui::Button("Cancel", size) || is_key_pressed(escape_key);
    if (saves || saves_recipe || quits_ || stays) {
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
    if (saves) {
        ask_to_save();
    } else if (saves_recipe) {
        ask_to_save_recipe();
    }
}

} // namespace glproc::view
