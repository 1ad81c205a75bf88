// Keys on their way to Dear ImGui, whose interface to them changed with version 1.87. What differs is here
// alone. The numbers of keys and modifiers are GLFW's, in which letters and digits are ASCII.
#pragma once

namespace glproc::view {

inline constexpr int escape_key = 256;
inline constexpr int enter_key = 257;
inline constexpr int keypad_enter_key = 335;
inline constexpr int space_key = 32;
inline constexpr int right_key = 262;
inline constexpr int left_key = 263;
inline constexpr int down_key = 264;
inline constexpr int up_key = 265;

/// Once ImGui has a context that no window of GLFW's tells which key has which number.
void map_keys();

/// A key goes down or up.
void pass_key(int key, bool is_down, int modifiers);

/// Before a frame: whether ImGui may leave events of the mouse for frames that follow, such as a button that
/// goes down and up. It would do so to keys as well, of which InputQueue passes on what a frame can tell
/// apart.
void spread_events(bool spreads);
/// Whether ImGui has left events for frames that follow.
bool has_left_events();

/// Whether a frame around a control shows that it has the keyboard, and from now on one does.
bool shows_focus();
void show_focus();

bool is_key_down(int key);
/// It went down since the last frame, or repeats.
bool is_key_pressed(int key);

} // namespace glproc::view
