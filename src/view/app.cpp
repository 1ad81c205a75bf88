#include "view/app.hpp"

#include "view/folder.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <imgui.h>

namespace glproc::view {

namespace {

constexpr float panel_width = 340;
constexpr float least_panel_width = 280; // in which sliders have room beside their numbers
constexpr float table_height = 220;
constexpr float least_picture_width = 150; // in which the longest button fits, and words of messages

} // namespace

Point2 size_of(const Shown& shown) {
    const double aspect = shown.pixel_aspect > 0 ? shown.pixel_aspect : 1;
    return {shown.form.width * std::max(aspect, 1.0), shown.form.height * std::max(1 / aspect, 1.0)};
}

App::App(Engine& engine, Document& document) : engine_(engine), document_(document) {}

/// Of a folder the first image.
void App::open(const std::string& named) {
    std::error_code unknown;
    const bool is_folder = std::filesystem::is_directory(named, unknown);
    const std::string first = is_folder ? beside(named + "/", 1) : "";
    const std::string path = first.empty() ? named : first;
    path_ = path;
    tool_.reset();
    has_measured_ = false;
    cut_ = {};
    engine_.open(path);
    if (!is_camera(path) && (!is_folder || !first.empty())) {
        session_.note(path);
    }
    asked_version_ = 0;
    view_.fit();
}

std::string App::title() const {
    return news_.name.empty() ? "glproc" : news_.name + " - glproc";
}

void App::tell(const std::string& text, bool is_fault) {
    message_ = text;
    message_is_fault_ = is_fault;
    message_since_ = ImGui::GetTime();
}

void App::take_news() {
    news_ = engine_.news();
    if (news_.message_number != message_number_) {
        message_number_ = news_.message_number;
        tell(news_.message, news_.message_is_fault);
    }
    if (news_.saved_number != saved_number_) {
        saved_number_ = news_.saved_number;
        document_.mark_saved(news_.saved);
    }
    if (news_.fault.empty()) {
        closed_fault_.clear();
    }
    Steps wanted = wanted_steps();
    const bool is_partial = tool_ && !measures();
    const bool is_new = is_partial ? wanted != asked_steps_ || !asked_for_tool_
                                   : document_.version() != asked_version_ || asked_for_tool_;
    if (is_new || asked_version_ == 0) {
        asked_version_ = document_.version();
        asked_for_tool_ = is_partial;
        asked_steps_ = std::move(wanted);
        asked_at_ = ImGui::GetTime();
        engine_.show(asked_steps_, asked_version_);
    }
    const Point2 size = size_of(news_.result);
    view_.set_picture(size.x, size.y);
    document_.set_source(news_.source.form);
}

/// How long the result has been waited for, in seconds; nothing where it is there, even as a preview.
std::optional<double> App::waited() const {
    const bool is_there = news_.version == asked_version_ || news_.source.image == nullptr || news_.playing.plays;
    return is_there ? std::nullopt : std::optional(ImGui::GetTime() - asked_at_);
}

bool App::has_command() const {
    return !words_of(document_.steps()).empty() || !film_flags().empty();
}

void App::copy_command() {
    if (!has_command()) {
        return tell("Add an operation first: there is no command line yet", true);
    }
    if (is_camera(news_.path)) {
        return tell("A camera has no command line; only files do", true);
    }
    ImGui::SetClipboardText(command().c_str());
    document_.mark_saved();
    tell("Command line copied", false);
}

namespace {

/// The popup that comes next opens below the button before it, and ends within the window.
void begin_below() {
    const float top = ImGui::GetItemRectMax().y + scaled_pixels(4);
    const float room = ImGui::GetMainViewport()->Size.y - top - scaled_pixels(4);
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, top});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(room, scaled_pixels(100))});
}

} // namespace

float App::toolbar_height() const {
    return static_cast<float>(toolbar_lines_) * ImGui::GetFrameHeightWithSpacing() -
           ImGui::GetStyle().ItemSpacing.y + 2 * ImGui::GetStyle().WindowPadding.y;
}

void App::toolbar(float width) {
    ImGui::BeginChild("toolbar", {width, toolbar_height()}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NavFlattened);
    const float left = ImGui::GetCursorPosX();
    int lines = 1;
    // What does not fit into the line goes on in the next.
    const auto button = [&](const char* name, const char* what, bool enabled = true) {
        const float needed = ImGui::CalcTextSize(name).x + 2 * ImGui::GetStyle().FramePadding.x;
        if (ImGui::GetCursorPosX() > left && ImGui::GetCursorPosX() + needed > width - left) {
            ImGui::NewLine();
            ++lines;
        }
        ImGui::BeginDisabled(!enabled);
        const bool is_pressed = ImGui::Button(name);
        ImGui::EndDisabled();
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) {
            ImGui::SetTooltip("%s", what);
        }
        ImGui::SameLine();
        return is_pressed;
    };
    const auto gap = [] {
        ImGui::Dummy({scaled_pixels(6), 0});
        ImGui::SameLine();
    };
    const bool has_picture = news_.source.image != nullptr;
    if (button("Open", "Open an image  Ctrl+O")) {
        ask(Ask::open);
    }
    if (button("Save", "Save the result  Ctrl+S", has_picture)) {
        ask(Ask::save);
    }
    gap();
    if (button("Undo", "Ctrl+Z", document_.can_undo())) {
        document_.undo();
    }
    if (button("Redo", "Ctrl+Y", document_.can_redo())) {
        document_.redo();
    }
    gap();
    if (button("Fit", "Whole image  F", has_picture)) {
        view_.fit();
    }
    if (button("1:1", "One image pixel per screen pixel  1", has_picture)) {
        view_.zoom_to(1);
    }
    ImGui::PushStyleColor(ImGuiCol_Button, splits_ ? theme::accent_deep : theme::control);
    if (button("Split", "Before and after, side by side  S\nHold B to see the original", has_picture)) {
        splits_ = !splits_;
    }
    ImGui::PopStyleColor();
    if (button("View", "Channels, clipping, measuring, comparing")) {
        ImGui::OpenPopup("view");
    }
    begin_below();
    view_menu();
    gap();
    if (button("Recipe", "Load, save or apply the operations")) {
        ImGui::OpenPopup("recipe");
        removed_preset_.clear();
    }
    begin_below();
    if (ImGui::BeginPopup("recipe")) {
        const bool loads = ImGui::MenuItem("Load a recipe ...", "Ctrl+R");
        const bool saves =
            ImGui::MenuItem("Save the recipe ...", "Ctrl+E", false, !document_.steps().empty());
        ImGui::Separator();
        presets();
        ImGui::EndPopup();
        if (loads || saves) {
            ask(loads ? Ask::load_recipe : Ask::save_recipe);
        }
    }
    if (button("Copy command", "Copy the command line that does the same  Ctrl+C", has_command())) {
        copy_command();
    }
    if (button("?", "Keys  F1")) {
        helps_ = true;
    }
    ImGui::EndChild();
    toolbar_lines_ = lines; // of the next frame
}

void App::panel() {
    ImGui::BeginChild("panel", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
    histogram_.show(news_.counts.get(), has_look(Look::red), marks_clipped_, scaled_pixels(130));
    if (shows_waveform_) {
        ImGui::NewLine();
        waveform_.show(news_.waveform, scaled_pixels(130));
    }
    ImGui::Dummy({0, scaled_pixels(4)});
    std::optional<WantedFile> wanted;
    chain_.show(document_, {tool_, news_.inputs, wanted, news_.source.image != nullptr});
    if (wanted) {
        wanted_file_ = *wanted;
        ask(Ask::step_file);
    }
    ImGui::EndChild();
}

void App::frame() {
    take_news();
    keys();
    const ImGuiViewport& screen = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(screen.Pos);
    ImGui::SetNextWindowSize(screen.Size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("glproc", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PopStyleVar();
    const float side =
        std::min(scaled_pixels(panel_width),
                 std::max(screen.Size.x / 2, std::min(scaled_pixels(least_panel_width),
                                                      screen.Size.x - scaled_pixels(least_picture_width))));
    const float width = std::max(1.0F, screen.Size.x - side);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginGroup();
    ImGui::PopStyleVar();
    const float bar = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y;
    const float foot = ImGui::GetTextLineHeight() + scaled_pixels(12);
    const float top = toolbar_height();
    toolbar(width);
    ImGui::SetCursorPos({0, top});
    const float film = news_.playing.is_film ? bar : 0;
    jobs_.look();
    const float jobs = jobs_height();
    const float room = std::max(1.0F, screen.Size.y - top - film - jobs - foot);
    const float table =
        news_.table == nullptr ? 0 : std::min(scaled_pixels(table_height), std::floor(room * 0.4F));
    picture(width, std::max(1.0F, room - table));
    if (news_.table != nullptr) {
        ImGui::SetCursorPos({0, screen.Size.y - foot - film - jobs - table});
        objects(width, table);
    }
    if (jobs > 0) {
        ImGui::SetCursorPos({0, screen.Size.y - foot - film - jobs});
        show_jobs(width, jobs);
    }
    if (news_.playing.is_film) {
        ImGui::SetCursorPos({0, screen.Size.y - foot - film});
        transport(width, film);
    }
    ImGui::SetCursorPos({0, screen.Size.y - foot});
    status(width);
    ImGui::EndGroup();
    ImGui::SetCursorPos({width, 0});
    panel();
    question();
    quit_question();
    help();
    ImGui::End();
}

} // namespace glproc::view
