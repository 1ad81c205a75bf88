// BMP of every kind of header, depth and packing; our own writer makes three of them only.
#include "files/metadata_files.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

struct BmpSpec {
    int header = 40;
    int width = 5;
    int height = 3; ///< below 0: from the top down
    int bits = 24;
    int compression = 0;
    int used = 0; ///< what the header says of the palette
    Bytes tail{}; ///< the rest of the header, from byte 40 on
    Bytes palette{};
    int gap = 0; ///< bytes before the pixels
    Bytes pixels{};
};

Bytes number(int value, int count) {
    return little_endian(static_cast<std::uint32_t>(value), count);
}

/// A header of the length asked for; a field that does not fit is not there.
Bytes write_bmp(const BmpSpec& spec) {
    Bytes info = spec.header == 12 ? number(spec.width, 2) + number(spec.height, 2)
                                   : number(spec.width, 4) + number(spec.height, 4);
    info = std::move(info) + number(1, 2) + number(spec.bits, 2) + number(spec.compression, 4) + Bytes(12) +
           number(spec.used, 4) + Bytes(4) + spec.tail;
    info.resize(static_cast<std::size_t>(spec.header) - 4);
    // Masks after the header of 40 bytes are not part of it.
    const bool apart = spec.header == 40;
    const Bytes masks = apart ? spec.tail : Bytes();
    const std::size_t offset =
        18 + info.size() + masks.size() + spec.palette.size() + static_cast<std::size_t>(spec.gap);
    return bytes_of("BM") + Bytes(8) + number(static_cast<int>(offset), 4) + number(spec.header, 4) + info +
           masks + spec.palette + Bytes(static_cast<std::size_t>(spec.gap), std::byte{0xcd}) + spec.pixels;
}

Image read(const BmpSpec& spec) {
    return decode(write_bmp(spec), "a.bmp");
}

void check_refused(const BmpSpec& spec, const std::string& why) {
    check_error(ErrorCode::input, "a.bmp: " + why, [&] { read(spec); });
}

/// A palette of red, green, blue and white, three or four bytes an entry.
Bytes four_colours(int entry) {
    Bytes bytes;
    for (const std::array<int, 3>& bgr : {std::array{0, 0, 255}, {0, 255, 0}, {255, 0, 0}, {255, 255, 255}}) {
        bytes = std::move(bytes) + bytes_of({bgr[0], bgr[1], bgr[2]});
        bytes.resize(bytes.size() + static_cast<std::size_t>(entry) - 3);
    }
    return bytes;
}

/// The colours of a row as letters: r, g, b, w, k (black) or ? for others.
std::string letters(const Image& image, int y) {
    std::string text;
    for (int x = 0; x < image.width(); ++x) {
        const auto at = [&](int c) { return image.at(x, y, std::min(c, image.channels() - 1)); };
        const std::array<double, 3> rgb{at(0), at(1), at(2)};
        text += rgb == std::array<double, 3>{255, 0, 0}       ? 'r'
                : rgb == std::array<double, 3>{0, 255, 0}     ? 'g'
                : rgb == std::array<double, 3>{0, 0, 255}     ? 'b'
                : rgb == std::array<double, 3>{255, 255, 255} ? 'w'
                : rgb == std::array<double, 3>{0, 0, 0}       ? 'k'
                                                              : '?';
    }
    return text;
}

} // namespace

TEST_CASE("BMP of every header and depth with a palette, from either end") {
    for (const int header : {12, 16, 40, 52, 56, 64, 108, 124}) {
        for (const auto& [bits, row] :
             std::vector<std::pair<int, Bytes>>{{1, bytes_of({0x50, 0, 0, 0})},       // 0 1 0 1 0
                                                {2, bytes_of({0x1b, 0xc0, 0, 0})},    // 0 1 2 3 3
                                                {4, bytes_of({0x01, 0x23, 0x30, 0})}, // 0 1 2 3 3
                                                {8, bytes_of({0, 1, 2, 3, 3, 0, 0, 0})}}) {
            for (const bool top_down : {false, true}) {
                INFO("header of " << header << ", " << bits << " bits, top down " << top_down);
                const Bytes zeros(row.size());
                const BmpSpec spec{.header = header,
                                   .height = top_down ? -2 : 2,
                                   .bits = bits,
                                   .used = 4,
                                   .palette = four_colours(header == 12 ? 3 : 4),
                                   .gap = 7,
                                   .pixels = top_down ? row + zeros : zeros + row};
                const Image image = read(spec);
                REQUIRE(image.form() == Form{5, 2, 3, Depth::u8});
                CHECK(letters(image, 0) == (bits == 1 ? "rgrgr" : "rgbww"));
                CHECK(letters(image, 1) == "rrrrr");
            }
        }
    }
}

TEST_CASE("an index beyond the palette is black, and a palette may be longer than its bits") {
    const Image image = read({.height = 1,
                              .bits = 8,
                              .used = 4,
                              .palette = four_colours(4),
                              .pixels = bytes_of({3, 4, 255, 0, 77, 0, 0, 0})});
    CHECK(letters(image, 0) == "wkkrk");
    // No word on how many there are, and only four before the pixels.
    const Image told = read({.height = 1,
                             .bits = 8,
                             .palette = four_colours(4),
                             .pixels = bytes_of({3, 4, 255, 0, 77, 0, 0, 0})});
    CHECK(letters(told, 0) == "wkkrk");
    const Image longer = read(
        {.height = 1, .bits = 1, .used = 4, .palette = four_colours(4), .pixels = bytes_of({0x50, 0, 0, 0})});
    CHECK(letters(longer, 0) == "rgrgr");
}

TEST_CASE("a BMP whose pixels are said to begin where its palette stands is read from behind it") {
    BmpSpec spec{.width = 4,
                 .height = 2,
                 .bits = 8,
                 .used = 4,
                 .palette = four_colours(4),
                 .pixels = bytes_of({0, 1, 2, 3, 3, 2, 1, 0})};
    const Bytes sound = write_bmp(spec);
    const Image wanted = decode(sound, "a.bmp");
    CHECK(letters(wanted, 0) == "wbgr");
    Bytes odd = sound;
    std::ranges::copy(number(54, 4), odd.begin() + 10);
    Notes notes;
    CHECK(same(decode(odd, "a.bmp", {.notes = &notes}), wanted));
    CHECK(
        notes ==
        Notes{"a.bmp: its pixels are said to begin where the palette stands; they are read from behind it"});
    odd.pop_back(); // then there is no room for both
    check_error(ErrorCode::input, "a.bmp: corrupt BMP: the pixels begin where the palette stands",
                [&] { decode(odd, "a.bmp"); });
}

TEST_CASE("a BMP that is so wide that its rows have no size is refused where its palette is looked for") {
    Bytes huge = write_bmp({.width = 4,
                            .height = 2,
                            .bits = 1,
                            .used = 4,
                            .palette = four_colours(4),
                            .pixels = bytes_of({0, 1, 2, 3, 3, 2, 1, 0})});
    std::ranges::copy(number(54, 4), huge.begin() + 10);
    std::ranges::copy(number(0, 4), huge.begin() + 18); // the width
    CHECK_THROWS_AS(decode(huge, "a.bmp"), Error);
}

TEST_CASE("BMP of runs, with jumps, gaps and literals") {
    const auto runs = [](int bits, const Bytes& pixels) {
        return BmpSpec{.width = 6,
                       .height = 3,
                       .bits = bits,
                       .compression = bits == 8 ? 1 : 2,
                       .used = 4,
                       .palette = four_colours(4),
                       .pixels = pixels};
    };
    const Image plain =
        read(runs(8, bytes_of({6, 1, 0, 0, 0, 5, 0, 1, 2, 3, 3, 0, 1, 0, 0, 0, 2, 2, 4, 1, 0, 1})));
    CHECK(letters(plain, 2) == "gggggg");
    CHECK(letters(plain, 1) == "rgbwwr");
    CHECK(letters(plain, 0) == "bbgggg");
    // To the right by two and up by one; what is skipped has the first colour.
    const Image jump = read(runs(8, bytes_of({1, 1, 0, 2, 2, 1, 1, 2, 0, 1})));
    CHECK(letters(jump, 2) == "grrrrr");
    CHECK(letters(jump, 1) == "rrrbrr");
    CHECK(letters(jump, 0) == "rrrrrr");
    const Image nibbles =
        read(runs(4, bytes_of({5, 0x12, 0, 0, 0, 5, 0x01, 0x23, 0x30, 0, 0, 0, 6, 0x33, 0, 1})));
    CHECK(letters(nibbles, 2) == "gbgbgr");
    CHECK(letters(nibbles, 1) == "rgbwwr");
    CHECK(letters(nibbles, 0) == "wwwwww");
    // A run is cut where its row ends, and a file with all its pixels needs no end mark.
    const Image cut = read(runs(8, bytes_of({9, 1, 0, 0, 6, 2, 0, 0, 6, 3})));
    CHECK(letters(cut, 2) == "gggggg");
    CHECK(letters(cut, 0) == "wwwwww");

    check_refused(runs(8, bytes_of({6, 1, 0, 0, 6, 2})), "truncated BMP");
    check_refused(runs(8, bytes_of({6, 1, 0, 0, 0, 9, 1})), "truncated BMP");
    check_refused(runs(8, bytes_of({0, 2, 0, 9, 1, 1, 0, 1})), "corrupt BMP: runs beyond the image");
    BmpSpec wrong = runs(8, bytes_of({0, 1}));
    wrong.bits = 4;
    check_refused(wrong, "unsupported BMP: 4 bits a pixel of compression 1");
    wrong = runs(8, bytes_of({0, 1}));
    wrong.height = -3;
    check_refused(wrong, "corrupt BMP: run lengths from the top down");
}

TEST_CASE("BMP with colour masks of its own, after the header and within it") {
    const auto mask = [](std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
        return little_endian(red, 4) + little_endian(green, 4) + little_endian(blue, 4);
    };
    for (const int header : {40, 52, 56, 108, 124}) {
        INFO("header of " << header);
        const Image small = read({.header = header,
                                  .width = 2,
                                  .height = 1,
                                  .bits = 16,
                                  .compression = 3,
                                  .tail = mask(0xf800, 0x7e0, 0x1f),
                                  .pixels = little_endian(0x07e0, 2) + little_endian(0xf810, 2)});
        REQUIRE(small.channels() == 3);
        CHECK(letters(small, 0).front() == 'g');
        CHECK(small.at(1, 0, 0) == 255);
        CHECK(small.at(1, 0, 2) == 132); // 16 of 31
        const Image large = read({.header = header,
                                  .width = 1,
                                  .height = 1,
                                  .bits = 32,
                                  .compression = 3,
                                  .tail = mask(0x3ff00000, 0xffc00, 0x3ff),
                                  .pixels = little_endian(0x3ff00000 | 512 << 10 | 1, 4)});
        CHECK(large.at(0, 0, 0) == 255);
        CHECK(large.at(0, 0, 1) == 128); // 512 of 1023
        CHECK(large.at(0, 0, 2) == 0);
    }
    const Image alpha = read({.header = 56,
                              .width = 2,
                              .height = 1,
                              .bits = 16,
                              .compression = 3,
                              .tail = mask(0xf00, 0xf0, 0xf) + little_endian(0xf000, 4),
                              .pixels = little_endian(0xff00, 2) + little_endian(0x800f, 2)});
    REQUIRE(alpha.channels() == 4);
    CHECK(alpha.at(0, 0, 3) == 255);
    CHECK(alpha.at(1, 0, 3) == 136);
    const Image behind = read({.width = 1,
                               .height = 1,
                               .bits = 32,
                               .compression = 6,
                               .tail = mask(0xff, 0xff00, 0xff0000) + little_endian(0xff000000, 4),
                               .pixels = bytes_of({1, 2, 3, 4})});
    REQUIRE(behind.channels() == 4);
    for (int c = 0; c < 4; ++c)
        CHECK(behind.at(0, 0, c) == c + 1);
    const Image usual = read(
        {.width = 2, .height = 1, .bits = 16, .pixels = little_endian(0x7c00, 2) + little_endian(0x801f, 2)});
    CHECK(letters(usual, 0) == "rb");
}

TEST_CASE("the fourth byte of a BMP is alpha where it says anything") {
    const auto with = [](int first, int second) {
        return read(
            {.width = 2, .height = 1, .bits = 32, .pixels = bytes_of({3, 2, 1, first, 6, 5, 4, second})});
    };
    CHECK(with(0, 0).channels() == 3);
    CHECK(with(255, 255).channels() == 3);
    CHECK(with(255, 255).at(1, 0, 0) == 4);
    const Image image = with(0, 255);
    REQUIRE(image.channels() == 4);
    CHECK(image.at(0, 0, 3) == 0);
    CHECK(image.at(0, 0, 0) == 1);
    CHECK(with(9, 9).channels() == 4);
}

TEST_CASE("a BMP's ICC profile is carried") {
    const Bytes icc = icc_block(300);
    Bytes tail = Bytes(16) + bytes_of("DEBM") + Bytes(52) + number(124 + 4, 4) + number(300, 4);
    const BmpSpec spec{
        .header = 124, .width = 1, .height = 1, .tail = tail, .pixels = bytes_of({1, 2, 3, 0}) + icc};
    CHECK(read(spec).metadata().icc == icc);
    BmpSpec beyond = spec;
    beyond.pixels.pop_back();
    CHECK(read(beyond).metadata().icc.empty());
}

TEST_CASE("what a BMP cannot be is refused in words") {
    check_refused({.bits = 0, .compression = 4}, "unsupported BMP: it holds a JPEG");
    check_refused({.bits = 0, .compression = 5}, "unsupported BMP: it holds a PNG");
    check_refused({.bits = 3}, "unsupported BMP: 3 bits a pixel of compression 0");
    check_refused({.header = 64, .bits = 1, .compression = 3},
                  "unsupported BMP: 1 bit a pixel of compression 3");
    check_refused({.bits = 24, .compression = 11}, "unsupported BMP: 24 bits a pixel of compression 11");
    Bytes early = write_bmp({.pixels = Bytes(48)});
    early.at(10) = std::byte{50};
    check_error(ErrorCode::input, "a.bmp: corrupt BMP: the pixels begin within the header",
                [&] { decode(early, "a.bmp"); });
    check_refused({.height = 0}, "impossible size 5x0");
    check_refused({.width = -5}, "impossible size 4294967291x3");
    check_refused({.pixels = Bytes(47)}, "truncated BMP");
    check_refused({.width = 30000, .height = 30000, .pixels = Bytes(100)},
                  "truncated: 154 bytes cannot hold 30000x30000 pixels");
}
