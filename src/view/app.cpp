#include "view/app.hpp"

#include "view/keys.hpp"
#include "view/panels/jobs.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <utility>

#include <imgui.h>

namespace glproc::view {

namespace {

constexpr double patient_seconds = 0.4; // before it is said that the result is being computed
constexpr float panel_width = 340;
constexpr float least_panel_width = 280;   // in which sliders have room beside their numbers
constexpr float least_picture_width = 150; // in which the longest button fits, and words of messages

/// Whether keys are for the window, and not for a field or a menu.
bool are_keys_free() {
    return !ImGui::GetIO().WantTextInput &&
           !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

/// The popup that comes next opens below the button before it, and ends within the window.
void begin_below() {
    const float top = ImGui::GetItemRectMax().y + scaled_pixels(4);
    const float room = ImGui::GetMainViewport()->Size.y - top - scaled_pixels(4);
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, top});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(room, scaled_pixels(100))});
}

/// The list of keys; opens if that is asked for.
void show_help(bool& opens) {
    if (opens) {
        ImGui::OpenPopup("keys");
        opens = false;
    }
    const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
    ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5F, 0.5F});
    if (!ImGui::BeginPopup("keys")) {
        return;
    }
    constexpr std::array<std::array<const char*, 2>, 31> rows{
        {{"Ctrl+O", "open an image or a video"},
         {"Ctrl+S", "save the result"},
         {"Ctrl+R, Ctrl+E", "load, save a recipe"},
         {"Ctrl+C", "copy the command line"},
         {"Ctrl+Z, Ctrl+Y", "undo, redo"},
         {"A", "add an operation"},
         {"Tab, arrows, Space", "choose and change a control"},
         {"Ctrl+click, Enter", "type a number into a slider"},
         {"double click on a name", "reset it to its default"},
         {"F, 1", "fit the image, one to one"},
         {"+, -, wheel", "zoom"},
         {"arrows or drag", "move the image"},
         {"Page up, Page down", "previous, next image of the folder"},
         {"V", "channels, luma, false colours"},
         {"X", "mark pixels at black and white"},
         {"D", "difference from the original"},
         {"M, Shift+M", "measure a region, a line"},
         {"double click", "fit, or one to one at that point"},
         {"S", "before and after, side by side"},
         {"B", "hold: the original image"},
         {"L", "histogram linear or logarithmic"},
         {"T", "handles in the image, such as of crop"},
         {"W", "waveform of the result"},
         {"N, Shift+N", "next, previous object of the table"},
         {"C", "objects of the table in colours"},
         {"Space, left, right", "play a video, step by frames"},
         {"I, O", "first and last frame of a video to save"},
         {"F11", "full screen"},
         {"F1, ?", "these keys"},
         {"Esc", "close what is open, or a message"},
         {"Ctrl+Q", "quit"}}};
    for (const auto& [key, what] : rows) {
        ImGui::TextColored(theme::accent_bright, "%s", key);
        ImGui::SameLine(scaled_pixels(190));
        ImGui::TextUnformatted(what);
    }
    ImGui::EndPopup();
}

} // namespace

App::App(Engine& engine, Document& document)
    : all_(engine, document), picture_(all_), objects_(all_), split_(split_tool(all_)), toolbox_(all_),
      transport_(all_), files_(all_, transport_) {}

std::string App::title() const {
    return news().name.empty() ? "glproc" : news().name + " - glproc";
}

void App::take_news() {
    all_.news = all_.engine.news();
    if (news().message_number != message_number_) {
        message_number_ = news().message_number;
        all_.message.tell(news().message, news().message_is_fault);
    }
    if (news().saved_number != saved_number_) {
        saved_number_ = news().saved_number;
        all_.document.mark_saved(news().saved);
    }
    Steps wanted = toolbox_.wanted_steps();
    const bool is_part = toolbox_.shows_part_of_steps();
    const bool is_new = is_part ? wanted != asked_steps_ || !asked_for_part_
                                : all_.document.version() != asked_version_ || asked_for_part_;
    if (is_new || all_.wants_result) {
        all_.wants_result = false;
        asked_version_ = all_.document.version();
        asked_for_part_ = is_part;
        asked_steps_ = std::move(wanted);
        asked_at_ = ImGui::GetTime();
        all_.engine.show(asked_steps_, asked_version_);
    }
    const Point2 size = size_of(news().result);
    all_.view.set_picture(size.x, size.y);
    all_.document.set_source(news().source.form);
}

/// How long the result has been waited for, in seconds; nothing where it is there, even as a preview.
std::optional<double> App::waited() const {
    const bool is_there = news().version == asked_version_ || !all_.has_picture() || news().playing.plays;
    return is_there ? std::nullopt : std::optional(ImGui::GetTime() - asked_at_);
}

std::optional<double> App::next_change() const {
    constexpr double progress_seconds = 0.25;
    std::optional<double> next = all_.message.left();
    const auto note = [&](double seconds) { next = std::min(next.value_or(seconds), seconds); };
    if (files_.jobs().is_busy()) {
        note(progress_seconds);
    }
    if (const auto waiting = waited(); waiting && *waiting < patient_seconds) {
        note(patient_seconds - *waiting);
    }
    return next;
}

bool App::opens(int key) const {
    return key == 'A' && are_keys_free();
}

bool App::takes(int key) const {
    const bool is_own = Key{key}.moves_focus() && (key != space_key || news().playing.is_video);
    return is_own && are_keys_free() && !shows_focus();
}

void App::keys() {
    const bool is_free = are_keys_free();
    const std::array<Tool*, 6> tools{&toolbox_, &objects_, &transport_, &files_, split_.get(), &picture_};
    for (const Key& pressed : std::exchange(pressed_, {})) {
        const bool is_for_focus = pressed.moves_focus() && !takes(pressed.number);
        if (is_free && !is_for_focus &&
            std::ranges::none_of(tools, [&](Tool* tool) { return tool->key(pressed); })) {
            key(pressed);
        }
    }
    all_.shows_source = (is_free && !ImGui::GetIO().KeyCtrl && is_key_down('B')) || objects_.are_on_source();
}

/// That no tool has taken.
void App::key(const Key& pressed) {
    Document& document = all_.document;
    act_on(pressed,
           {{ctrl('Z'), [&] { pressed.shift ? document.redo() : document.undo(); }},
            {ctrl('Y'), [&] { document.redo(); }},
            {ctrl('C'), [&] { copy_command(); }},
            {ctrl('Q'), [&] { ask_to_quit(); }},
            {'A', [&] { chain_.ask_for_operation(); }},
            {'L', [&] { histogram_.switch_scale(); }},
            {'W', [&] { switch_waveform(); }},
            {tab_key, show_focus},
            {f11_key, [&] { is_full_screen_ = !is_full_screen_; }},
            {'/', [&] { helps_ = helps_ || pressed.shift; }},
            {f1_key, [&] { helps_ = true; }},
            {escape_key, [&] { is_full_screen_ ? void(is_full_screen_ = false) : all_.message.close(); }}});
}

void App::copy_command() {
    if (!transport_.has_command()) {
        return all_.message.tell("Add an operation first: there is no command line yet", true);
    }
    if (is_camera(news().path)) {
        return all_.message.tell("A camera has no command line; only files do", true);
    }
    ImGui::SetClipboardText(command().c_str());
    all_.document.mark_saved();
    all_.message.tell("Command line copied");
}

void App::switch_waveform() {
    shows_waveform_ = !shows_waveform_;
    all_.engine.want_waveform(shows_waveform_);
}

void App::view_menu() {
    const bool has_picture = all_.has_picture();
    const Playing& video = news().playing;
    const bool is_beyond = !video.beyond_sdr.empty();
    const auto measuring = [&](const char* name, const char* key, ToolKind kind) {
        menu_item(
            name, key, has_picture, [&] { toolbox_.switch_measuring(kind); }, toolbox_.holds(kind));
    };
    picture_.look_items();
    ImGui::Separator();
    ImGui::MenuItem("Mark clipped pixels", "X", &picture_.marks_clipped(), has_picture);
    menu_item(
        "Waveform", "W", has_picture, [&] { switch_waveform(); }, shows_waveform_);
    measuring("Measure a region", "M", ToolKind::region);
    measuring("Values along a line", "Shift+M", ToolKind::line);
    ImGui::Separator();
    menu_item("Compare with another image ...", nullptr, has_picture, [&] { files_.ask_to_compare(); });
    menu_item("Compare with the original", nullptr, news().other.image != nullptr,
              [&] { all_.engine.compare_with({}); });
    menu_item(
        "Show the difference, times 4", "D", has_picture, [&] { picture_.switch_difference(); },
        all_.shows_difference());
    ImGui::Separator();
    menu_item("Next image of the folder", "Page down", files_.has_folder(), [&] { files_.open_beside(1); });
    menu_item("Previous image of the folder", "Page up", files_.has_folder(),
              [&] { files_.open_beside(-1); });
    ImGui::Separator();
    menu_item(
        "HDR video as SDR", nullptr, is_beyond, [&] { all_.engine.show_as_sdr(!video.is_as_sdr); },
        is_beyond && video.is_as_sdr);
    menu_item(
        "Use the monitor's profile", nullptr, picture_.has_monitor(), [&] { picture_.switch_monitor(); },
        all_.canvas.has_monitor());
    if (ImGui::MenuItem("Light colours", nullptr, &all_.session.is_light)) {
        set_colours(all_.session.is_light);
    }
    ImGui::MenuItem("Full screen", "F11", &is_full_screen_);
}

float App::toolbar_height() const {
    return static_cast<float>(toolbar_lines_) * ImGui::GetFrameHeightWithSpacing() -
           ImGui::GetStyle().ItemSpacing.y + 2 * ImGui::GetStyle().WindowPadding.y;
}

void App::toolbar(float width) {
    ImGui::BeginChild("toolbar", {width, toolbar_height()}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar |
                          ImGuiWindowFlags_NavFlattened);
    const float left = ImGui::GetCursorPosX();
    int lines = 1;
    // What does not fit into the line goes on in the next.
    const auto button = [&](const char* name, const char* what, bool is_usable, const auto& act) {
        const float needed = ImGui::CalcTextSize(name).x + 2 * ImGui::GetStyle().FramePadding.x;
        if (ImGui::GetCursorPosX() > left && ImGui::GetCursorPosX() + needed > width - left) {
            ImGui::NewLine();
            ++lines;
        }
        ImGui::BeginDisabled(!is_usable);
        const bool is_pressed = ImGui::Button(name);
        ImGui::EndDisabled();
        explain(what, ImGuiHoveredFlags_AllowWhenDisabled);
        ImGui::SameLine();
        if (is_pressed) {
            act();
        }
    };
    const auto menu = [&](const char* name, const char* what, const char* popup, const auto& items) {
        button(name, what, true, [&] { ImGui::OpenPopup(popup); });
        begin_below();
        if (ImGui::BeginPopup(popup)) {
            items();
            ImGui::EndPopup();
        }
    };
    const auto gap = [] {
        ImGui::Dummy({scaled_pixels(6), 0});
        ImGui::SameLine();
    };
    const bool has_picture = all_.has_picture();
    Document& document = all_.document;
    button("Open", "Open an image  Ctrl+O", true, [&] { files_.ask_to_open(); });
    button("Save", "Save the result  Ctrl+S", has_picture, [&] { files_.ask_to_save(); });
    gap();
    button("Undo", "Ctrl+Z", document.can_undo(), [&] { document.undo(); });
    button("Redo", "Ctrl+Y", document.can_redo(), [&] { document.redo(); });
    gap();
    button("Fit", "Whole image  F", has_picture, [&] { all_.view.fit(); });
    button("1:1", "One image pixel per screen pixel  1", has_picture, [&] { all_.view.zoom_to(1); });
    ImGui::PushStyleColor(ImGuiCol_Button, all_.splits ? theme::accent_deep : theme::control);
    button("Split", "Before and after, side by side  S\nHold B to see the original", has_picture,
           [&] { all_.splits = !all_.splits; });
    ImGui::PopStyleColor();
    menu("View", "Channels, clipping, measuring, comparing", "view", [&] { view_menu(); });
    gap();
    menu("Recipe", "Load, save or apply the operations", "recipe", [&] { files_.recipe_menu(); });
    button("Copy command", "Copy the command line that does the same  Ctrl+C", transport_.has_command(),
           [&] { copy_command(); });
    button("?", "Keys  F1", true, [&] { helps_ = true; });
    ImGui::EndChild();
    toolbar_lines_ = lines; // of the next frame
}

void App::panel() {
    ImGui::BeginChild("panel", {0, 0}, false,
                      ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NavFlattened);
    histogram_.show(news().counts.get(), picture_.has_colours(), picture_.marks_clipped(),
                    scaled_pixels(130));
    if (shows_waveform_) {
        ImGui::NewLine();
        waveform_.show(news().waveform, scaled_pixels(130));
    }
    ImGui::Dummy({0, scaled_pixels(4)});
    chain_.show(all_);
    if (const auto wanted = std::exchange(all_.wanted_file, std::nullopt)) {
        files_.ask_for(*wanted);
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
    const float top = toolbar_height();
    toolbar(width);
    files_.jobs().look();
    const float status = picture_.status_height();
    const float video = transport_.height();
    const float jobs = jobs_height(files_.jobs());
    const float room = std::max(1.0F, screen.Size.y - top - video - jobs - status);
    const float table = objects_.height(room);
    float below = screen.Size.y - status - video - jobs - table; // of what comes next
    const auto next = [&](float height) {
        ImGui::SetCursorPos({0, below});
        below += height;
        return height > 0;
    };
    ImGui::SetCursorPos({0, top});
    all_.view.set_margin(toolbox_.margin());
    const std::array<Tool*, 3> tools{&objects_, split_.get(), &toolbox_};
    picture_.show(width, std::max(1.0F, room - table), tools);
    if (next(table)) {
        objects_.show(width, table);
    }
    if (next(jobs)) {
        show_jobs(files_.jobs(), width, jobs);
    }
    if (next(video)) {
        transport_.show(width, video);
    }
    next(status);
    picture_.show_status(width, waited().value_or(0) >= patient_seconds);
    ImGui::EndGroup();
    ImGui::SetCursorPos({width, 0});
    panel();
    files_.show();
    show_help(helps_);
    ImGui::End();
}

} // namespace glproc::view
