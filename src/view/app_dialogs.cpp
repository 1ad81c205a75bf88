// Questions and messages.
#include "view/app.hpp"

#include "glproc/base/error.hpp"
#include "view/keys.hpp"
#include "view/theme.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <imgui.h>
#include <imgui_stdlib.h>

namespace glproc::view {

void App::ask(Ask what) {
    asks_ = what;
    asks_now_ = true;
    const std::filesystem::path path(path_);
    if (what == Ask::save) {
        answer_ = path_.empty() ? "out.png"
                                : (path.parent_path() / (path.stem().string() + "-edited.png")).string();
    } else if (what == Ask::open) {
        answer_ = path_;
    } else {
        answer_ = "recipe.txt";
    }
}

/// At the lower edge of the picture: what went wrong, or what was done.
void App::show_message() {
    constexpr double seconds = 6;
    const bool is_old = !message_is_fault_ && ImGui::GetTime() - message_since_ > seconds;
    const bool has_fault = !news_.fault.empty() && news_.fault != closed_fault_;
    const std::string text = has_fault ? news_.fault : is_old ? std::string() : message_;
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
                       ImGui::GetColorU32(rgb(0x23272d, 0.95F)), scaled_pixels(5));
    draw.AddRectFilled({at.x - pad, at.y - pad}, {at.x - pad + scaled_pixels(3), at.y + size.y + pad},
                       ImGui::GetColorU32(is_fault ? theme::fault : theme::good), scaled_pixels(5),
                       ImDrawFlags_RoundCornersLeft);
    draw.AddText(nullptr, 0, at, ImGui::GetColorU32(theme::text), text.c_str(), nullptr, wrap);
    const ImVec2 corner{at.x + size.x + 2 * pad, at.y + (ImGui::GetTextLineHeight() - cross) / 2};
    const bool is_over = ImGui::IsMouseHoveringRect({corner.x - pad, corner.y - pad},
                                                    {corner.x + cross + pad, corner.y + cross + pad});
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
    constexpr std::array<const char*, 5> titles{"", "Open an image", "Save the result", "Load a recipe",
                                                "Save the recipe"};
    const char* title = titles[static_cast<std::size_t>(asks_)];
    if (asks_now_) {
        ImGui::OpenPopup("question");
    }
    const ImVec2 middle = ImGui::GetMainViewport()->GetCenter();
    ImGui::SetNextWindowPos(middle, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSize({scaled_pixels(560), 0});
    if (!ImGui::BeginPopupModal("question", nullptr,
                                ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize)) {
        asks_now_ = false;
        return;
    }
    ImGui::TextUnformatted(title);
    ImGui::Dummy({0, scaled_pixels(2)});
    if (asks_now_) {
        ImGui::SetKeyboardFocusHere();
    }
    asks_now_ = false;
    ImGui::SetNextItemWidth(-1);
    bool done =
        ImGui::InputTextWithHint("##path", "path of a file", &answer_,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    std::error_code missing;
    const bool writes = asks_ == Ask::save || asks_ == Ask::save_recipe;
    ImGui::PushStyleColor(ImGuiCol_Text, theme::dim);
    ImGui::TextUnformatted(writes && std::filesystem::exists(answer_, missing) ? "This file will be replaced."
                           : writes                                            ? "The extension decides the format."
                                    : "Or drop the file on the window.");
    ImGui::PopStyleColor();
    done = ImGui::Button(writes ? "Save" : "Open", {scaled_pixels(90), 0}) || done;
    ImGui::SameLine();
    const bool cancelled = ImGui::Button("Cancel", {scaled_pixels(90), 0}) || is_key_pressed(escape_key);
    if (done || cancelled) {
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
    if (done && !answer_.empty()) {
        answer();
    }
}

void App::answer() {
    try {
        switch (asks_) {
        case Ask::open:
            open(answer_);
            break;
        case Ask::save:
            engine_.save(document_.steps(), answer_);
            break;
        case Ask::load_recipe:
            document_.replace(read_steps(answer_));
            break;
        case Ask::save_recipe:
            write_steps(document_.steps(), answer_);
            tell("Saved " + answer_, false);
            break;
        case Ask::nothing:
            break;
        }
    } catch (const Error& error) {
        tell(error.what(), true);
    }
}

} // namespace glproc::view
