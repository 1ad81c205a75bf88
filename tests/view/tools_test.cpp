// What handles, curves and measures compute. No window.
#include "view/panels/curve.hpp"
#include "view/tools/handles.hpp"
#include "view/panels/levels.hpp"
#include "view/tools/measure.hpp"
#include "view/tools/part.hpp"
#include "view/tools/second.hpp"
#include "view/panels/scopes.hpp"

#include "glproc/op/op.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::view;

TEST_CASE("part: its text is read back, and other texts are none") {
    CHECK(part_in("1,2,30,40") == Rect{1, 2, 30, 40});
    CHECK(part_in(text_of(Rect{0, -5, 7, 8})) == Rect{0, -5, 7, 8});
    for (const char* text :
         {"", "1,2,3", "1,2,3,4,5", "1,2,3,4 ", "10%,2,3,4", "a,b,c,d", "1,2,3,99999999999"}) {
        INFO(text);
        CHECK_FALSE(part_in(text));
    }
}

TEST_CASE("part: an aspect stays while edges and corners are dragged, within the image") {
    CHECK(ratio_in("3:2") == 1.5);
    CHECK(ratio_in("1.5") == 1.5);
    CHECK_FALSE(ratio_in(""));
    CHECK_FALSE(ratio_in("0:2"));
    CHECK(largest_part(1, 400, 300) == Rect{50, 0, 300, 300});
    CHECK(largest_part(2, 400, 300) == Rect{0, 50, 400, 200});
    CHECK(with_ratio({10, 10, 100, 10}, {1, 1}, 2, 400, 300) == Rect{10, 10, 100, 50});
    for (const Grip grip : {Grip{1, 1}, Grip{-1, 1}, Grip{1, -1}, Grip{-1, -1}, Grip{1, 0}, Grip{-1, 0}, Grip{0, 1}, Grip{0, -1}}) {
        for (const double by : {-500.0, -37.0, 3.0, 61.0, 500.0}) {
            INFO(grip.x << "," << grip.y << " " << by);
            const Rect part =
                with_ratio(dragged({100, 100, 90, 60}, grip, {by, by}, 400, 300), grip, 1.5, 400, 300);
            CHECK(part.x >= 0);
            CHECK(part.y >= 0);
            CHECK(part.x + part.width <= 400);
            CHECK(part.y + part.height <= 300);
            CHECK(std::abs(part.width - 1.5 * part.height) <= 1.5);
            if (grip.x > 0) {
                CHECK(part.x == 100); // the other side stays
            }
            if (grip.y < 0 && part.height < 160) {
                CHECK(std::abs(part.y + part.height - 160) <= 1);
            }
        }
    }
}

TEST_CASE("part: edges, corners and the middle are within reach") {
    const Rect part{100, 100, 200, 100};
    CHECK(grip_at(part, {100, 150}, 8) == Grip{-1, 0});
    CHECK(grip_at(part, {305, 150}, 8) == Grip{1, 0});
    CHECK(grip_at(part, {200, 96}, 8) == Grip{0, -1});
    CHECK(grip_at(part, {295, 195}, 8) == Grip{1, 1});
    CHECK(grip_at(part, {200, 150}, 8) == Grip{0, 0});
    CHECK_FALSE(grip_at(part, {90, 150}, 8));
    CHECK_FALSE(grip_at(part, {200, 209}, 8));
    CHECK(grip_at({10, 10, 3, 3}, {11.5, 11.5}, 8) == Grip{0, 0}); // a small one can be moved as well
}

TEST_CASE("part: what is dragged stays in the picture and has a pixel") {
    const Rect part{100, 100, 200, 100};
    CHECK(dragged(part, {0, 0}, {10, -20}, 640, 480) == Rect{110, 80, 200, 100});
    CHECK(dragged(part, {0, 0}, {9999, 9999}, 640, 480) == Rect{440, 380, 200, 100});
    CHECK(dragged(part, {0, 0}, {-9999, 0}, 640, 480) == Rect{0, 100, 200, 100});
    CHECK(dragged(part, {-1, 0}, {30, 50}, 640, 480) == Rect{130, 100, 170, 100});
    CHECK(dragged(part, {-1, -1}, {9999, 9999}, 640, 480) == Rect{299, 199, 1, 1});
    CHECK(dragged(part, {1, 1}, {-9999, -9999}, 640, 480) == Rect{100, 100, 1, 1});
    CHECK(dragged(part, {1, 1}, {1e300, 1e300}, 640, 480) == Rect{100, 100, 540, 380});
    CHECK(dragged(part, {0, 1}, {50, 1.4}, 640, 480) == Rect{100, 100, 200, 101});
    CHECK(spanned({50.5, 60.2}, {10.9, 70.1}, 640, 480) == Rect{10, 60, 41, 11});
    CHECK(spanned({-50, -50}, {9999, 9999}, 640, 480) == Rect{0, 0, 640, 480});
    CHECK(spanned({5, 5}, {5, 5}, 1, 1) == Rect{0, 0, 1, 1});
}

TEST_CASE("curve: points are read, moved between their neighbours, added and removed") {
    const CurvePoints straight{{0, 0}, {1, 1}};
    CHECK(curve_in("0,0,1,1") == straight);
    CHECK(curve_in("0 0; 1 1") == straight);
    CHECK(curve_in(text_of(straight)) == straight);
    CHECK(text_of({{0, 0.25}, {0.5, 0.1234}}) == "0,0.25,0.5,0.123");
    for (const char* text : {"", "0,0", "1,1,0,0", "-1,0,1,1", "0,0,1,2", "a"}) {
        INFO(text);
        CHECK_FALSE(curve_in(text));
    }
    const auto added = with_added(straight, {0.5, 0.75});
    REQUIRE(added);
    CHECK(added->first == CurvePoints{{0, 0}, {0.5, 0.75}, {1, 1}});
    CHECK(added->second == 1);
    CHECK_FALSE(with_added(straight, {0.001, 0.5}));
    CHECK_FALSE(with_added(straight, {1.5, 0.5}));
    CHECK(point_at(added->first, {0.52, 0.75}, 0.05) == std::size_t{1});
    CHECK_FALSE(point_at(added->first, {0.6, 0.75}, 0.05));
    const CurvePoints moved = with_moved(added->first, 1, {7, -3});
    CHECK(moved[1][0] < 1);
    CHECK(moved[1][0] > 0.99);
    CHECK(moved[1][1] == 0);
    CHECK(curve_in(text_of(moved))); // the operation takes it
    CHECK(with_moved(straight, 0, {-1, 0.2})[0] == std::array{0.0, 0.2});
    CHECK(without(added->first, 1) == straight);
    CHECK(without(straight, 0) == straight);
}

TEST_CASE("levels: the middle is where gamma puts it, and ends stay apart") {
    const LevelEnds levels{0.2, 0.8, 2};
    CHECK(middle_of(levels) == Approx(0.2 + 0.6 * 0.25));
    CHECK(with_middle(levels, middle_of(levels)).gamma == Approx(2));
    CHECK(with_middle(levels, 0.5).gamma == Approx(1));
    CHECK(with_middle(levels, -5).gamma <= 10);
    CHECK(with_middle(levels, 5).gamma >= 0.1);
    CHECK(with_black(levels, 0.9).black < levels.white);
    CHECK(with_white(levels, 0).white > levels.black);
    CHECK(with_white(levels, 7).white == 1);
    CHECK(with_black(levels, -7).black == 0);
    CHECK_FALSE(has_levels(*find_operation("blur")));
    REQUIRE(has_levels(*find_operation("levels")));
    Step step = new_step(*find_operation("levels"));
    step.given = {{"black", "0.1"}};
    CHECK(levels_of(step) == LevelEnds{0.1, 1, 1});
    step.given = {{"black", "10%"}};
    CHECK_FALSE(levels_of(step));
    step.given = {{"auto", "0.5"}};
    CHECK_FALSE(levels_of(step));
}

TEST_CASE("measure: figures of each channel, and values along a line") {
    Image image(4, 2, 3, Depth::u8);
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 4; ++x) {
            image.values<std::uint8_t>()[static_cast<std::size_t>((y * 4 + x) * 3)] =
                std::uint8_t(10 * x + y);
            image.values<std::uint8_t>()[static_cast<std::size_t>((y * 4 + x) * 3 + 1)] = 7;
        }
    }
    const auto figures = figures_of(image);
    REQUIRE(figures.size() == 3);
    CHECK(figures[0].mean == Approx(15.5));
    double squares = 0;
    for (int y = 0; y < 2; ++y) {
        for (int x = 0; x < 4; ++x) {
            squares += std::pow(10 * x + y - 15.5, 2);
        }
    }
    CHECK(figures[0].deviation == Approx(std::sqrt(squares / 8)));
    CHECK(figures[0].least == 0);
    CHECK(figures[0].most == 31);
    CHECK(figures[1].deviation == 0);
    Image none(1, 1, 1, Depth::f32);
    none.values<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    CHECK(figures_of(none)[0].mean == 0);
    CHECK(figures_of(none)[0].most == 0);
    const auto line = values_along(image, {0.5, 0.5}, {3.5, 1.5});
    REQUIRE(line.size() == 4);
    CHECK(line[0] == std::vector<double>{0, 7, 0});
    CHECK(line[3] == std::vector<double>{31, 7, 0});
    CHECK(values_along(image, {1, 1}, {1, 1}).size() == 1);
    CHECK(values_along(image, {-9, -9}, {99, 99}).back()[0] == 31);
}

TEST_CASE("turn: the angle between two points about a middle, clockwise on the screen") {
    const Point2 middle{10, 20};
    CHECK(swept(middle, {20, 20}, {10, 30}) == Approx(90));
    CHECK(swept(middle, {10, 30}, {20, 20}) == Approx(-90));
    CHECK(swept(middle, {0, 21}, {0, 19}) == Approx(2 * std::atan2(1, 10) * 180 / std::acos(-1))); // over the seam
    CHECK(swept(middle, {15, 20}, {15, 20}) == 0);
    CHECK(angle_text(12.34) == "12.3");
    CHECK(angle_text(-0.04) == "0");
    CHECK(angle_text(190) == "-170");
    CHECK(angle_text(-725.25) == "-5.3");
    CHECK(angle_text(90) == "90");
}

TEST_CASE("corners: their text is read back, other texts are none, and none goes far beyond the picture") {
    const Corners all = corners_of(400, 300);
    CHECK(text_of(all) == "0,0,400,0,400,300,0,300");
    CHECK(corners_in(text_of(all)) == all);
    CHECK(corners_in("1.5,2,3,4,5,6,7,-8") == Corners{Point2{1.5, 2}, {3, 4}, {5, 6}, {7, -8}});
    for (const char* text : {"", "1,2,3,4,5,6,7", "1,2,3,4,5,6,7,8,9", "a", "1,2,3,4,5,6,7,nan", "1,2,3,4,5,6,7,8 "}) {
        INFO(text);
        CHECK_FALSE(corners_in(text));
    }
    CHECK(nearest_corner(all, {390, 20}) == 1);
    CHECK(nearest_corner(all, {-50, 900}) == 3);
    CHECK(with_moved(all, 2, {-10, 5.26}, 400, 300)[2] == Point2{390, 305.26});
    CHECK(text_of(with_moved(all, 2, {-10, 5.26}, 400, 300)) == "0,0,400,0,390,305.3,0,300");
    CHECK(with_moved(all, 0, {-1e9, 1e9}, 400, 300)[0] == Point2{-400, 600});
}

TEST_CASE("second picture: a corner scales it about the opposite one, and it stays within reach") {
    const Form form{400, 300, 3, Depth::u8};
    const Rect part{100, 50, 40, 20};
    CHECK(dragged_second(part, {0, 0}, {5, -7}, form) == Rect{105, 43, 40, 20});
    CHECK(dragged_second(part, {1, 1}, {40, 0}, form) == Rect{100, 50, 80, 40});
    CHECK(dragged_second(part, {1, 1}, {0, 20}, form) == Rect{100, 50, 80, 40});
    CHECK(dragged_second(part, {-1, -1}, {20, 0}, form) == Rect{120, 60, 20, 10});
    CHECK(dragged_second(part, {-1, 1}, {-40, 0}, form) == Rect{60, 50, 80, 40});
    CHECK(dragged_second(part, {1, 1}, {-1e9, -1e9}, form) == Rect{100, 50, 1, 1});
    CHECK(dragged_second(part, {1, 1}, {1e9, 1e9}, form) == Rect{100, 50, 1600, 800});
    CHECK(dragged_second(part, {0, 0}, {-1e9, 1e9}, form) == Rect{-39, 299, 40, 20});
    CHECK(has_second(*find_operation("blend")));
    CHECK_FALSE(has_second(*find_operation("match")));
}

TEST_CASE("waveform: it counts the values of each strip of columns") {
    Image image(4, 3, 3, Depth::u8);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x) {
            image.row(y)[3 * x] = std::byte(10 * x);
            image.row(y)[3 * x + 1] = std::byte(y);
            image.row(y)[3 * x + 2] = std::byte(255);
        }
    }
    const Waveform made(image);
    CHECK(made.columns() == 4);
    CHECK(made.channels() == 3);
    CHECK(made.count(0, 3, 30) == 3);
    CHECK(made.count(0, 3, 20) == 0);
    CHECK(made.count(1, 2, 2) == 1);
    CHECK(made.count(2, 0, 255) == 3);
    const auto pixels = picture_of(made);
    REQUIRE(pixels.size() == 4 * 256 * 4);
    CHECK(pixels[0] == 0);   // white at the top: no red
    CHECK(pixels[2] == 255); // all of blue

    Image wide(1000, 2, 1, Depth::f32);
    auto values = wide.values<float>();
    std::ranges::fill(values, 0.5F);
    values[0] = std::numeric_limits<float>::quiet_NaN();
    values[1] = 7;
    values[999] = -7;
    const Waveform grey(wide);
    CHECK(grey.columns() == Waveform::most_columns);
    CHECK(grey.channels() == 1);
    std::size_t all = 0;
    for (int column = 0; column < grey.columns(); ++column) {
        for (int level = 0; level < Waveform::levels; ++level) {
            all += grey.count(0, column, level);
        }
    }
    CHECK(all == 1999); // what is not a number does not count
    CHECK(grey.count(0, 0, 255) == 1);
    CHECK(grey.count(0, 255, 0) == 1);

    Image deep(1, 1, 1, Depth::u16);
    deep.values<std::uint16_t>()[0] = 65535;
    CHECK(Waveform(deep).count(0, 0, 255) == 1);
}
