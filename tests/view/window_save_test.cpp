// What Save asks beside a name: the format and the quality.
#include "glproc/files/file.hpp"
#include "view/window_fixture.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

TEST_CASE("chooser: a slider sets the quality of what is saved, where its format has one") {
    Window window;
    window.add("invert");
    const auto ask = [&](const std::string& name) {
        window.press('S', true);
        window.type(name);
        window.view.draw();
    };
    const auto drag_to = [&](double share) {
        const Point2 slider = window.view.app().chooser().place_of_quality();
        window.point_at(float(slider.x + scaled_pixels(240) * share), float(slider.y));
        window.hold(true);
        window.hold(false);
    };
    const auto saved = [&](const std::string& name) {
        window.press(enter_key);
        window.view.settle();
        return read_file(window / name);
    };
    for (const std::string end : {"jpg", "webp"}) {
        INFO(end);
        ask("usual." + end);
        CHECK_FALSE(window.view.app().chooser().quality());
        CHECK((saved("usual." + end) == encode(window.expected(), end)));
        ask("small." + end);
        drag_to(0.2);
        const int low = window.view.app().chooser().quality().value();
        CHECK(std::abs(low - 20) <= 4);
        const auto small = saved("small." + end);
        ask("large." + end);
        drag_to(0.95);
        const int high = window.view.app().chooser().quality().value();
        CHECK(std::abs(high - 95) <= 4);
        const auto large = saved("large." + end);
        CHECK(2 * small.size() < large.size());
        CHECK((small == encode(window.expected(), end, {.quality = low})));
        CHECK((large == encode(window.expected(), end, {.quality = high})));
    }
    ask("exact.png"); // has none, whatever another one was given
    drag_to(0.2);
    CHECK_FALSE(window.view.app().chooser().quality());
    window.press(escape_key);
    // As on the command line, a JPEG of a JPEG keeps its quality.
    save(window.expected(), window / "from.jpg", {.quality = 35});
    window.view.app().open((window / "from.jpg").string());
    window.view.settle();
    CHECK(usual_quality(Format::jpeg, window.news().jpeg) == 35);
    ask("again.jpg");
    const auto again = saved("again.jpg");
    CHECK(load(window / "again.jpg").metadata().jpeg->quality == 35);
}

TEST_CASE("chooser: the list of formats changes the end of the name, and with it what is written") {
    Window window;
    window.add("invert");
    window.press('S', true);
    window.type("out.v2.png");
    const auto click = [&](Point2 at) {
        window.point_at(float(at.x), float(at.y));
        window.hold(true);
        window.hold(false);
        window.view.draw();
    };
    click(window.view.app().chooser().place_of_formats());
    const std::vector<std::string> formats = writable_extensions();
    click(window.view.app().chooser().place_of_format(
        std::size_t(std::find(formats.begin(), formats.end(), "bmp") - formats.begin())));
    window.press(enter_key);
    window.view.settle();
    CHECK_FALSE(std::filesystem::exists(window / "out.v2.png"));
    CHECK((read_file(window / "out.v2.bmp") == encode(window.expected(), "bmp")));
}
