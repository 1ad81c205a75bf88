// Zoom and pan, without a window.
#include "view/viewport.hpp"

#include "support/catch.hpp"

#include <cmath>

using namespace glproc::view;

namespace {

Viewport viewport(double width, double height) {
    Viewport view;
    view.set_frame(800, 600);
    view.set_picture(width, height);
    return view;
}

bool near(double a, double b) {
    return std::abs(a - b) < 1e-9;
}

} // namespace

TEST_CASE("viewport: a picture is fitted in and lies in the middle") {
    const Viewport view = viewport(1600, 800);
    CHECK(view.fits());
    CHECK(view.zoom() == 0.5);
    CHECK(view.origin().x == 0);
    CHECK(view.origin().y == 100);
    CHECK(viewport(10, 10).zoom() == 8); // whole pixels, and not enormous
    CHECK(viewport(300, 250).zoom() == 2);
    CHECK(viewport(1, 1).zoom() == 8);
}

TEST_CASE("viewport: a picture of another shape keeps it within the place of this one") {
    const ScreenPlace place{{10, 20}, 400, 400};
    CHECK(fitted(200, 100, place) == ScreenPlace{{10, 120}, 400, 200});
    CHECK(fitted(100, 200, place) == ScreenPlace{{110, 20}, 200, 400});
    CHECK(fitted(400, 400, place) == place);
    CHECK(fitted(1000, 999, place) == place); // of the same shape, but for a rounding
}

TEST_CASE("viewport: what is under the pointer stays there") {
    Viewport view = viewport(4000, 3000);
    for (const double zoom : {1.0, 3.0, 0.5, 1.0}) {
        const Point2 at = view.to_picture({400, 300});
        view.zoom_to(zoom, {400, 300});
        CHECK_FALSE(view.fits());
        CHECK(view.zoom() == zoom);
        const Point2 now = view.to_picture({400, 300});
        CHECK(std::abs(now.x - at.x) <= 0.5 / zoom);
        CHECK(std::abs(now.y - at.y) <= 0.5 / zoom);
    }
}

TEST_CASE("viewport: origins are whole pixels, so that 1:1 shows pixels as they are") {
    Viewport view = viewport(4001, 3003);
    view.zoom_to(1, {123.4, 56.7});
    view.pan(-10.3, 7.9);
    CHECK(view.origin().x == std::round(view.origin().x));
    CHECK(view.origin().y == std::round(view.origin().y));
}

TEST_CASE("viewport: a larger picture leaves no gap, a smaller one stays in the middle") {
    Viewport view = viewport(4000, 3000);
    view.zoom_to(1);
    view.pan(1e6, 1e6);
    CHECK(view.origin().x == 0);
    CHECK(view.origin().y == 0);
    view.pan(-1e6, -1e6);
    CHECK(view.origin().x == 800 - 4000);
    CHECK(view.origin().y == 600 - 3000);
    Viewport small = viewport(100, 100);
    small.zoom_to(1);
    small.pan(50, 50);
    CHECK(small.origin().x == 350);
    CHECK(small.origin().y == 250);
}

TEST_CASE("viewport: steps go from size to size and meet 1:1") {
    Viewport view = viewport(2448, 1505);
    bool meets_one = false;
    double last = view.zoom();
    for (int i = 0; i < 40; ++i) {
        view.step(1);
        CHECK(view.zoom() >= last);
        last = view.zoom();
        meets_one = meets_one || last == 1;
    }
    CHECK(meets_one);
    CHECK(last == 32);
    for (int i = 0; i < 40; ++i) {
        view.step(-1);
    }
    CHECK(view.zoom() == 1.0 / 64);
}

TEST_CASE("viewport: coordinates go there and back") {
    Viewport view = viewport(2448, 1505);
    view.zoom_to(1.5, {10, 20});
    const Point2 at = view.to_frame(view.to_picture({333, 444}));
    CHECK(near(at.x, 333));
    CHECK(near(at.y, 444));
}

TEST_CASE(
    "viewport: a margin is room for handles, around a whole picture and beyond the edges of a larger one") {
    Viewport view = viewport(1600, 800);
    view.set_margin(8);
    CHECK(view.zoom() == 784.0 / 1600);
    CHECK(view.origin().x == 8);
    CHECK(view.origin().x + view.place().width == 792);
    view.zoom_to(1);
    view.pan(1e6, 1e6);
    CHECK(view.origin() == Point2{8, 8});
    view.pan(-1e6, -1e6);
    CHECK(view.origin() == Point2{800 - 1600 - 8, 600 - 800 - 8});
    view.set_margin(0);
    CHECK(view.origin() == Point2{800 - 1600, 600 - 800});
    view.fit();
    CHECK(view.zoom() == 0.5);
}

TEST_CASE("viewport: a new size fits again, unless a person has zoomed") {
    Viewport view = viewport(1600, 1200);
    view.set_picture(400, 300);
    CHECK(view.zoom() == 2);
    view.zoom_to(1);
    view.set_picture(1600, 1200);
    CHECK(view.zoom() == 1);
    view.fit();
    view.set_frame(1600, 1200);
    CHECK(view.zoom() == 1);
    CHECK(view.fits());
}

TEST_CASE("viewport: a part is shown where it is out of sight or too small, and is left where it is otherwise") {
    Viewport view = viewport(8000, 6000);
    view.look_at({{800, 600}, 4000, 3000});
    CHECK(view.fits()); // in sight, and large
    view.look_at({{7000, 5000}, 12, 10});
    CHECK(view.zoom() == 4);
    CHECK(std::abs(view.to_frame({7006, 5005}).x - 400) <= 1);
    CHECK(std::abs(view.to_frame({7006, 5005}).y - 300) <= 1);
    const Viewport before = view;
    view.look_at({{6990, 4990}, 20, 20});
    CHECK(view == before);
    view.look_at({{3000, 3000}, 100, 100}); // out of sight: it comes into the middle, as large as it would be
    CHECK(view.zoom() == 4);
    CHECK(std::abs(view.to_frame({3050, 3050}).x - 400) <= 1);
    view.look_at({{1000, 1000}, 4000, 2000}); // larger than the frame
    CHECK(view.to_frame({1000, 1000}).x >= 0);
    CHECK(view.to_frame({5000, 3000}).x <= 800);
    view.look_at({{0, 0}, 1, 1});
    CHECK(view.zoom() == 8);
    CHECK(view.to_frame({0, 0}).x == 0); // nothing is shown beyond the edge
}
