// Colours as the monitor needs them.
#include "view/panels/monitor.hpp"
#include "view/window_fixture.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/colour_management.hpp"

#include <array>
#include <cmath>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

using modules::StandardColours;
using Bytes = std::vector<std::byte>;

Bytes display_p3() {
    return colour_management().standard({.colours = StandardColours::display_p3});
}

/// The library's own answer, pixel by pixel.
Image converted(const Image& image, const Bytes& from, const Bytes& to) {
    std::string problem;
    const auto conversion = colour_management().begin({.from = from,
                                                       .to = to,
                                                       .intent = modules::ColourIntent::relative,
                                                       .black_points = true},
                                                      problem);
    REQUIRE(conversion);
    Image result = image;
    for (std::uint8_t *value = result.values<std::uint8_t>().data(), *end = value + result.bytes().size(); value < end;
         value += 3) {
        std::array<float, 3> in{value[0] / 255.0F, value[1] / 255.0F, value[2] / 255.0F};
        std::array<float, 3> out{};
        conversion->convert(in.data(), out.data(), 1);
        for (std::size_t c = 0; c < 3; ++c) {
            value[c] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(out[c], 0.0F, 1.0F)));
        }
    }
    return result;
}

/// The largest difference of what the window shows, at 1:1.
int difference(Window& window, const Image& wanted) {
    const Image area = window.view.app().picture_area();
    int worst = 0;
    for (int y = 0; y < wanted.height(); ++y) {
        for (int x = 0; x < wanted.width(); ++x) {
            const Point2 at = window.view.app().viewport().to_frame({double(x), double(y)});
            for (int c = 0; c < 3; ++c) {
                worst = std::max(worst, std::abs(int(area.at(int(at.x), int(at.y), c)) - int(wanted.at(x, y, c))));
            }
        }
    }
    return worst;
}

/// A profile of a screen with the primaries of sRGB, and a curve of 1024 values.
Bytes measured_screen() {
    Bytes bytes(128);
    const auto put = [&](std::size_t at, std::uint32_t value, int size = 4) {
        bytes.resize(std::max(bytes.size(), at + static_cast<std::size_t>(size)));
        for (int i = 0; i < size; ++i) {
            bytes[at + static_cast<std::size_t>(i)] = static_cast<std::byte>(value >> (8 * (size - 1 - i)));
        }
    };
    const auto word = [&](std::size_t at, const char* text) {
        for (std::size_t i = 0; i < 4; ++i) {
            put(at + i, static_cast<unsigned char>(text[i]), 1);
        }
    };
    const auto fixed = [](double v) { return static_cast<std::uint32_t>(std::lround(v * 65536)); };
    put(8, 0x02400000);
    word(12, "mntr");
    word(16, "RGB ");
    word(20, "XYZ ");
    put(24, 2000, 2);
    put(26, 1, 2);
    put(28, 1, 2);
    word(36, "acsp");
    const std::array<double, 3> white{0.9642, 1, 0.8249};
    for (std::size_t i = 0; i < 3; ++i) {
        put(68 + 4 * i, fixed(white[i]));
    }
    const std::array<const char*, 7> names{"wtpt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"};
    const std::array<std::array<double, 3>, 4> colours{
        {white, {0.4360, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7139}}};
    put(128, names.size());
    std::size_t at = 132 + 12 * names.size();
    const std::size_t curve = at + 4 * 20;
    constexpr std::size_t count = 1024;
    for (std::size_t i = 0; i < names.size(); ++i) {
        word(132 + 12 * i, names[i]);
        put(136 + 12 * i, static_cast<std::uint32_t>(i < 4 ? at : curve));
        put(140 + 12 * i, i < 4 ? 20 : 12 + 2 * count);
        if (i < 4) {
            word(at, "XYZ ");
            put(at + 4, 0);
            for (std::size_t c = 0; c < 3; ++c) {
                put(at + 8 + 4 * c, fixed(colours[i][c]));
            }
            at += 20;
        }
    }
    word(curve, "curv");
    put(curve + 4, 0);
    put(curve + 8, count);
    for (std::size_t i = 0; i < count; ++i) {
        put(curve + 12 + 2 * i, static_cast<std::uint32_t>(std::lround(65535 * std::pow(static_cast<double>(i) / (count - 1), 1.8))), 2);
    }
    put(0, static_cast<std::uint32_t>(bytes.size()));
    return bytes;
}

/// All greys, and colours between them.
Image colours() {
    Image image(256, 256, 3, Depth::u8);
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 256; ++x) {
            std::byte* pixel = image.row(y) + 3 * static_cast<std::ptrdiff_t>(x);
            pixel[0] = std::byte(x);
            pixel[1] = std::byte(y == 0 ? x : (x * 7 + y * 13) % 256);
            pixel[2] = std::byte(y == 0 ? x : y);
        }
    }
    return image;
}

} // namespace

TEST_CASE("monitor: the window shows what the monitor needs, within a code of the library") {
    Window window(colours());
    window.press('1');
    REQUIRE(difference(window, colours()) == 0);
    window.view.app().set_monitor(display_p3());
    window.view.settle();
    const Image wanted = converted(colours(), colour_management().standard({}), display_p3());
    CHECK(difference(window, wanted) <= 1);
    CHECK(difference(window, colours()) > 20); // which is another picture
    // What is saved has nothing of it, and neither have the figures.
    window.view.engine().save({}, (window / "saved.png").string());
    window.view.settle();
    CHECK(std::ranges::equal(load(window / "saved.png").bytes(), colours().bytes()));
    window.press('V'); // a single channel is a value, not a colour
    CHECK(seen(window, 100, 50) == std::array{100, 100, 100});
    for (int i = 0; i < 5; ++i) { // all but alpha, which it does not have
        window.press('V');
    }
    window.view.app().set_monitor({});
    window.view.settle();
    CHECK(difference(window, colours()) == 0);
}

TEST_CASE("monitor: the image's own profile counts, before as well as after") {
    Image photo = colours();
    Metadata metadata;
    metadata.icc = display_p3();
    photo.set_metadata(metadata);
    Window window(photo);
    window.press('1');
    window.view.app().set_monitor(display_p3());
    window.view.settle();
    CHECK(difference(window, colours()) == 0); // the same profile
    window.view.app().set_monitor(colour_management().standard({}));
    window.view.settle();
    const Image wanted = converted(colours(), display_p3(), colour_management().standard({}));
    CHECK(difference(window, wanted) <= 1);
    window.add("profile"); // to sRGB, which the monitor has: values as they are
    CHECK(difference(window, wanted) <= 1);
    window.press('S');
    CHECK(difference(window, wanted) <= 1); // the same colours on both sides of the line, by different values
}

TEST_CASE("monitor: of a profile with measured curves there is a table, within a code as well") {
    const Bytes screen = measured_screen();
    REQUIRE_FALSE(monitor_colours({}, screen).table.empty());
    Window window(colours());
    window.press('1');
    window.view.app().set_monitor(screen);
    window.view.settle();
    const Image wanted = converted(colours(), colour_management().standard({}), screen);
    CHECK(difference(window, wanted) <= 1);
    CHECK(difference(window, colours()) > 10);
}

TEST_CASE("monitor: a profile that cannot be used is said, and values go to the monitor as they are") {
    Window window(colours());
    window.press('1');
    CHECK_THROWS_AS(monitor_colours({}, Bytes(200, std::byte{7})), Error);
    CHECK_THROWS_AS(monitor_colours({}, colour_management().standard({.is_grey = true})), Error);
    window.view.app().set_monitor(Bytes(200, std::byte{7}));
    window.view.settle();
    CHECK(difference(window, colours()) == 0);
    CHECK(monitor_colours(Bytes(200, std::byte{7}), display_p3()).formulas ==
          monitor_colours({}, display_p3()).formulas); // a broken profile of an image is none
    CHECK(monitor_colours({}, colour_management().standard({})).are_same());
}

TEST_CASE("monitor: transparent colours are those of opaque ones over the board") {
    Image photo(64, 64, 4, Depth::u8);
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
            std::byte* pixel = photo.row(y) + 4 * static_cast<std::ptrdiff_t>(x);
            pixel[0] = std::byte(255);
            pixel[3] = std::byte(x < 32 ? 255 : 0);
        }
    }
    Window window(photo);
    window.press('1');
    const auto board = seen(window, 40, 8);
    window.view.app().set_monitor(display_p3());
    window.view.settle();
    CHECK(seen(window, 40, 8) == board);
    CHECK(seen(window, 8, 8) != std::array{255, 0, 0});
}
