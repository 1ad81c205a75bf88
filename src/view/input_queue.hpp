// Keys and characters on their way to ImGui, which looks once a frame which keys are down: what went
// down and up between two frames would be lost to it, such as a quick Enter or Ctrl+V in a field. No window,
// no OpenGL.
#pragma once

#include <deque>
#include <functional>
#include <set>

namespace glproc::view {

/// As GLFW tells of it.
struct KeyEvent {
    int key = 0;
    int action = 0;
    int modifiers = 0;
};
struct CharacterEvent {
    unsigned character = 0;
};

class InputQueue {
  public:
    void add(const KeyEvent& event) { events_.push_back({event, {}, true}); }
    void add(const CharacterEvent& event) { events_.push_back({{}, event, false}); }

    /// Before a frame: passes on, in order, what one frame can tell apart. A key changes once in it, and none
    /// goes down after a character, so that Enter finds the text before it; keys that type do both as often
    /// as they like. A shortcut is the last of its frame, and so is a key that `opens` something, with its character: what
    /// follows may be for what it opens.
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
