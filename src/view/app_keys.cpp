// Keys, and the list of them.
#include "view/app.hpp"

#include "view/keys.hpp"
#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <imgui.h>

namespace glproc::view {

namespace {

/// Whether keys are for the window, and not for a field or a menu.
bool are_keys_free() {
    return !ImGui::GetIO().WantTextInput &&
           !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

} // namespace

bool App::opens(int key) const {
    return key == 'A' && are_keys_free();
}

void App::keys() {
    const bool is_free = are_keys_free();
    for (const Key& pressed : std::exchange(pressed_, {})) {
        if (is_free) {
            key(pressed);
        }
    }
    shows_before_ = is_free && !ImGui::GetIO().KeyCtrl && is_key_down('B');
}

void App::key(const Key& pressed) {
    constexpr int f1 = 290; // of GLFW, whose numbers of letters are ASCII
    constexpr int f11 = 300;
    constexpr int tab = 258;
    constexpr int page_up = 266;
    constexpr int page_down = 267;
    constexpr double far = 80;
    if (pressed.control) {
        switch (pressed.number) {
        case 'O':
            return ask(Ask::open);
        case 'S':
            return ask(Ask::save);
        case 'R':
            return ask(Ask::load_recipe);
        case 'E':
            return ask(Ask::save_recipe);
        case 'Z':
            return pressed.shift ? document_.redo() : document_.undo();
        case 'Y':
            return document_.redo();
        case 'C':
            return copy_command();
        case 'Q':
            return ask_to_quit();
        default:
            return;
        }
    }
    switch (pressed.number) {
    case 'A':
        return chain_.ask_for_operation();
    case 'F':
        return view_.fit();
    case '1':
        return view_.zoom_to(1);
    case '=':
    case '+':
        return view_.step(1);
    case '-':
        return view_.step(-1);
    case 'S':
        splits_ = !splits_;
        return;
    case 'L':
        return histogram_.switch_scale();
    case 'H':
        return view_.pan(far, 0);
    case 'J':
        return view_.pan(0, -far);
    case 'K':
        return view_.pan(0, far);
    case ';':
        return view_.pan(-far, 0);
    case 'N':
        table_.step(pressed.shift ? -1 : 1);
        return look_at_object();
    case 'C':
        return table_.switch_colours();
    case 'I':
    case 'O':
        return mark_cut(pressed.number == 'I');
    case 'T':
        return switch_handle();
    case 'V':
        return next_look();
    case 'W':
        return switch_waveform();
    case 'X':
        marks_clipped_ = !marks_clipped_;
        return;
    case 'D':
        look_ = look_ == Look::difference ? Look::colours : Look::difference;
        return;
    case 'M':
        return begin_measuring(pressed.shift ? ToolKind::line : ToolKind::region);
    case page_down:
        return open_beside(1);
    case page_up:
        return open_beside(-1);
    case left_key:
    case right_key:
    case up_key:
    case down_key:
        return arrow(pressed.number);
    case tab:
        return show_focus();
    case f11:
        is_full_screen_ = !is_full_screen_;
        return;
    case enter_key:
    case keypad_enter_key:
        return tool_.reset();
    case space_key:
        return takes(space_key) ? engine_.play(!news_.playing.plays) : void();
    case 'P':
        return news_.playing.is_film ? engine_.play(!news_.playing.plays) : void();
    case '.':
        return news_.playing.is_film ? engine_.step() : void();
    case '/':
        helps_ = helps_ || pressed.shift;
        return;
    case escape_key:
        return tool_ ? tool_.reset() : is_full_screen_ ? void(is_full_screen_ = false) : close_message();
    case f1:
        helps_ = true;
        return;
    default:
        return;
    }
}

/// A film goes a frame on or back; a picture moves.
void App::arrow(int key) {
    constexpr double far = 80;
    const Playing& film = news_.playing;
    if (!takes(key)) {
        return;
    }
    if (film.is_film && key == right_key) {
        return engine_.step();
    }
    if (film.is_film && key == left_key) {
        return engine_.step_back();
    }
    view_.pan(key == left_key    ? far
              : key == right_key ? -far
                                 : 0,
              key == up_key     ? far
              : key == down_key ? -far
                                : 0);
}

/// While nothing shows that a control has the focus.
bool App::takes(int key) const {
    const bool is_free = are_keys_free() && !shows_focus();
    const bool is_arrow = key == left_key || key == right_key || key == up_key || key == down_key;
    return is_free && (is_arrow || (key == space_key && news_.playing.is_film));
}

void App::help() {
    if (helps_) {
        ImGui::OpenPopup("keys");
        helps_ = false;
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

} // namespace glproc::view
