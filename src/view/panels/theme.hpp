// Colours, spacing and letters of the window, and what panels and tools draw alike.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include <imgui.h>

namespace glproc::view {

/// Of an sRGB hexadecimal number.
inline ImVec4 rgb(unsigned hex, float alpha = 1) {
    return {static_cast<float>(hex >> 16U & 255U) / 255, static_cast<float>(hex >> 8U & 255U) / 255,
            static_cast<float>(hex & 255U) / 255, alpha};
}

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): as ImGui's own style is; see set_colours()
namespace theme {

inline ImVec4 background; ///< beside the picture
inline ImVec4 panel;
inline ImVec4 popup; ///< menus, and words over the picture
inline ImVec4 card;
inline ImVec4 control;
inline ImVec4 control_hovered;
inline ImVec4 line;
inline ImVec4 text;
inline ImVec4 dim;
inline ImVec4 accent;
inline ImVec4 accent_bright;
inline ImVec4 accent_deep; ///< beneath a number that is to be read
inline ImVec4 fault;
inline ImVec4 object; ///< the box around one, in the picture
inline ImVec4 selected_object;
inline ImVec4 good;
inline ImVec4 red; ///< of channels
inline ImVec4 green;
inline ImVec4 blue;

} // namespace theme
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

/// Sets style and font; `scale` is 1 on an ordinary screen and 2 on one with small pixels.
void apply_theme(float scale);

/// Light or dark.
void set_colours(bool is_light);

/// What is `n` pixels wide on an ordinary screen.
float scaled_pixels(float n);

/// The space between the edge of a card and what is in it.
inline float card_inset() {
    return scaled_pixels(10);
}

/// The colour of the operations under a heading of the registry: one each, in their order.
ImVec4 heading_colour(std::size_t heading);

/// Says what the control before is for, while the pointer is over it.
void explain(const std::string& text, ImGuiHoveredFlags flags = 0);

/// A button that is lit while what it switches is on.
bool switch_button(const char* name, bool is_on, const std::string& hint = {});
bool small_switch_button(const char* name, bool is_on, const std::string& hint = {});

/// Calls act() where it is chosen.
void menu_item(const char* name, const char* key, bool is_usable, const std::function<void()>& act,
               bool is_on = false);

/// A list of names to choose one from, of which `chosen` is lit; true where another was chosen, and it is
/// that then. `shown` stands for it while the list is closed, `hints` explain the names.
bool choose(const char* id, const std::string& shown, std::string& chosen, std::span<const std::string> names,
            std::span<const std::string> hints = {}, ImGuiComboFlags flags = 0);

/// Words on a ground that keeps them legible on any picture. `at` is their corner, `pad` the ground around
/// them; lines end at `wrap`, if that is not 0.
void draw_words(const ImVec2& at, const std::string& words, float pad, const ImVec4& ground,
                const ImVec4& colour, float wrap = 0);

/// Lines that part a rectangle into so many columns and rows; `on_pixels`: at whole pixels of the screen.
void draw_grid(const ImVec2& first, const ImVec2& last, int columns, int rows, const ImVec4& colour,
               bool on_pixels = false);

inline ImVec2 operator+(const ImVec2& a, const ImVec2& b) {
    return {a.x + b.x, a.y + b.y};
}
inline ImVec2 operator+(const ImVec2& a, float both) {
    return {a.x + both, a.y + both};
}
inline ImVec2 operator-(const ImVec2& a, float both) {
    return {a.x - both, a.y - both};
}

inline ImVec4 faded(const ImVec4& colour, float alpha) {
    return {colour.x, colour.y, colour.z, alpha};
}

} // namespace glproc::view
