// TGA and GIF of the kinds that programs write and handmade_files.hpp does not.
#include "files/handmade_files.hpp"

#include <map>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Type 1 to 11, with the corner that pixels start at: 0x20 top, 0x10 right.
Bytes tga(int type, int width, int height, int bits, int corner, const Bytes& rest,
          const Bytes& palette_words = Bytes(5)) {
    return bytes_of({0, type % 8 == 1 ? 1 : 0, type}) + palette_words + Bytes(4) +
           little_endian(static_cast<std::uint32_t>(width), 2) +
           little_endian(static_cast<std::uint32_t>(height), 2) + bytes_of({bits, corner}) + rest;
}

/// A GIF of one frame on a screen, put together by hand. `table` has 4 colours or none.
Bytes gif(int screen_width, int screen_height, const std::array<int, 4>& frame, const Bytes& table,
          const Bytes& codes, int flags = 0, const Bytes& before = {}) {
    Bytes file = bytes_of("GIF89a") + little_endian(static_cast<std::uint32_t>(screen_width), 2) +
                 little_endian(static_cast<std::uint32_t>(screen_height), 2) +
                 bytes_of({table.empty() ? 0 : 0x81, 0, 0}) + table + before + bytes_of({0x2c});
    for (const int side : frame)
        file = std::move(file) + little_endian(static_cast<std::uint32_t>(side), 2);
    return std::move(file) + bytes_of({flags, 2, static_cast<int>(codes.size())}) + codes +
           bytes_of({0, 0x3b});
}

/// Codes of 3 bits: a clear code first where asked, then one a pixel, then the end. A clear code after every
/// second pixel keeps them 3 bits wide.
Bytes codes_of(const std::vector<unsigned>& pixels, bool clear = true) {
    std::vector<unsigned> codes;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (i % 2 == 0 && (clear || i > 0))
            codes.push_back(4);
        codes.push_back(pixels[i]);
    }
    codes.push_back(5);
    Bytes bytes((codes.size() * 3 + 7) / 8);
    for (std::size_t i = 0; i < codes.size() * 3; ++i)
        bytes[i / 8] |= static_cast<std::byte>((codes[i / 3] >> i % 3 & 1U) << i % 8);
    return bytes;
}

const Bytes table = bytes_of({10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120});

} // namespace

TEST_CASE("TGA from each of its four corners") {
    const Bytes pixels = bytes_of({1, 2, 3, 4, 5, 6});
    CHECK(std::ranges::equal(decode(tga(3, 3, 2, 8, 0x20, pixels), "a.tga").bytes(), pixels));
    CHECK(std::ranges::equal(decode(tga(3, 3, 2, 8, 0, pixels), "a.tga").bytes(),
                             bytes_of({4, 5, 6, 1, 2, 3})));
    CHECK(std::ranges::equal(decode(tga(3, 3, 2, 8, 0x30, pixels), "a.tga").bytes(),
                             bytes_of({3, 2, 1, 6, 5, 4})));
    CHECK(std::ranges::equal(decode(tga(3, 3, 2, 8, 0x10, pixels), "a.tga").bytes(),
                             bytes_of({6, 5, 4, 3, 2, 1})));
}

TEST_CASE("a TGA's palette may begin at any number; what it does not have is black") {
    const Bytes words = little_endian(10, 2) + little_endian(2, 2) + bytes_of({24});
    const Bytes colours = bytes_of({3, 2, 1, 6, 5, 4});
    for (const int bits : {8, 16}) {
        Bytes places;
        for (const unsigned place : {10U, 11U, 9U, 12U})
            places = std::move(places) + little_endian(place, bits / 8);
        const Image image = decode(tga(1, 4, 1, bits, 0x20, colours + places, words), "a.tga");
        REQUIRE(image.channels() == 3);
        CHECK(std::ranges::equal(image.bytes(), bytes_of({1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0})));
    }
}

TEST_CASE("TGA in runs, which may go from row to row") {
    const Image image = decode(tga(10, 2, 2, 24, 0x20, bytes_of({0x82, 3, 2, 1, 0, 6, 5, 4})), "a.tga");
    CHECK(std::ranges::equal(image.bytes(), bytes_of({1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6})));
    const Image small =
        decode(tga(2, 2, 1, 16, 0x20, little_endian(0x7c00, 2) + little_endian(0x10, 2)), "a.tga");
    CHECK(std::ranges::equal(small.bytes(), bytes_of({255, 0, 0, 0, 0, 132})));
    for (const Bytes& wrong :
         {tga(10, 2, 2, 24, 0, bytes_of({0x82, 3, 2, 1})), tga(2, 2, 2, 24, 0, Bytes(11))})
        check_error(ErrorCode::input, "a.tga: truncated TGA", [&] { decode(wrong, "a.tga"); });
    for (const Bytes& wrong : {tga(2, 2, 2, 20, 0, Bytes(20)), tga(3, 2, 2, 24, 0, Bytes(20)),
                               tga(1, 2, 2, 8, 0, Bytes(20)), tga(7, 2, 2, 8, 0, Bytes(20))})
        check_error(ErrorCode::input, "a.tga: corrupt or unsupported TGA", [&] { decode(wrong, "a.tga"); });
}

TEST_CASE("a GIF's frame that is smaller than the screen leaves the rest transparent") {
    const Image image = decode(gif(4, 3, {1, 1, 2, 1}, table, codes_of({1, 2})), "a.gif");
    REQUIRE(image.form() == Form{4, 3, 4, Depth::u8});
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x)
            CHECK(image.at(x, y, 3) == (y == 1 && (x == 1 || x == 2) ? 255 : 0));
    }
    CHECK(image.at(1, 1, 0) == 40);
    CHECK(image.at(2, 1, 2) == 90);
}

TEST_CASE("a GIF's frame that reaches beyond the screen widens it") {
    const Image image = decode(gif(1, 1, {0, 0, 2, 2}, table, codes_of({0, 1, 2, 3})), "a.gif");
    REQUIRE(image.form() == Form{2, 2, 3, Depth::u8});
    CHECK(std::ranges::equal(image.bytes(), table));
    CHECK(decode(gif(0, 0, {0, 0, 2, 2}, table, codes_of({0, 1, 2, 3})), "a.gif").width() == 2);
}

TEST_CASE("a GIF without a table of colours is grey, and one without a clear code is read") {
    const Image grey = decode(gif(2, 1, {0, 0, 2, 1}, {}, codes_of({1, 3})), "a.gif");
    CHECK(std::ranges::equal(grey.bytes(), bytes_of({1, 1, 1, 3, 3, 3})));
    const Image image = decode(gif(2, 2, {0, 0, 2, 2}, table, codes_of({0, 1, 2, 3}, false)), "a.gif");
    CHECK(std::ranges::equal(image.bytes(), table));
}

TEST_CASE("a GIF whose codes begin wider than its colours is read") { // which giflib refuses
    // What a writer of GIF makes of pixels whose codes begin with `bits` bits.
    const auto wide_codes = [](const std::vector<unsigned>& pixels, unsigned bits, bool grow) {
        const unsigned clear = 1U << bits;
        std::vector<std::pair<unsigned, unsigned>> codes{{clear, bits + 1}};
        std::map<std::vector<unsigned>, unsigned> known;
        unsigned next = clear + 2;
        unsigned width = bits + 1;
        std::vector<unsigned> run;
        const auto code_of = [&](const std::vector<unsigned>& of) {
            return of.size() == 1 ? of[0] : known.at(of);
        };
        for (const unsigned pixel : pixels) {
            std::vector<unsigned> longer = run;
            longer.push_back(pixel);
            if (longer.size() == 1 || (grow && known.contains(longer))) {
                run = longer;
                continue;
            }
            codes.emplace_back(code_of(run), width);
            if (next == 1U << width && width < 12) // the reader knows one code fewer
                ++width;
            if (next < 4096)
                known.emplace(longer, next++);
            run = {pixel};
        }
        codes.emplace_back(code_of(run), width);
        if (next < 4096 && next == 1U << width && width < 12)
            ++width;
        codes.emplace_back(clear + 1, width);
        Bytes bytes;
        unsigned held = 0;
        unsigned word = 0;
        for (const auto& [code, size] : codes) {
            word |= code << held;
            for (held += size; held >= 8; held -= 8, word >>= 8U)
                bytes.push_back(static_cast<std::byte>(word & 255U));
        }
        bytes.push_back(static_cast<std::byte>(word & 255U));
        Bytes blocks{static_cast<std::byte>(bits)};
        for (std::size_t i = 0; i < bytes.size(); i += 255) {
            const std::size_t count = std::min<std::size_t>(255, bytes.size() - i);
            blocks.push_back(static_cast<std::byte>(count));
            blocks.insert(blocks.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i),
                          bytes.begin() + static_cast<std::ptrdiff_t>(i + count));
        }
        return std::move(blocks) + bytes_of({0, 0x3b});
    };
    std::vector<unsigned> pixels;
    for (unsigned i = 0; i < 90 * 70; ++i)
        pixels.push_back(hash(i / 7) % 5 == 0 ? hash(i) % 4 : i / 90 % 4);
    Bytes start = bytes_of("GIF89a") + bytes_of({90, 0, 70, 0, 0x81, 0, 0}) + table + bytes_of({0x2c}) +
                  Bytes(4) + bytes_of({90, 0, 70, 0, 0});
    for (unsigned bits = 2; bits <= 11; ++bits) {
        for (const bool grow : {true, false}) {
            INFO(bits << " bits, runs " << grow);
            const Bytes file = start + wide_codes(pixels, bits, grow);
            const Image image = decode(file, "a.gif");
            REQUIRE(image.form() == Form{90, 70, 3, Depth::u8});
            int wrong = 0;
            for (int i = 0; i < 90 * 70; ++i)
                wrong += image.at(i % 90, i / 90, 2) !=
                         std::to_integer<int>(table[3 * pixels[static_cast<std::size_t>(i)] + 2]);
            CHECK(wrong == 0);
            const Bytes half(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(file.size() / 2));
            CHECK(error_of([&] { decode(half, "a.gif"); }).has_value());
        }
    }
    Bytes too_wide = start + wide_codes(pixels, 11, false);
    too_wide[start.size()] = std::byte{12};
    check_error(ErrorCode::input, "a.gif: corrupt GIF: codes begin with 12 bits",
                [&] { decode(too_wide, "a.gif"); });
    // Codes of 13 bits there are none, and a place beyond every table of colours is damage.
    CHECK(error_of([&] { decode(start + bytes_of({12, 3, 0, 0, 0, 0, 0x3b}), "a.gif"); }).has_value());
    CHECK(error_of([&] { decode(start + wide_codes({300, 300}, 9, false), "a.gif"); }).has_value());
    // Nothing that the codes may say goes beyond what is there.
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        Bytes junk = start + bytes_of({static_cast<int>(9 + seed % 3), 255});
        for (std::uint32_t i = 0; i < 255; ++i)
            junk.push_back(static_cast<std::byte>(hash(256 * seed + i)));
        error_of([&] { decode(junk + bytes_of({0, 0x3b}), "a.gif"); });
    }
}

TEST_CASE("a GIF's rows may come in four turns") {
    std::vector<unsigned> stored;
    for (const unsigned y : {0U, 8U, 4U, 2U, 6U, 1U, 3U, 5U, 7U})
        stored.push_back(y % 4);
    const Image image = decode(gif(1, 9, {0, 0, 1, 9}, table, codes_of(stored), 0x40), "a.gif");
    for (int y = 0; y < 9; ++y)
        CHECK(image.at(0, y, 0) == 10 + 30 * (y % 4));
}

TEST_CASE("a GIF without a frame, or with half of one, is refused") {
    const Bytes sound = gif(2, 2, {0, 0, 2, 2}, table, codes_of({0, 1, 2, 3}));
    check_error(ErrorCode::input, "a.gif: corrupt GIF: an empty frame", [] {
        decode(gif(2, 2, {0, 0, 0, 2}, table, codes_of({0})), "a.gif");
    });
    check_error(ErrorCode::input, "a.gif: truncated GIF", [] {
        decode(gif(2, 2, {0, 0, 2, 2}, table, codes_of({0, 1})), "a.gif");
    });
    const Bytes none = Bytes(sound.begin(), sound.begin() + 13 + 12) + bytes_of({0x3b});
    check_error(ErrorCode::input, "a.gif: corrupt GIF: no frame", [&] { decode(none, "a.gif"); });
}
