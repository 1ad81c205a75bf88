// The window: shapes of pictures, of their pixels and of itself.
#include "view/window_fixture.hpp"

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

TEST_CASE("window: what is before is shown in the frame of the result") {
    Window window; // 400x300
    window.add("crop");
    CHECK(window.document().steps()[0].value_of(window.field("rect")) == "0,0,400,300");
    CHECK(window.news().result.form.width == 400);
    window.document().set(0, window.field("rect"), "0,0,100,300");
    window.view.settle();
    // A crop changes no pixel: both halves are the part, as the result is.
    const Image result = window.view.app().picture_area();
    window.press('S');
    const Image halves = window.view.app().picture_area();
    const ScreenPlace place = window.view.app().viewport().place();
    for (const double across : {0.1, 0.3, 0.7, 0.9}) {
        for (const double down : {0.05, 0.4, 0.6, 0.95}) {
            const int x = int(place.corner.x + across * place.width);
            const int y = int(place.corner.y + down * place.height);
            CHECK_FALSE((result.at(x, y, 0) == 0x16 && result.at(x, y, 2) == 0x1c)); // beside a picture
            for (int c = 0; c < 3; ++c) {
                CHECK(halves.at(x, y, c) == result.at(x, y, c));
            }
        }
    }
}

TEST_CASE("window: a density that differs across and down is the shape of pixels") {
    Image fax = photo_like_image({200, 100, 3, Depth::u8});
    fax.set_metadata({.density = Density{204, 102, Density::Unit::inch}});
    Window window(fax);
    const auto shape = [&] {
        const ScreenPlace place = window.view.app().viewport().place();
        return place.width / place.height;
    };
    CHECK(shape() == Approx(1).margin(0.01));
    window.add("rotate");
    window.document().set(0, window.field("angle"), "90");
    window.view.settle();
    CHECK(window.news().result.form.width == 100);
    CHECK(shape() == Approx(1).margin(0.01));
    window.add("resize");
    window.document().set(1, window.field("size"), "400x50");
    window.view.settle();
    CHECK(shape() == Approx(1).margin(0.01)); // the same, of other pixels
    window.document().set(1, window.field("size"), "50%");
    window.view.settle();
    CHECK(shape() == Approx(1).margin(0.01));
}

TEST_CASE("window: in a narrow one every button is there, and a message can be closed") {
    Window window;
    window.view.resize(420, 600);
    window.view.settle();
    CHECK(window.view.app().picture_area().height() < 480); // three lines of them
    const int panel = 420 - window.view.app().picture_area().width();
    CHECK(panel >= 270); // so that sliders have room beside their numbers
    CHECK(panel <= 290);
    window.add("crop");
    window.document().set(0, window.field("rect"), "0,0,9999,9999");
    window.view.settle();
    REQUIRE_FALSE(window.news().fault.empty());
    const Image with = window.view.screenshot();
    const Point2 cross = window.view.app().message_cross();
    window.point_at(float(cross.x), float(cross.y));
    window.hold(true);
    window.hold(false);
    window.point_at(1, 1);
    window.view.settle();
    const Image without = window.view.screenshot();
    const auto lit = [&](const Image& image) { // its edge has a colour of its own
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < 140; ++x) {
                count += image.at(x, y, 0) == 0xf0 && image.at(x, y, 1) == 0x74 ? 1 : 0;
            }
        }
        return count;
    };
    CHECK(lit(with) > 20);
    CHECK(lit(without) == 0);
    // Another fault is said again, and Escape closes it as well.
    window.document().set(0, window.field("rect"), "0,0,9999,8888");
    window.view.settle();
    CHECK(lit(window.view.screenshot()) > 20);
    window.press(256);
    CHECK(lit(window.view.screenshot()) == 0);
}
