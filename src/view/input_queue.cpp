#include "view/input_queue.hpp"

namespace glproc::view {

namespace {

constexpr int released = 0; // as GLFW numbers it
constexpr int repeated = 2;
constexpr int control_key = 2; // among the modifiers

} // namespace

void InputQueue::pass(const std::function<void(const KeyEvent&)>& key,
                      const std::function<void(const CharacterEvent&)>& character,
                      const std::function<bool(const KeyEvent&)>& opens) {
    std::set<int> changed;
    std::set<int> typing; // keys that went down with their character
    bool has_text = false;
    while (!events_.empty()) {
        const Event next = events_.front();
        if (!next.is_key) {
            has_text = true;
            character(next.character);
            events_.pop_front();
            continue;
        }
        const int number = next.key.key;
        const bool goes_down = next.key.action != released;
        if (goes_down && events_.size() > 1 && !events_[1].is_key) {
            typing.insert(number);
        } else if (!goes_down && typing.contains(number)) {
            typing.erase(number);
        } else if (next.key.action != repeated) {
            if (changed.contains(number) || (has_text && goes_down)) {
                return;
            }
            changed.insert(number);
        }
        const bool is_last = goes_down && opens && opens(next.key);
        key(next.key);
        events_.pop_front();
        if (is_last) {
            if (!events_.empty() && !events_.front().is_key) { // its own
                character(events_.front().character);
                events_.pop_front();
            }
            return;
        }
        if (goes_down && (next.key.modifiers & control_key) != 0) {
            return;
        }
    }
}

} // namespace glproc::view
