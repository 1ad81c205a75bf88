// Keys, and the list of them.
#include "view/app.hpp"

#include "view/keys.hpp"
#include "view/theme.hpp"

#include <array>
#include <utility>

#include <imgui.h>

namespace glproc::view {

void App::keys() {
    const bool is_free =
        !ImGui::GetIO().WantTextInput &&
        !ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    for (const Key& pressed : std::exchange(pressed_, {})) {
        if (is_free) {
            key(pressed);
        }
    }
    shows_before_ = is_free && !ImGui::GetIO().KeyCtrl && is_key_down('B');
}

void App::key(const Key& pressed) {
    constexpr int f1 = 290; // of GLFW, whose numbers of letters are ASCII
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
    case 'P':
        return news_.playing.is_film ? engine_.play(!news_.playing.plays) : void();
    case '.':
        return news_.playing.is_film ? engine_.step() : void();
    case '/':
        helps_ = helps_ || pressed.shift;
        return;
    case escape_key:
        return close_message();
    case f1:
        helps_ = true;
        return;
    default:
        return;
    }
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
    constexpr std::array<std::array<const char*, 2>, 22> rows{
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
         {"H, J, K, ; or drag", "move the image"},
         {"double click", "fit, or one to one at that point"},
         {"S", "before and after, side by side"},
         {"B", "hold: the original image"},
         {"L", "histogram linear or logarithmic"},
         {"N, Shift+N", "next, previous object of the table"},
         {"C", "objects of the table in colours"},
         {"P, .", "play a video, step to the next frame"},
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
