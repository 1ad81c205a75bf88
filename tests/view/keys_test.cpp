// Keys as ImGui sees them, whichever its version.
#include "view/keys.hpp"

#include "support/catch.hpp"

#include <imgui.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

using namespace glproc::view;

namespace {

/// ImGui without a window.
struct Widgets {
    Widgets() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {100, 100};
        io.DeltaTime = 1.0F / 60;
        io.Fonts->Build();
        map_keys();
        frame();
    }
    Widgets(const Widgets&) = delete;
    Widgets& operator=(const Widgets&) = delete;
    ~Widgets() { ImGui::DestroyContext(); }

    static void frame() {
        ImGui::NewFrame();
        ImGui::EndFrame();
    }
};

} // namespace

TEST_CASE("keys: a key is down from its press to its release") {
    Widgets widgets;
    for (const int key : {int('B'), int('Z'), int('0'), int('9'), GLFW_KEY_ENTER, escape_key}) {
        INFO(key);
        pass_key(key, true, 0);
        widgets.frame();
        CHECK(is_key_down(key));
        CHECK(is_key_pressed(key));
        CHECK_FALSE(is_key_down('C'));
        widgets.frame();
        CHECK(is_key_down(key));
        CHECK_FALSE(is_key_pressed(key));
        pass_key(key, false, 0);
        widgets.frame();
        CHECK_FALSE(is_key_down(key));
    }
}

TEST_CASE("keys: a modifier is held from its own press, or with the key of which it is told") {
    Widgets widgets;
    const ImGuiIO& io = ImGui::GetIO();
    pass_key(GLFW_KEY_LEFT_CONTROL, true, 0); // as X11 tells of it
    widgets.frame();
    CHECK(io.KeyCtrl);
    CHECK_FALSE(io.KeyShift);
    pass_key('Z', true, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
    widgets.frame();
    CHECK(io.KeyCtrl);
    CHECK(io.KeyShift);
    pass_key(GLFW_KEY_RIGHT_CONTROL, false, GLFW_MOD_CONTROL);
    widgets.frame();
    CHECK_FALSE(io.KeyCtrl);
}

TEST_CASE("keys: what is passed without spreading all comes with the next frame") {
    Widgets widgets;
    spread_events(false);
    for (const char letter : {'A', 'B'}) {
        pass_key(letter, true, 0);
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
        pass_key(letter, false, 0);
    }
    pass_key(GLFW_KEY_ENTER, true, 0);
    ImGui::NewFrame();
    CHECK(ImGui::GetIO().InputQueueCharacters.Size == 2);
    CHECK(is_key_down(GLFW_KEY_ENTER));
    CHECK_FALSE(is_key_down('A'));
    CHECK_FALSE(has_left_events());
    ImGui::EndFrame();
}
