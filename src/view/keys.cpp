#include "view/keys.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <imgui.h>
#include <imgui_internal.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace glproc::view {

bool act_on(const Key& pressed, KeyActions actions) {
    const int wanted = pressed.control ? ctrl(pressed.number) : pressed.number;
    const auto* found = std::ranges::find(actions, wanted, [](const auto& action) { return action.first; });
    if (found != actions.end()) {
        found->second();
    }
    return found != actions.end();
}

namespace {

struct KeyName {
    int name; ///< ImGui's
    int key;  ///< GLFW's
};

/// Apart from letters and digits, what ImGui itself listens to.
constexpr KeyName key_names[] = {
    {ImGuiKey_Tab, GLFW_KEY_TAB},
    {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
    {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
    {ImGuiKey_UpArrow, GLFW_KEY_UP},
    {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
    {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
    {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
    {ImGuiKey_Home, GLFW_KEY_HOME},
    {ImGuiKey_End, GLFW_KEY_END},
    {ImGuiKey_Insert, GLFW_KEY_INSERT},
    {ImGuiKey_Delete, GLFW_KEY_DELETE},
    {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
    {ImGuiKey_Space, GLFW_KEY_SPACE},
    {ImGuiKey_Enter, GLFW_KEY_ENTER},
    {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
#if IMGUI_VERSION_NUM >= 18700
    {ImGuiKey_KeypadEnter, GLFW_KEY_KP_ENTER},
    {ImGuiKey_LeftCtrl, GLFW_KEY_LEFT_CONTROL},
    {ImGuiKey_RightCtrl, GLFW_KEY_RIGHT_CONTROL},
    {ImGuiKey_LeftShift, GLFW_KEY_LEFT_SHIFT},
    {ImGuiKey_RightShift, GLFW_KEY_RIGHT_SHIFT},
    {ImGuiKey_LeftAlt, GLFW_KEY_LEFT_ALT},
    {ImGuiKey_RightAlt, GLFW_KEY_RIGHT_ALT},
#else
    {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
    {ImGuiKey_A, GLFW_KEY_A},
    {ImGuiKey_C, GLFW_KEY_C},
    {ImGuiKey_V, GLFW_KEY_V},
    {ImGuiKey_X, GLFW_KEY_X},
    {ImGuiKey_Y, GLFW_KEY_Y},
    {ImGuiKey_Z, GLFW_KEY_Z},
#endif
};

/// Of the event of a key: whether a modifier is held after it. That of its own key may not know yet.
bool holds(int modifiers, int bit, int key, bool is_down, int left, int right) {
    return key == left || key == right ? is_down : (modifiers & bit) != 0;
}

#if IMGUI_VERSION_NUM >= 18700
ImGuiKey name_of(int key) {
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) {
        return static_cast<ImGuiKey>(ImGuiKey_A + (key - GLFW_KEY_A));
    }
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) {
        return static_cast<ImGuiKey>(ImGuiKey_0 + (key - GLFW_KEY_0));
    }
    const auto* found = std::ranges::find(key_names, key, &KeyName::key);
    return found == std::end(key_names) ? ImGuiKey_None : static_cast<ImGuiKey>(found->name);
}
#endif

/// The first control gets the keyboard where none has it.
void begin_focus() {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    if (context.NavWindow != nullptr && context.NavId == 0) {
        ImGui::NavInitWindow(context.NavWindow, true);
    }
}

} // namespace

#if IMGUI_VERSION_NUM >= 19140

bool shows_focus() {
    return ImGui::GetCurrentContext()->NavCursorVisible && ImGui::GetCurrentContext()->NavId != 0;
}

void show_focus() {
    ImGui::SetNavCursorVisible(true);
    begin_focus();
}

#else

bool shows_focus() {
    return !ImGui::GetCurrentContext()->NavDisableHighlight && ImGui::GetCurrentContext()->NavId != 0;
}

void show_focus() {
    ImGui::GetCurrentContext()->NavDisableHighlight = false;
    begin_focus();
}

#endif

#if IMGUI_VERSION_NUM >= 18700

void map_keys() {}

void pass_key(int key, bool is_down, int modifiers) {
    ImGuiIO& io = ImGui::GetIO();
    const auto pass = [&](ImGuiKey name, int bit, int left, int right) {
        io.AddKeyEvent(name, holds(modifiers, bit, key, is_down, left, right));
    };
    pass(ImGuiMod_Ctrl, GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    pass(ImGuiMod_Shift, GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    pass(ImGuiMod_Alt, GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
    if (const ImGuiKey name = name_of(key); name != ImGuiKey_None) {
        io.AddKeyEvent(name, is_down);
    }
}

void spread_events(bool spreads) {
    ImGui::GetIO().ConfigInputTrickleEventQueue = spreads;
}

bool has_left_events() {
    return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
}

bool is_key_down(int key) {
    return ImGui::IsKeyDown(name_of(key));
}

bool is_key_pressed(int key) {
    return ImGui::IsKeyPressed(name_of(key));
}

#else

void map_keys() {
    for (const auto& [name, key] : key_names) {
        ImGui::GetIO().KeyMap[name] = key;
    }
}

void pass_key(int key, bool is_down, int modifiers) {
    ImGuiIO& io = ImGui::GetIO();
    const auto held = [&](int bit, int left, int right) {
        return holds(modifiers, bit, key, is_down, left, right);
    };
    io.KeyCtrl = held(GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
    io.KeyShift = held(GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
    io.KeyAlt = held(GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
    if (key >= 0 && key < IM_ARRAYSIZE(io.KeysDown)) {
        io.KeysDown[key] = is_down;
    }
}

void spread_events(bool /*spreads*/) {} // it never does

bool has_left_events() {
    return false;
}

bool is_key_down(int key) {
    return ImGui::IsKeyDown(key);
}

bool is_key_pressed(int key) {
    return ImGui::IsKeyPressed(key);
}

#endif

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
