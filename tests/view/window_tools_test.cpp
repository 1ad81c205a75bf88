// Handles in the picture, views of the result, and keys that a person guesses.
#include "view/panels/theme.hpp"
#include "view/window_fixture.hpp"

#include <array>
#include <filesystem>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

constexpr int enter = 257;
constexpr int escape = 256;

} // namespace

TEST_CASE("window tools: a part is dragged by its edges in what the step gets") {
    Window window;
    window.add("crop");
    window.press('1');
    const auto rect = [&] { return window.document().steps()[0].value_of(window.field("rect")); };
    CHECK(rect() == "0,0,400,300");
    window.view.app().held() = Held{ToolKind::part, window.document().steps()[0].id, "rect"};
    window.view.settle();
    drag(window, on_screen(window, 1, 150), on_screen(window, 101, 180)); // the left edge
    CHECK(rect() == "100,0,300,300");
    CHECK(window.news().result.form.width == 400);                          // all of it is still seen
    drag(window, on_screen(window, 399, 299), on_screen(window, 299, 249)); // a corner
    CHECK(rect() == "100,0,200,250");
    drag(window, on_screen(window, 200, 120), on_screen(window, 150, 140)); // the middle
    CHECK(rect() == "50,20,200,250");
    CHECK(window.document().can_undo());
    window.press('Z', true); // one step for each
    CHECK(rect() == "100,0,200,250");
    drag(window, on_screen(window, 20, 20), on_screen(window, 60, 50)); // a new one, outside
    CHECK(rect() == "20,20,40,30");
    window.press(enter);
    CHECK_FALSE(window.view.app().held());
    CHECK(window.news().result.form.width == 40);
    window.view.app().held() = Held{ToolKind::part, window.document().steps()[0].id, "rect"};
    window.view.settle();
    CHECK(window.news().result.form.width == 400);
    window.document().remove(0);
    window.view.settle();
    CHECK_FALSE(window.view.app().held()); // its step is gone
}

TEST_CASE("window tools: black, white and grey are picked in what the step gets") {
    Window window(ramp());
    window.add("invert");
    window.add("levels");
    window.press('1');
    REQUIRE(window.news().inputs.contains(window.document().steps()[1].id));
    const auto click = [&](ToolKind kind, double x) {
        window.view.app().held() = Held{kind, window.document().steps()[1].id};
        window.view.settle();
        const Point2 at = on_screen(window, x + 0.5, 100.5);
        window.point_at(float(at.x), float(at.y));
        window.hold(true);
        window.hold(false);
        window.view.settle();
        CHECK_FALSE(window.view.app().held());
    };
    click(ToolKind::black, 204); // inverted: 51 of 255
    click(ToolKind::white, 51);
    const auto value = [&](const char* name) { return window.document().steps()[1].given.at(name); };
    CHECK(value("black") == "0.2");
    CHECK(value("white") == "0.8");
    click(ToolKind::grey, 153); // 102: a third of the way
    CHECK(std::stod(value("gamma")) == Approx(std::log(1 / 3.0) / std::log(0.5)).margin(0.001));
    CHECK(seen(window, 204, 100) == std::array{0, 0, 0});
    CHECK(seen(window, 51, 100) == std::array{255, 255, 255});
    CHECK(std::abs(seen(window, 153, 100)[0] - 128) <= 1);
}

TEST_CASE("window tools: a region is measured, and a line") {
    Window window(ramp());
    window.press('1');
    window.press('M');
    REQUIRE(window.view.app().held());
    drag(window, on_screen(window, 10.2, 20.2), on_screen(window, 20.8, 40.8));
    REQUIRE(window.view.app().measured().region().size() == 3);
    CHECK(window.view.app().measured().region()[0].least == 10);
    CHECK(window.view.app().measured().region()[0].most == 20);
    CHECK(window.view.app().measured().region()[0].mean == Approx(15));
    window.add("invert"); // the same region of another result
    CHECK(window.view.app().measured().region()[0].least == 235);
    window.view.app().press('M', false, true);
    window.view.settle();
    drag(window, on_screen(window, 30.5, 50.5), on_screen(window, 60.5, 50.5));
    REQUIRE(window.view.app().measured().line().size() == 31);
    CHECK(window.view.app().measured().line().front()[0] == 225);
    CHECK(window.view.app().measured().line().back()[2] == 195);
    window.press(escape);
    CHECK_FALSE(window.view.app().held());
}

TEST_CASE(
    "window tools: channels, clipped pixels and the difference are seen, and nothing of them is saved") {
    Image photo = ramp();
    auto values = photo.values<std::uint8_t>();
    for (std::size_t i = 0; i < values.size(); i += 3) {
        values[i + 1] = 40;
        values[i + 2] = 0;
    }
    Window window(photo);
    window.press('1');
    CHECK(seen(window, 100, 50) == std::array{100, 40, 0});
    window.press('V');
    CHECK(seen(window, 100, 50) == std::array{100, 100, 100});
    window.press('V');
    CHECK(seen(window, 100, 50) == std::array{40, 40, 40});
    window.press('V');
    CHECK(seen(window, 100, 50) == std::array{0, 0, 0});
    window.press('V'); // there is no alpha
    CHECK(std::abs(seen(window, 100, 50)[0] - (0.2126 * 100 + 0.7152 * 40)) <= 1);
    window.press('V');
    CHECK(seen(window, 10, 50)[2] > seen(window, 10, 50)[0]); // dark is blue
    window.press('V');
    CHECK(seen(window, 100, 50) == std::array{100, 40, 0});
    window.press('X');
    CHECK(seen(window, 254, 50) == std::array{254, 40, 0});
    CHECK(seen(window, 255, 50) == std::array{255, 38, 38});
    window.press('X');
    window.add("invert");
    window.press('D');
    CHECK(seen(window, 100, 50) == std::array{220, 255, 255}); // |155 - 100|, |215 - 40|, 255, times 4
    CHECK(seen(window, 128, 50)[0] == 4);
    const std::string saved = (window / "saved.png").string();
    window.view.engine().save(window.document().steps(), saved);
    window.view.settle();
    const Image in_file = load(saved);
    CHECK(std::ranges::equal(in_file.bytes(), window.expected().bytes()));
}

TEST_CASE("window tools: alpha is shown of an image that has it, and red, green and blue not of a grey one") {
    Image photo(64, 48, 4, Depth::u8);
    auto values = photo.values<std::uint8_t>();
    for (std::size_t i = 0; i < values.size(); i += 4) {
        values[i] = 100;
        values[i + 3] = 200;
    }
    Window window(photo);
    for (int i = 0; i < 4; ++i) {
        window.press('V');
    }
    CHECK(seen(window, 20, 20) == std::array{200, 200, 200});
    window.add("gray");
    window.add("convert");
    window.document().set(1, window.field("alpha"), "drop");
    window.view.settle();
    REQUIRE(window.news().result.image->channels() == 1);
    const int grey = seen(window, 20, 20)[0]; // alpha is not there any more: colours are shown
    CHECK(grey < 100);
    window.press('V');
    CHECK(seen(window, 20, 20) == std::array{grey, grey, grey}); // luma
    window.press('V');
    CHECK(seen(window, 20, 20)[2] > seen(window, 20, 20)[0]); // false colours
    window.press('V');
    window.press('V');
    CHECK(seen(window, 20, 20) == std::array{grey, grey, grey});
}

TEST_CASE("window tools: the result is compared with another picture at the same place") {
    Window window(ramp());
    const Image inverted = [&] {
        window.add("invert");
        Image result = window.expected();
        window.document().undo();
        return result;
    }();
    save(inverted, window / "other.png");
    window.press('1');
    window.view.engine().compare_with((window / "other.png").string());
    window.view.settle();
    REQUIRE(window.news().other.image != nullptr);
    CHECK(window.news().other_name == "other.png");
    window.press('S');
    CHECK(seen(window, 20, 50) == std::array{235, 235, 235}); // left of the line
    CHECK(seen(window, 220, 50) == std::array{220, 220, 220});
    window.view.engine().compare_with("");
    window.view.settle();
    CHECK(seen(window, 20, 50) == std::array{20, 20, 20});
    window.view.engine().compare_with((window / "nosuch.png").string());
    window.view.settle();
    CHECK(window.news().message_is_fault);
}

TEST_CASE("window tools: from picture to picture of a folder with the same operations") {
    Window window;
    save(ramp(), window / "second.png");
    window.add("invert");
    window.press(267); // page down
    CHECK(window.news().name == "second.png");
    window.press('1');
    CHECK(seen(window, 20, 50) == std::array{235, 235, 235});
    window.press(267);
    CHECK(window.news().name == "photo.png");
    window.press(266);
    CHECK(window.news().name == "second.png");
}

TEST_CASE("window tools: arrows move the picture until Tab chooses a control") {
    Window window(photo_like_image({3000, 2000, 3, Depth::u8}));
    window.press('1');
    const Point2 before = window.view.app().viewport().origin();
    REQUIRE(window.view.app().takes(right_key));
    window.view.app().press(right_key, false, false);
    window.view.settle();
    CHECK(window.view.app().viewport().origin().x == before.x - 80);
    window.view.app().press(up_key, false, false);
    window.view.settle();
    CHECK(window.view.app().viewport().origin().y == before.y + 80);
    CHECK_FALSE(window.view.app().takes(space_key)); // there is no video
    window.press(258);                               // Tab, without a click before
    window.press(down_key);
    CHECK(shows_focus());
    CHECK_FALSE(window.view.app().takes(right_key));
    window.press(escape);
    window.press(300);
    CHECK(window.view.app().is_full_screen());
    window.press(escape);
    CHECK_FALSE(window.view.app().is_full_screen());
}

TEST_CASE("window tools: light colours can be read as well as dark ones") {
    const auto contrast = [](const ImVec4& a, const ImVec4& b) {
        const auto luminance = [](const ImVec4& c) {
            const auto linear = [](float v) {
                return v <= 0.04045F ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(c.x) + 0.7152 * linear(c.y) + 0.0722 * linear(c.z) + 0.05;
        };
        const double x = luminance(a);
        const double y = luminance(b);
        return std::max(x, y) / std::min(x, y);
    };
    Window window;
    for (const bool is_light : {true, false}) {
        set_colours(is_light);
        CHECK(contrast(theme::text, theme::card) > 7);
        CHECK(contrast(theme::text, theme::control) > 7);
        CHECK(contrast(theme::text, theme::accent_deep) > 4);
        CHECK(contrast(theme::dim, theme::card) > 4.5);
        CHECK(contrast(theme::dim, theme::panel) > 4.5);
        CHECK(contrast(theme::fault, theme::card) > 4.5);
        for (std::size_t heading = 0; heading < 5; ++heading) {
            CHECK(contrast(heading_colour(heading), theme::card) > 4.5);
        }
    }
}
