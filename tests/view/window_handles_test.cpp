// Handles in the picture that turn it, straighten it by its corners and lay a second picture on it.
#include "view/keys.hpp"
#include "view/tools/second.hpp"
#include "view/window_fixture.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <GLFW/glfw3.h>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

constexpr int enter = 257;

std::string value(Window& window, const std::string& name) {
    return window.document().steps().back().value_of(window.field(name));
}

void take(Window& window, ToolKind kind, const std::string& field) {
    window.view.app().held() = Held{kind, window.document().steps().back().id, field};
    window.view.settle();
}

/// The window's own saving and the command line's words make the same bytes.
void check_command(Window& window) {
    const std::string saved = (window / "saved.png").string();
    window.view.engine().save(window.document().steps(), saved);
    window.view.settle();
    CHECK_FALSE(window.news().message_is_fault);
    const Steps again = [&] {
        std::vector<std::string> call{"view"};
        const auto words = words_of(window.document().steps());
        call.insert(call.end(), words.begin(), words.end());
        return steps_from(cli::parse_arguments(call));
    }();
    CHECK(words_of(again) == words_of(window.document().steps()));
    const Image made = load(saved);
    window.view.engine().save(again, (window / "again.png").string());
    window.view.settle();
    const Image second = load(window / "again.png");
    CHECK(std::ranges::equal(made.bytes(), second.bytes()));
}

/// A point on a circle about the middle of what is seen, by an angle from the top.
Point2 around(Window& window, double degrees, double radius = 100) {
    const Form form = window.news().result.form;
    const double radians = degrees * std::numbers::pi / 180;
    const Point2 middle = on_screen(window, form.width / 2.0, form.height / 2.0);
    return {middle.x + radius * std::sin(radians), middle.y - radius * std::cos(radians)};
}

} // namespace

TEST_CASE("window handles: the picture turns with the pointer about its middle") {
    Window window;
    window.add("rotate");
    window.document().set(0, window.field("angle"), "0");
    take(window, ToolKind::turn, "angle");
    drag(window, around(window, 0), around(window, 30));
    CHECK(std::stod(value(window, "angle")) == Approx(30).margin(1)); // pixels of the screen are whole
    const double first = std::stod(value(window, "angle"));
    CHECK(window.news().result.form.width > 400); // the turned picture is seen
    drag(window, around(window, 90), around(window, 50));
    CHECK(std::stod(value(window, "angle")) == Approx(first - 40).margin(1));
    window.press('Z', true); // one step for each
    CHECK(std::stod(value(window, "angle")) == first);
    for (int i = 0; i < 5; ++i) { // on and on: it stays between half a turn to either side
        drag(window, around(window, 0), around(window, 100));
        CHECK(std::abs(std::stod(value(window, "angle"))) <= 180);
    }
    check_command(window);
    window.press(enter);
    CHECK_FALSE(window.view.app().held());
}

TEST_CASE("window handles: with Shift the angle goes in notches") {
    Window window;
    window.add("rotate");
    window.document().set(0, window.field("angle"), "0");
    take(window, ToolKind::turn, "angle");
    pass_key(GLFW_KEY_LEFT_SHIFT, true, 0);
    const Point2 from = around(window, 0);
    const Point2 to = around(window, 41);
    window.point_at(float(from.x), float(from.y));
    window.hold(true);
    window.point_at(float(to.x), float(to.y));
    window.hold(false);
    pass_key(GLFW_KEY_LEFT_SHIFT, false, 0);
    window.view.settle();
    CHECK(std::fmod(std::stod(value(window, "angle")), 15) == 0);
}

TEST_CASE("window handles: corners are dragged in what the step gets") {
    Window window;
    window.add("warp");
    CHECK(value(window, "points") == "0,0,400,0,400,300,0,300"); // all of the picture
    window.press('1');
    take(window, ToolKind::corners, "points");
    drag(window, on_screen(window, 2, 3), on_screen(window, 42, 23)); // the nearest follows
    CHECK(value(window, "points") == "40,20,400,0,400,300,0,300");
    CHECK(window.news().result.form.width == 400); // what it gets is seen
    drag(window, on_screen(window, 390, 290), on_screen(window, 360, 280));
    CHECK(value(window, "points") == "40,20,400,0,370,290,0,300");
    window.press('Z', true);
    CHECK(value(window, "points") == "40,20,400,0,400,300,0,300");
    check_command(window);
    window.press(enter);
    window.press('1');
    CHECK(window.shows(window.expected()));
}

TEST_CASE("window handles: a second picture is dragged to its place, and scaled by a corner") {
    Window window;
    Image logo(40, 20, 3, Depth::u8);
    std::ranges::fill(logo.values<std::uint8_t>(), std::uint8_t{255});
    save(logo, window / "logo.png");
    window.add("blend");
    CHECK(window.news().fault.empty());
    window.document().set(0, window.field("with"), (window / "logo.png").string());
    window.view.settle();
    window.press('1');
    REQUIRE(window.news().seconds.at(window.document().steps()[0].id).width == 40);
    take(window, ToolKind::second, "at");
    drag(window, on_screen(window, 20, 10), on_screen(window, 120, 60));
    CHECK(value(window, "at") == "100,50");
    CHECK(seen(window, 110, 60) == std::array{255, 255, 255}); // the result is seen
    drag(window, on_screen(window, 140, 70), on_screen(window, 180, 75)); // a corner
    CHECK(value(window, "scale") == "0.2");
    CHECK(value(window, "at") == "100,50");
    CHECK(seen(window, 175, 85) == std::array{255, 255, 255});
    drag(window, on_screen(window, 100, 50), on_screen(window, 140, 70)); // the opposite corner stays
    CHECK(value(window, "scale") == "0.1");
    CHECK(value(window, "at") == "140,70");
    window.press('Z', true); // place and scale are one step
    CHECK(value(window, "scale") == "0.2");
    CHECK(value(window, "at") == "100,50");
    window.document().set(0, window.field("gravity"), "southeast");
    window.document().set(0, window.field("at"), "0,0");
    window.view.settle();
    drag(window, on_screen(window, 360, 280), on_screen(window, 350, 260)); // counted from there
    CHECK(value(window, "at") == "-10,-20");
    check_command(window);
}

TEST_CASE("window handles: a new operation begins with its handle, and a change behind it ends that") {
    Window window;
    const auto add = [&](const std::string& name) {
        window.press('A');
        window.type(name);
        window.press(enter);
    };
    const auto& tool = window.view.app().held();
    add("crop");
    REQUIRE(window.document().steps().size() == 1);
    const Held crop{ToolKind::part, window.document().steps()[0].id, "rect"};
    CHECK(tool == crop);
    const Point2 corner = window.view.app().picture_corner();
    window.point_at(float(corner.x) + 30, float(corner.y) + 20); // on the words that tell of it
    window.hold(true);
    window.hold(false);
    window.view.settle();
    CHECK_FALSE(tool);
    CHECK(window.document().steps()[0].given.at("rect") == "0,0,400,300");
    add("draw"); // has places, too, but begins without one
    REQUIRE(window.document().steps().size() == 2);
    CHECK_FALSE(tool);
    window.view.app().held() = crop;
    window.view.settle();
    window.document().set(0, *field_called(*window.document().steps()[0].op, "rect"), "10,10,50,40");
    window.view.settle();
    CHECK(tool == crop); // its own step
    window.document().switch_step(1, false);
    window.view.settle();
    CHECK_FALSE(tool);
    CHECK(window.news().result.form.width == 50);
}

TEST_CASE("window handles: where the second picture lies is what the operation makes") {
    Image logo(30, 17, 3, Depth::u8);
    std::ranges::fill(logo.values<std::uint8_t>(), std::uint8_t{255});
    Image black(200, 100, 3, Depth::u8);
    const TempDir folder;
    save(logo, folder / "logo.png");
    for (const char* words : {"", "--at 12,-5", "--margin 9", "--gravity bottom-right --margin 4",
                              "--gravity center --scale 0.31", "--gravity left --at 3,4 --scale 7%", "--scale 2"}) {
        INFO(words);
        std::vector<std::string> call{"view", "blend", "--with", (folder / "logo.png").string()};
        std::istringstream in(words);
        for (std::string word; in >> word;) {
            call.push_back(word);
        }
        const Step step = steps_from(cli::parse_arguments(call)).front();
        const auto part = second_part(step, black.form(), logo.form());
        REQUIRE(part);
        const std::unique_ptr<Operation> blend = operation_of(step);
        for (PictureInput* other : blend->pictures()) {
            other->image = std::make_shared<const Image>(logo);
        }
        Image result;
        std::thread([&] {
            Context gpu;
            const GpuImage source = gpu.upload(black);
            result = gpu.download(blend->run(gpu, ImageInput{"black", black, source}).picture.value());
        }).join();
        std::size_t wrong = 0;
        for (int y = 0; y < 100; ++y) {
            for (int x = 0; x < 200; ++x) {
                const bool is_in = x >= part->x && y >= part->y && x < part->x + part->width && y < part->y + part->height;
                wrong += (result.at(x, y, 0) > 200) != is_in ? 1 : 0;
            }
        }
        CHECK(wrong == 0);
    }
}
