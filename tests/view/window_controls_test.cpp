// Controls of the window: what is dark, what opens where, and what a click on them does.
#include "view/session.hpp"
#include "view/window_fixture.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <imgui_internal.h>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

void click(Headless& view, float x, float y) {
    ImGui::GetIO().MousePos = {x, y};
    view.draw();
    for (const bool down : {true, false}) {
        ImGui::GetIO().MouseDown[0] = down;
        view.draw();
    }
    view.settle();
}

// Buttons of the toolbar, whose middle is there.
constexpr float toolbar_y = 22;
constexpr float split_x = 378;
constexpr float view_x = 432;
constexpr float recipe_x = 508;

/// The menu that is open; null where there is none.
const ImGuiWindow* open_menu() {
    const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
    return stack.empty() ? nullptr : stack.back().Window;
}

/// Presets of its own.
struct PresetFolder : TempDir {
    std::optional<std::string> before;
    PresetFolder() {
        if (const char* now = std::getenv("XDG_CONFIG_HOME")) { // NOLINT(concurrency-mt-unsafe)
            before = now;
        }
        ::setenv("XDG_CONFIG_HOME", path().c_str(), 1); // NOLINT(concurrency-mt-unsafe)
        std::filesystem::create_directories(preset_folder());
        write_steps({new_step(*find_operation("invert"))}, (preset_folder() / "negative.txt").string());
    }
    ~PresetFolder() {
        before ? ::setenv("XDG_CONFIG_HOME", before->c_str(), 1)
               : ::unsetenv("XDG_CONFIG_HOME"); // NOLINT(concurrency-mt-unsafe)
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& path : presets_in(preset_folder())) {
            all.push_back(path.filename().string());
        }
        return all;
    }
};

} // namespace

TEST_CASE("window controls: a new curve, vignette and unsharp change nothing until a person does") {
    Window window;
    const Image photo = load(window / "photo.png");
    for (const char* name : {"curve", "vignette", "unsharp"}) {
        INFO(name);
        window.document().replace({});
        window.add(name);
        window.view.engine().save(window.document().steps(), (window / "out.png").string());
        window.view.settle();
        CHECK(std::ranges::equal(load(window / "out.png").bytes(), photo.bytes()));
    }
}

TEST_CASE("window controls: the levels behind a curve are those of what it gets") {
    Window window(ramp());
    window.add("threshold");
    window.add("curve");
    const auto known = window.news().inputs.find(window.document().steps()[1].id);
    REQUIRE(known != window.news().inputs.end());
    const std::vector<std::uint64_t>& counts = known->second->front().counts;
    CHECK(counts.front() + counts.back() == 256 * 200);
}

TEST_CASE("window controls: auto is a box to tick, with a slider once it is") {
    Window window;
    window.add("levels");
    const auto given = [&] { return window.document().steps().at(0).given; };
    constexpr float box_x = 789; // where values begin
    float y = 480;
    for (; y < 510 && given().empty(); y += 4) {
        click(window.view, box_x, y);
    }
    CHECK(given() == std::map<std::string, std::string>{{"auto", "0.1"}});
    // Its handles are gone, since the image chooses: it stands higher now.
    float now = 360;
    for (; now < y && !given().empty(); now += 4) {
        click(window.view, box_x, now);
    }
    CHECK(given().empty());
}

TEST_CASE("window controls: buttons are dark where nothing is open") {
    Headless view(ContextOptions{}, width, height);
    view.settle();
    click(view, split_x, toolbar_y); // has no effect
    const TempDir folder;
    save(ramp(), folder / "ramp.png");
    view.app().open((folder / "ramp.png").string());
    view.document().add(*find_operation("invert"));
    view.settle();
    view.app().viewport().zoom_to(1);
    view.settle();
    const Point2 at = view.app().viewport().to_frame({20.5, 100.5}); // left of the middle
    CHECK(view.app().picture_area().at(int(at.x), int(at.y), 0) == 235);
}

TEST_CASE("window controls: menus open below their buttons, and have a scroll bar where there is no room") {
    Window window;
    for (const float x : {view_x, recipe_x}) {
        click(window.view, x, toolbar_y);
        const ImGuiWindow* menu = open_menu();
        REQUIRE(menu != nullptr);
        CHECK(menu->Pos.y >= toolbar_y + 10);
        CHECK(menu->Pos.x <= x);
        window.press(256);
        CHECK(open_menu() == nullptr);
    }
    window.view.resize(width, 300);
    window.view.settle();
    click(window.view, view_x, toolbar_y);
    REQUIRE(open_menu() != nullptr);
    CHECK(open_menu()->Pos.y + open_menu()->Size.y <= 300);
    CHECK(open_menu()->ScrollMax.y > 0);
}

TEST_CASE(
    "window controls: an operation can be added however many there are, by a button that stays in sight") {
    Window window;
    for (int i = 0; i < 6; ++i) {
        window.add("levels");
    }
    click(window.view, width - 170, height - 22);
    REQUIRE(open_menu() != nullptr);
    window.type("invert");
    window.press(257);
    CHECK(window.document().steps().back().op->name == "invert");
}

TEST_CASE("window controls: there is room for handles around the image while it has some") {
    Window wide(photo_like_image({1200, 300, 3, Depth::u8}));
    const auto left = [&] { return wide.view.app().viewport().place().corner.x; };
    CHECK(left() == 0);
    wide.add("crop");
    wide.press('T');
    CHECK(left() == 8);
    wide.press(257);
    CHECK(left() == 0);
}

TEST_CASE("window controls: a lamp in the histogram marks clipped pixels") {
    Window window(ramp());
    window.press('1');
    CHECK(seen(window, 255, 50) == std::array{255, 255, 255});
    click(window.view, width - 340 + 19, 17);
    CHECK(seen(window, 255, 50) == std::array{255, 38, 38});
    click(window.view, width - 18, 17); // that of the other end
    CHECK(seen(window, 255, 50) == std::array{255, 255, 255});
}

TEST_CASE("window controls: a preset replaces the operations and says so, is renamed, and removed at the "
          "second click") {
    const PresetFolder presets;
    Window window;
    constexpr float row = 192; // of the first preset
    constexpr float rename_x = 680;
    constexpr float remove_x = 755;
    const auto open = [&] {
        click(window.view, recipe_x, toolbar_y);
        REQUIRE(open_menu() != nullptr);
    };
    open();
    click(window.view, recipe_x, row);
    REQUIRE(window.document().steps().size() == 1);
    CHECK(window.document().steps()[0].op->name == "invert");
    CHECK_FALSE(window.view.app().next_change()); // nothing is lost, nothing is said
    window.document().replace({new_step(*find_operation("blur"))});
    open();
    click(window.view, recipe_x, row);
    CHECK(window.document().steps()[0].op->name == "invert");
    CHECK(window.view.app().next_change());
    window.press('Z', true);
    CHECK(window.document().steps()[0].op->name == "blur");
    open();
    click(window.view, rename_x, row);
    window.type("dark.txt"); // in the place of the name, which is selected
    window.press(257);
    CHECK(presets.names() == std::vector<std::string>{"dark.txt"});
    open();
    click(window.view, remove_x, row);
    CHECK(presets.names() == std::vector<std::string>{"dark.txt"});
    click(window.view, remove_x, row);
    CHECK(presets.names().empty());
    CHECK(window.document().steps()[0].op->name == "blur");
}
