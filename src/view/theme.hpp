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

namespace theme {

inline const ImVec4 background = rgb(0x16181c); ///< beside the picture
inline const ImVec4 panel = rgb(0x1f2227);
inline const ImVec4 card = rgb(0x282c33);
inline const ImVec4 control = rgb(0x343a43);
inline const ImVec4 control_hovered = rgb(0x404853);
inline const ImVec4 line = rgb(0x3a4049);
inline const ImVec4 text = rgb(0xd9dde3);
inline const ImVec4 dim = rgb(0x98a1ad);
inline const ImVec4 accent = rgb(0x4f9fd6);
inline const ImVec4 accent_bright = rgb(0x74b8e6);
inline const ImVec4 accent_deep = rgb(0x2c6ca3); ///< beneath a number that is to be read
inline const ImVec4 fault = rgb(0xf0746a);
inline const ImVec4 object = rgb(0x4f9fd6, 0.9F); ///< the box around one, in the picture
inline const ImVec4 selected_object = rgb(0xffd23f);
inline const ImVec4 good = rgb(0x78c196);

} // namespace theme

/// Sets style and font; `scale` is 1 on an ordinary screen and 2 on one with small pixels.
void apply_theme(float scale);

/// What is `n` pixels wide on an ordinary screen.
float scaled_pixels(float n);

/// The space between the edge of a card and what is in it.
inline float card_inset() {
    return scaled_pixels(10);
}

/// The colour of the operations under a heading of the registry: one each, in their order.
ImVec4 heading_colour(std::size_t heading);

} // namespace glproc::view
