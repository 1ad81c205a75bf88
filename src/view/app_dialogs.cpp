// Questions and messages.
#include "view/app.hpp"

#include "cli/files/film_command.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "job/pages.hpp"
#include "view/keys.hpp"
#include "view/presets.hpp"
#include "view/tools/second.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

namespace glproc::view {

namespace {

/// Why no file can be in this place; empty where one can.
std::string folder_refusal_of(const std::string& name) {
    const std::filesystem::path folder = std::filesystem::path(name).parent_path();
    std::error_code missing;
    return folder.empty() || std::filesystem::is_directory(folder, missing) ? "" : fmt::format("There is no folder {}", folder.string());
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

std::vector<std::string> film_ends() {
    std::vector<std::string> ends;
    for (const cli::FilmContainer& one : cli::film_containers) {
        ends.emplace_back(one.end);
    }
    return ends;
}

} // namespace

void App::ask(Ask what) {
    asks_ = what;
    const std::filesystem::path path(cli::file_of(news_.path));
    const bool is_file = !news_.path.empty() && !is_camera(news_.path);
    FileChooser::Question question{
        .title = "Open an image or a video",
        .button = "Open",
        .folder = is_file && what != Ask::open ? path.parent_path().string() : session_.folder,
        .note = "Tab completes a name, the arrows choose one. Or drop a file on the window."};
    question.folder = question.folder.empty() ? "." : question.folder;
    if (what == Ask::open) {
        question.recent = session_.recent;
    } else if (what == Ask::save) {
        question.title = "Save the result";
        const bool is_film = news_.playing.is_film && cli::film_container_of(news_.path) != nullptr;
        const std::string end = is_film || refusal_of(path.string()).empty() ? path.extension().string() : ".png";
        question.name = is_file ? path.stem().string() + "-edited" + end : "out.png";
        question.note = "The end of the name decides the format.";
        question.formats = is_film ? film_ends() : writable_extensions();
        question.quality = [jpeg = news_.jpeg](const std::string& written) {
            const std::optional<Format> format =
                format_of(std::filesystem::path(written).extension().string());
            return format ? usual_quality(*format, jpeg) : std::nullopt;
        };
        question.original = is_file ? path : std::filesystem::path();
        question.refuses = [is_film](const std::string& name) {
            return is_film && cli::film_container_of(name) != nullptr ? folder_refusal_of(name) : refusal_of(name);
        };
    } else if (what == Ask::apply_to_folder) {
        question.title = "Apply the operations to all images of the folder: where to";
        question.folder = question.folder.parent_path();
        question.name = path.parent_path().filename().string() + "-edited";
        question.note = "A folder, which is made if it is not there. The images keep their names.";
    } else if (what == Ask::save_preset) {
        question.title = "Save the operations as a preset";
        question.folder = preset_folder();
        question.name = "my look.txt";
        question.note = "It appears in the menu Recipe.";
    } else if (what == Ask::rename_preset) {
        question.title = "Rename the preset " + renamed_preset_.stem().string();
        question.folder = renamed_preset_.parent_path();
        question.name = renamed_preset_.filename().string();
    } else if (what == Ask::step_file) {
        question.title = "Choose the file for " + wanted_file_.field;
        question.recent = session_.recent;
    } else if (what == Ask::compare) {
        question.title = "Compare with another image";
        question.recent = session_.recent;
    } else {
        question.title = what == Ask::load_recipe ? "Load a recipe" : "Save the recipe";
        question.name = what == Ask::load_recipe ? "" : "recipe.txt";
        question.note = "glproc pipe and glproc video run it with --recipe.";
    }
    question.writes = what == Ask::save || what == Ask::save_recipe || what == Ask::save_preset ||
                      what == Ask::rename_preset || what == Ask::apply_to_folder;
    question.button = what == Ask::rename_preset ? "Rename" : question.writes ? "Save" : "Open";
    chooser_.ask(std::move(question));
}

namespace {

constexpr double fault_seconds = 15; // that a message is shown
constexpr double news_seconds = 6;

} // namespace

/// Seconds until what is shown changes by itself; nothing where it does not.
std::optional<double> App::next_change() const {
    constexpr double progress_seconds = 0.25;
    std::optional<double> next;
    const auto note = [&](double seconds) { next = std::min(next.value_or(seconds), seconds); };
    if (jobs_.is_busy()) {
        note(progress_seconds);
    }
    if (const auto waiting = waited(); waiting && *waiting < patient_seconds) {
        note(patient_seconds - *waiting);
    }
    if (!message_.empty()) {
        note(message_left());
    }
    return next;
}

double App::message_left() const {
    return std::max(0.0, message_since_ + (message_is_fault_ ? fault_seconds : news_seconds) - ImGui::GetTime());
}

/// At the lower edge of the picture: what went wrong, or what was done.
void App::show_message() {
    if (!message_.empty() && message_left() == 0) {
        message_.clear();
    }
    const bool has_fault = !news_.fault.empty() && news_.fault != closed_fault_;
    const std::string text = has_fault ? news_.fault : message_;
    if (text.empty()) {
        return;
    }
    const bool is_fault = has_fault || message_is_fault_;
    const float pad = scaled_pixels(10);
    const float cross = scaled_pixels(12);
    const float wrap = std::max(scaled_pixels(60), static_cast<float>(area_size_.x) - 6 * pad - cross);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
    const ImVec2 at{static_cast<float>(area_.x) + 2 * pad,
                    static_cast<float>(area_.y + area_size_.y) - size.y - 3 * pad};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x + size.x + 3 * pad + cross, at.y + size.y + pad},
                       ImGui::GetColorU32(theme::popup), scaled_pixels(5));
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x - pad + scaled_pixels(3), at.y + size.y + pad},
                       ImGui::GetColorU32(is_fault ? theme::fault : theme::good), scaled_pixels(5),
                       ImDrawFlags_RoundCornersLeft);
    draw.AddText(nullptr, 0, at, ImGui::GetColorU32(theme::text), text.c_str(), nullptr, wrap);
    const ImVec2 corner{at.x + size.x + 2 * pad, at.y + (ImGui::GetTextLineHeight() - cross) / 2};
    const bool is_over =
        ImGui::IsMouseHoveringRect({at.x - pad, at.y - pad}, {corner.x + cross + pad, at.y + size.y + pad});
    const ImU32 colour = ImGui::GetColorU32(is_over ? theme::text : theme::dim);
    const float thick = scaled_pixels(1.6F);
    draw.AddLine({corner.x + 1, corner.y + 1}, {corner.x + cross - 1, corner.y + cross - 1}, colour, thick);
    draw.AddLine({corner.x + 1, corner.y + cross - 1}, {corner.x + cross - 1, corner.y + 1}, colour, thick);
    message_cross_ = {corner.x + cross / 2, corner.y + cross / 2};
    if (is_over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        close_message();
    }
}

/// Until there is another one.
void App::close_message() {
    closed_fault_ = news_.fault;
    message_.clear();
}

void App::question() {
    if (const std::optional<std::string> path = chooser_.show()) {
        answer(*path);
    }
}

void App::answer(const std::string& path) {
    try {
        switch (asks_) {
        case Ask::open:
            open(path);
            break;
        case Ask::save:
            save(path);
            break;
        case Ask::load_recipe:
            load_recipe(path);
            break;
        case Ask::apply_to_folder:
            queue(cli::pipe_command, std::filesystem::path(news_.path).parent_path().string(), path + "/");
            break;
        case Ask::save_preset:
        case Ask::save_recipe:
            write_steps(document_.steps(), path);
            document_.mark_saved();
            tell("Saved " + std::filesystem::path(path).filename().string(), false);
            break;
        case Ask::rename_preset:
            rename_preset(path);
            break;
        case Ask::compare:
            engine_.compare_with(path);
            splits_ = true;
            break;
        case Ask::step_file:
            set_step_file(path);
            break;
        case Ask::nothing:
            break;
        }
    } catch (const Error& error) {
        tell(error.what(), true);
    }
}

void App::set_step_file(const std::string& path) {
    const std::optional<std::size_t> at = document_.find(wanted_file_.step); // which may be gone
    const FieldInfo* field = at ? field_called(*document_.steps()[*at].op, wanted_file_.field) : nullptr;
    if (field != nullptr) {
        const bool is_second = second_file(document_.steps()[*at]).empty();
        document_.set(*at, *field, path);
        document_.settle();
        const Step& step = document_.steps()[*at];
        if (const auto handle = handle_of(step); is_second && handle && handle->kind == ToolKind::second) {
            tool_ = handle; // to put it in its place
        }
    }
}

void App::remember_folder(const std::string& path) {
    session_.folder = std::filesystem::path(path).parent_path().string();
}

/// At once, unless operations would be lost.
void App::ask_to_quit() {
    quits_ = !document_.is_changed() && !jobs_.is_busy();
    asks_to_quit_ = !quits_;
}

void App::quit_question() {
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
    if (saves || saves_recipe) {
        ask(saves ? Ask::save : Ask::save_recipe);
    }
}

} // namespace glproc::view
