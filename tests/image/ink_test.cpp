// Antialiased lines and text.
#include "glproc/image/ink.hpp"

#include "support/catch.hpp"

using namespace glproc;

namespace {

/// All ink, in whole pixels.
double sum(const Ink& ink, int width, int height) {
    double all = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            all += ink.at(x, y) / 255.0;
        }
    }
    return all;
}

} // namespace

TEST_CASE("a line through the centres of pixels covers just these") {
    Ink ink(10, 5);
    ink.line({2.5, 2.5}, {7.5, 2.5}, 1);
    for (int x = 0; x < 10; ++x) {
        CHECK(ink.at(x, 2) == (x >= 2 && x <= 7 ? 255 : 0));
        CHECK(ink.at(x, 1) == 0);
        CHECK(ink.at(x, 3) == 0);
    }
}

TEST_CASE("lines over each other are no darker, and what lies outside is left out") {
    Ink once(20, 20);
    Ink twice(20, 20);
    once.line({-5, -3}, {27, 31}, 2);
    twice.line({-5, -3}, {27, 31}, 2);
    twice.line({27, 31}, {-5, -3}, 2);
    CHECK(sum(once, 20, 20) == sum(twice, 20, 20));
    CHECK(sum(once, 20, 20) > 20);
    Ink none(20, 20);
    none.line({-50, -50}, {-10, 100}, 3);
    none.line({100, 0}, {100, 20}, 3);
    CHECK(sum(none, 20, 20) == 0);
}

TEST_CASE("text is as wide as it says, and every character of a label has ink") {
    for (const char c :
         std::string_view("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,:'-+=/%()[]_?#")) {
        const std::string_view one(&c, 1);
        INFO(c);
        Ink ink(40, 40);
        ink.text(one, {10, 25}, 20);
        CHECK(sum(ink, 40, 40) > 2);
        const int end = static_cast<int>(10 + text_width(one, 20) + 2.5);
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 40; ++x) {
                CHECK((ink.at(x, y) == 0 || (x >= 8 && x <= end)));
            }
        }
    }
    CHECK(text_width("", 12) == 0);
    CHECK(text_width("ab", 12) > text_width("a", 12) + text_width("b", 12));
    CHECK(text_width("a", 24) == 2 * text_width("a", 12));
}
