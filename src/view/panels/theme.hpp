// Colours, spacing and letters of the window.
#pragma once

#include <cstddef>

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

} // namespace glproc::view
