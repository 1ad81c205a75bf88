// Colours from text, and channels that go.
#include "glproc/image/colour.hpp"

#include "support/catch.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("colours from text") {
    CHECK(colour_from("#f00") == Colour{1, 0, 0, 1});
    CHECK(colour_from("#0f08") == Colour{0, 1, 0, 0x88 / 255.0});
    CHECK(colour_from("#336699") == Colour{0.2, 0.4, 0.6, 1});
    CHECK(colour_from("#33669900") == Colour{0.2, 0.4, 0.6, 0});
    CHECK(colour_from("#ABCDEF") == colour_from("#abcdef"));
    CHECK(colour_from("white") == Colour{1, 1, 1, 1});
    CHECK(colour_from("Transparent") == Colour{0, 0, 0, 0});
    CHECK(colour_from("gray") == colour_from("grey"));
    CHECK(colour_from("0.5") == Colour{0.5, 0.5, 0.5, 1});
    CHECK(colour_from("51/255") == Colour{0.2, 0.2, 0.2, 1});
    CHECK(colour_from("0,0.5,1") == Colour{0, 0.5, 1, 1});
    CHECK(colour_from("1,0,0,0.25") == Colour{1, 0, 0, 0.25});
    CHECK(colour_from("51/255,1,0") == Colour{0.2, 1, 0, 1});
    for (const char* text : {"",     "#",       "#12",   "#12345",  "#1234567",  "#123456789", "#ggg",
                             "#-12", "whitish", "1,2,3", "0.1,0.2", "0,0,0,0,0", "0,,1",       "256/255",
                             "1/0",  "-1",      "nan",   "inf",     "0.5 ",      "1/-1"}) {
        INFO(text);
        CHECK(!colour_from(text).has_value());
    }
    for (const std::string& name : colour_names()) {
        CHECK(colour_from(name).has_value());
        CHECK(colour_from(hex_of(*colour_from(name))) == colour_from(name));
    }
}

TEST_CASE("all names of CSS are colours") {
    const std::vector<std::string> names = colour_names();
    CHECK(names.size() == 149); // 148, and transparent
    CHECK(std::ranges::is_sorted(names));
    CHECK(std::ranges::adjacent_find(names) == names.end());
    for (const auto& [name, hex] : std::map<std::string, std::string>{
             {"aliceblue", "#f0f8ff"}, {"darkred", "#8b0000"}, {"DarkOliveGreen", "#556b2f"},
             {"lightgoldenrodyellow", "#fafad2"}, {"rebeccapurple", "#663399"}, {"peru", "#cd853f"},
             {"tan", "#d2b48c"}, {"tomato", "#ff6347"}, {"yellowgreen", "#9acd32"}}) {
        INFO(name);
        CHECK(colour_from(name) == colour_from(hex));
    }
    for (const std::string& name : names) { // both spellings
        if (const std::size_t at = name.find("gray"); at != std::string::npos) {
            INFO(name);
            CHECK(colour_from(name) == colour_from(std::string(name).replace(at, 4, "grey")));
        }
    }
}

namespace {

double rounded(double code, Depth depth) {
    return depth == Depth::f32 ? static_cast<float>(code)
                               : std::nearbyint(std::clamp(code, 0.0, max_code(depth)));
}

} // namespace

TEST_CASE("grey is the luma of Rec. 709, and keeps what is grey already") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = random_image({31, 17, channels, depth}, 3);
            Image grey(31, 17, grey_channels(channels), depth);
            to_grey(image.bytes(), image.form(), grey.bytes());
            bool right = true;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const double luma = channels < 3 ? image.at(x, y, 0)
                                                     : (2126 * image.at(x, y, 0) + 7152 * image.at(x, y, 1) +
                                                        722 * image.at(x, y, 2)) /
                                                           10000; // ties are exact
                    const double off = std::abs(grey.at(x, y, 0) - rounded(luma, depth));
                    right = right && off <= (depth == Depth::f32 ? 1e-6 : 0);
                    right = right && (!image.has_alpha() ||
                                      grey.at(x, y, grey.channels() - 1) == image.at(x, y, channels - 1));
                }
            }
            INFO(channels << " channels of " << static_cast<int>(depth) << " bits");
            CHECK(right);
        }
        const Image flat = constant_image({5, 5, 3, depth}, 0.7);
        Image grey(5, 5, 1, depth);
        to_grey(flat.bytes(), flat.form(), grey.bytes());
        CHECK(grey.at(2, 2, 0) == flat.at(2, 2, 1));
    }
}

TEST_CASE("flattened pictures lie on their background") {
    const Colour orange{1, 0.6, 0.2, 1};
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {2, 4}) {
            const Image image = random_image({31, 17, channels, depth}, 4);
            Image flat(31, 17, opaque_channels(channels), depth);
            flatten(image.bytes(), image.form(), orange, flat.bytes());
            const double full = max_code(depth);
            const double below[3] = {rounded(full, depth), rounded(0.6 * full, depth),
                                     rounded(0.2 * full, depth)};
            bool right = true;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const double alpha = image.at(x, y, channels - 1) / full;
                    for (int c = 0; c < channels - 1; ++c) {
                        const double mixed = image.at(x, y, c) * alpha + below[c] * (1 - alpha);
                        const double off = std::abs(flat.at(x, y, c) - mixed);
                        right = right && off <= (depth == Depth::f32 ? 1e-6 : 0.5 + 1e-9);
                    }
                }
            }
            INFO(channels << " channels of " << static_cast<int>(depth) << " bits");
            CHECK(right);
        }
    }
}
