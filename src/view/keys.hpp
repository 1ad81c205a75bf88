// Keys on their way to Dear ImGui, whose interface to them changed with version 1.87. What differs is here
// alone. The numbers of keys and modifiers are GLFW's, in which letters and digits are ASCII.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <utility>

namespace glproc::view {

inline constexpr int escape_key = 256;
inline constexpr int enter_key = 257;
inline constexpr int keypad_enter_key = 335;
inline constexpr int space_key = 32;
inline constexpr int right_key = 262;
inline constexpr int left_key = 263;
inline constexpr int down_key = 264;
inline constexpr int up_key = 265;
inline constexpr int page_up_key = 266;
inline constexpr int page_down_key = 267;
inline constexpr int tab_key = 258;
inline constexpr int f1_key = 290;
inline constexpr int f11_key = 300;

/// One that went down.
struct Key {
    int number = 0;
    bool control = false;
    bool shift = false;

    /// From control to control, where one has the keyboard; Space then presses it.
    bool moves_focus() const { return number == space_key || (number >= right_key && number <= up_key); }
};

/// What keys do; those with Ctrl are ctrl(key).
using KeyActions = std::initializer_list<std::pair<int, std::function<void()>>>;
constexpr int ctrl(int key) {
    return key + 4096;
}
/// Does what the key does. False where it is not among them.
bool act_on(const Key& pressed, KeyActions actions);

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

/// As GLFW tells of it.
struct KeyEvent {
    int key = 0;
    int action = 0;
    int modifiers = 0;
};
struct CharacterEvent {
    unsigned character = 0;
};

/// Keys and characters before a frame. ImGui looks once a frame which keys are down: what went down and up
/// between two frames would be lost to it, such as a quick Enter or Ctrl+V in a field.
class InputQueue {
  public:
    void add(const KeyEvent& event) { events_.push_back({event, {}, true}); }
    void add(const CharacterEvent& event) { events_.push_back({{}, event, false}); }

    /// Before a frame: passes on, in order, what one frame can tell apart. A key changes once in it, and none
    /// goes down after a character, so that Enter finds the text before it; keys that type do both as often
    /// as they like. A shortcut is the last of its frame, and so is a key that `opens` something, with its
    /// character: what follows may be for what it opens.
    void pass(const std::function<void(const KeyEvent&)>& key,
              const std::function<void(const CharacterEvent&)>& character,
              const std::function<bool(const KeyEvent&)>& opens = {});
    /// Whether there is more, for the next frame.
    bool has_more() const { return !events_.empty(); }

  private:
    struct Event {
        KeyEvent key;
        CharacterEvent character;
        bool is_key = false;
    };
    std::deque<Event> events_;
};

} // namespace glproc::view
