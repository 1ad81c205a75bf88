#include "view/panels/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <system_error>

namespace glproc::view {

namespace {

float scale_now =
    1; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): ImGui's state is global, too

constexpr float letter_height = 15;

/// Debian's package fonts-dejavu-core; elsewhere ImGui's own letters serve.
void load_font(float scale) {
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    fonts.Clear();
    static const std::array<ImWchar, 11> ranges{0x20,   0xFF,   0x100,  0x17F,  0x2010, 0x205E,
                                                0x2190, 0x21FF, 0x2200, 0x22FF, 0};
    for (const char* path :
         {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
          "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf"}) {
        std::error_code missing;
        if (std::filesystem::exists(path, missing)) {
            fonts.AddFontFromFileTTF(path, std::round(letter_height * scale), nullptr, ranges.data());
            return;
        }
    }
    ImFontConfig plain;
    plain.SizePixels = std::round(13 * scale);
    fonts.AddFontDefault(&plain);
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): as above
bool heading_colours_are_light = false;

void choose_colours(bool is_light) {
    using namespace theme;
    const auto of = [&](unsigned dark, unsigned light, float alpha = 1) {
        return rgb(is_light ? light : dark, alpha);
    };
    background = of(0x16181c, 0xc9cdd2);
    panel = of(0x1f2227, 0xeceef1);
    popup = of(0x23272d, 0xf8f9fa);
    card = of(0x282c33, 0xfbfcfd);
    control = of(0x343a43, 0xd5dae0);
    control_hovered = of(0x404853, 0xc3cad3);
    line = of(0x3a4049, 0xbcc3cb);
    text = of(0xd9dde3, 0x1d2126);
    dim = of(0xa1abb7, 0x4c5665);
    accent = of(0x4f9fd6, 0x2f7fb8);
    accent_bright = of(0x74b8e6, 0x1f6ba3);
    accent_deep = of(0x28639a, 0x8dbfe3);
    fault = of(0xf0746a, 0xb3261e);
    object = rgb(0x4f9fd6, 0.9F);
    selected_object = rgb(0xffd23f);
    good = of(0x78c196, 0x2e8b57);
    red = of(0xf2857b, 0xad2e26);
    green = of(0x68bb6b, 0x1f6a2b);
    blue = of(0x74a6ee, 0x2257b0);
}

} // namespace

float scaled_pixels(float n) {
    return std::round(n * scale_now);
}

void apply_theme(float scale) {
    scale_now = scale;
    load_font(scale);
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    ImGui::StyleColorsDark(&style);
    style.WindowPadding = {12, 10};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 4};
    style.ScrollbarSize = 11;
    style.GrabMinSize = 10;
    style.WindowRounding = 0;
    style.ChildRounding = 5;
    style.FrameRounding = 4;
    style.PopupRounding = 5;
    style.GrabRounding = 3;
    style.ScrollbarRounding = 6;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.FrameBorderSize = 0;
    style.PopupBorderSize = 1;
    style.ScaleAllSizes(scale);
    set_colours(false);
}

void set_colours(bool is_light) {
    choose_colours(is_light);
    heading_colours_are_light = is_light;
    ImGuiStyle& style = ImGui::GetStyle();
    const std::array<std::pair<ImGuiCol, ImVec4>, 36> colours{{
        {ImGuiCol_Text, theme::text},
        {ImGuiCol_TextDisabled, theme::dim},
        {ImGuiCol_WindowBg, theme::panel},
        {ImGuiCol_ChildBg, theme::panel},
        {ImGuiCol_PopupBg, theme::popup},
        {ImGuiCol_Border, theme::line},
        {ImGuiCol_FrameBg, theme::control},
        {ImGuiCol_FrameBgHovered, theme::control_hovered},
        {ImGuiCol_FrameBgActive, theme::control_hovered},
        {ImGuiCol_TitleBg, theme::panel},
        {ImGuiCol_TitleBgActive, theme::panel},
        {ImGuiCol_MenuBarBg, theme::panel},
        {ImGuiCol_ScrollbarBg, rgb(0, 0)},
        {ImGuiCol_ScrollbarGrab, theme::control},
        {ImGuiCol_ScrollbarGrabHovered, theme::control_hovered},
        {ImGuiCol_ScrollbarGrabActive, theme::accent},
        {ImGuiCol_CheckMark, theme::accent_bright},
        {ImGuiCol_SliderGrab, theme::accent},
        {ImGuiCol_SliderGrabActive, theme::accent_bright},
        {ImGuiCol_Button, theme::control},
        {ImGuiCol_ButtonHovered, theme::control_hovered},
        {ImGuiCol_ButtonActive, theme::accent_deep},
        {ImGuiCol_Header, theme::control},
        {ImGuiCol_HeaderHovered, theme::control_hovered},
        {ImGuiCol_HeaderActive, theme::accent_deep},
        {ImGuiCol_Separator, theme::line},
        {ImGuiCol_SeparatorHovered, theme::accent},
        {ImGuiCol_SeparatorActive, theme::accent},
        {ImGuiCol_Tab, theme::panel},
        {ImGuiCol_TabHovered, theme::control_hovered},
        {ImGuiCol_TabActive, theme::control},
        {ImGuiCol_TextSelectedBg, rgb(0x4f9fd6, 0.35F)},
        {ImGuiCol_NavHighlight, theme::accent_bright},
        {ImGuiCol_DragDropTarget, theme::accent_bright},
        {ImGuiCol_ModalWindowDimBg, rgb(0x0b0c0e, 0.6F)},
        {ImGuiCol_PlotLines, theme::accent},
    }};
    for (const auto& [index, colour] : colours) {
        style.Colors[index] = colour;
    }
}

ImVec4 heading_colour(std::size_t heading) {
    const std::array<ImVec4, 5> dark{rgb(0x6fb3a8), rgb(0xd9a45f), rgb(0x8f9be0), rgb(0xc98bb9),
                                     rgb(0x98a1ad)};
    const std::array<ImVec4, 5> light{rgb(0x1d7568), rgb(0x94610f), rgb(0x4854b8), rgb(0x8f3f7c),
                                      rgb(0x4d5866)};
    const std::array<ImVec4, 5>& colours = heading_colours_are_light ? light : dark;
    return colours[heading % colours.size()];
}

void explain(const std::string& text, ImGuiHoveredFlags flags) {
    if (!text.empty() && ImGui::IsItemHovered(flags)) {
        ImGui::SetTooltip("%s", text.c_str());
    }
}

namespace {

template <class Button>
bool lit_button(bool is_on, const std::string& hint, const Button& button) {
    ImGui::PushStyleColor(ImGuiCol_Button, is_on ? theme::accent_deep : theme::control);
    const bool is_pressed = button();
    ImGui::PopStyleColor();
    explain(hint);
    return is_pressed;
}

} // namespace

bool switch_button(const char* name, bool is_on, const std::string& hint) {
    return lit_button(is_on, hint, [&] { return ImGui::Button(name); });
}

bool small_switch_button(const char* name, bool is_on, const std::string& hint) {
    return lit_button(is_on, hint, [&] { return ImGui::SmallButton(name); });
}

void menu_item(const char* name, const char* key, bool is_usable, const std::function<void()>& act,
               bool is_on) {
    if (ImGui::MenuItem(name, key, is_on, is_usable)) {
        act();
    }
}

bool choose(const char* id, const std::string& shown, std::string& chosen, std::span<const std::string> names,
            std::span<const std::string> hints, ImGuiComboFlags flags) {
    if (!ImGui::BeginCombo(id, shown.c_str(), flags)) {
        return false;
    }
    bool is_chosen = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (ImGui::Selectable(names[i].c_str(), names[i] == chosen)) {
            chosen = names[i];
            is_chosen = true;
        }
        explain(i < hints.size() ? hints[i] : "");
    }
    ImGui::EndCombo();
    return is_chosen;
}

void draw_words(const ImVec2& at, const std::string& words, float pad, const ImVec4& ground,
                const ImVec4& colour, float wrap) {
    const ImVec2 size = ImGui::CalcTextSize(words.c_str(), nullptr, false, wrap > 0 ? wrap : -1);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at - pad, at + size + pad, ImGui::GetColorU32(ground), pad);
    draw.AddText(nullptr, 0, at, ImGui::GetColorU32(colour), words.c_str(), nullptr, wrap);
}

void draw_grid(const ImVec2& first, const ImVec2& last, int columns, int rows, const ImVec4& colour,
               bool on_pixels) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const auto between = [&](float a, float b, int i, int parts) {
        const float at = a + (b - a) * (static_cast<float>(i) / static_cast<float>(parts));
        return on_pixels ? std::round(at) : at;
    };
    const ImU32 of = ImGui::GetColorU32(colour);
    for (int i = 1; i < std::max(columns, rows); ++i) {
        if (i < columns) {
            const float x = between(first.x, last.x, i, columns);
            draw.AddLine({x, first.y}, {x, last.y}, of);
        }
        if (i < rows) {
            const float y = between(first.y, last.y, i, rows);
            draw.AddLine({first.x, y}, {last.x, y}, of);
        }
    }
}

} // namespace glproc::view
