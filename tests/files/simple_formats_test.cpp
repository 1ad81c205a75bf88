// BMP, TGA, GIF and HDR: palettes, transparency and ranges of values, and what is refused.
#include "files/handmade_files.hpp"
#include "glproc/files/codecs/codecs.hpp"

#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<std::array<int, 3>> colours{{255, 0, 0}, {0, 200, 0}, {1, 2, 3}, {90, 90, 90}};
const std::vector<std::array<int, 3>> greys{{0, 0, 0}, {255, 255, 255}, {7, 7, 7}, {90, 90, 90}};

const std::vector<std::array<int, 3>> reds{{0, 0, 0}, {255, 0, 0}, {9, 0, 0}, {9, 9, 9}};

/// Noise of 0 … count − 1.
std::vector<int> indices(int pixels, std::uint32_t count) {
    std::vector<int> result;
    result.reserve(static_cast<std::size_t>(pixels));
    for (int i = 0; i < pixels; ++i)
        result.push_back(static_cast<int>(hash(static_cast<std::uint32_t>(i)) % count));
    return result;
}

/// How many values differ from those the palette gives for the indices.
int wrong_colours(const Image& image, const std::vector<std::array<int, 3>>& palette,
                  const std::vector<int>& pixels) {
    int wrong = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < std::min(3, image.channels()); ++c) {
                const auto index = static_cast<std::size_t>(pixels.at(index_of(x, y, image.width())));
                wrong += image.at(x, y, c) != palette.at(index).at(static_cast<std::size_t>(c));
            }
        }
    }
    return wrong;
}

} // namespace

TEST_CASE("BMP palettes become RGB, grey ones one channel") {
    for (const int bits : {1, 4, 8}) {
        for (const auto& palette : {colours, greys, reds}) {
            INFO(bits << " bits");
            const auto entries = bits == 1 ? 2U : 4U;
            const auto pixels = indices(13 * 5, entries);
            const std::vector<std::array<int, 3>> used(palette.begin(), palette.begin() + entries);
            const Image image = decode(write_palette_bmp(13, 5, bits, used, pixels), "a.bmp");
            REQUIRE(image.width() == 13);
            CHECK(image.channels() == (palette == greys ? 1 : 3));
            CHECK(wrong_colours(image, used, pixels) == 0);
        }
    }
}

TEST_CASE("TGA of its plain kinds") {
    const auto pixels = indices(6 * 4, 4);
    Bytes palette_tga = tga_header(1, 4, 6, 4, 8);
    for (const auto& [red, green, blue] : colours)
        palette_tga = std::move(palette_tga) + bytes_of({blue, green, red});
    Bytes grey_tga = tga_header(3, 0, 6, 4, 8);
    for (const int i : pixels) {
        palette_tga.push_back(static_cast<std::byte>(i));
        grey_tga.push_back(static_cast<std::byte>(greys.at(static_cast<std::size_t>(i))[0]));
    }
    const Image colour = decode(palette_tga, "a.tga");
    CHECK(colour.channels() == 3);
    CHECK(wrong_colours(colour, colours, pixels) == 0);
    const Image grey = decode(grey_tga, "a.tga");
    CHECK(grey.channels() == 1);
    CHECK(wrong_colours(grey, greys, pixels) == 0);
}

TEST_CASE("GIF has an alpha channel only where a pixel is transparent") {
    const auto pixels = indices(40 * 30, 4);
    const Image opaque = decode(write_gif(40, 30, colours, pixels), "a.gif");
    CHECK(opaque.channels() == 3);
    CHECK(wrong_colours(opaque, colours, pixels) == 0);

    const Image holes = decode(write_gif(40, 30, colours, pixels, 2), "a.gif");
    REQUIRE(holes.channels() == 4);
    int wrong = 0;
    for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 40; ++x)
            wrong += holes.at(x, y, 3) != (pixels.at(index_of(x, y, 40)) == 2 ? 0 : 255);
    }
    CHECK(wrong == 0);
}

TEST_CASE("HDR keeps small and large values to 1 in 128 of the brightest channel") {
    Image image(40, 4, 3, Depth::f32);
    auto values = image.values<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::ldexp(static_cast<float>(hash(static_cast<std::uint32_t>(i)) % 1000),
                               static_cast<int>(i / 3 % 60) - 30);
    }
    const Image back = decode(encode(image, "hdr"), "a.hdr");
    REQUIRE(back.depth() == Depth::f32);
    REQUIRE(back.channels() == 3);
    int wrong = 0;
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 40; ++x) {
            const double peak = std::max({image.at(x, y, 0), image.at(x, y, 1), image.at(x, y, 2)});
            for (int c = 0; c < 3; ++c)
                wrong += std::abs(back.at(x, y, c) - image.at(x, y, c)) > peak / 128;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("an HDR's size may be padded with blanks") {
    Image image(9, 5, 3, Depth::f32);
    for (std::size_t i = 0; i < 9 * 5 * 3; ++i)
        image.values<float>()[i] = static_cast<float>(i) / 8;
    const Bytes plain = encode(image, "a.hdr");
    const Image wanted = decode(plain, "a.hdr");
    const std::string text(reinterpret_cast<const char*>(plain.data()), plain.size());
    const std::string size = "-Y 5 +X 9\n";
    const std::size_t at = text.find(size);
    REQUIRE(at != std::string::npos);
    for (const std::string padded : {"-Y        5 +X        9\n", "-Y 5  +X 9 \n", " -Y 5 +X 9\n"}) {
        INFO(padded);
        const std::string file = text.substr(0, at) + padded + text.substr(at + size.size());
        const auto bytes = std::as_bytes(std::span(file));
        CHECK(same(decode(Bytes(bytes.begin(), bytes.end()), "a.hdr"), wanted));
    }
}

TEST_CASE("values that HDR cannot hold are refused") {
    for (const float value : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN(), 2e38F}) {
        Image image(2, 2, 3, Depth::f32);
        image.values<float>()[5] = value;
        Notes notes;
        check_error(ErrorCode::output, "out.hdr: Radiance HDR cannot hold infinite or undefined values",
                    [&] { encode(image, "out.hdr", {.notes = &notes}); });
    }
}

TEST_CASE("HDR has 0 for negative values, which is said, or else refused") {
    Image image(2, 2, 3, Depth::f32);
    std::ranges::fill(image.values<float>(), 0.5F);
    image.values<float>()[3] = -0.25F;
    check_error(ErrorCode::output, "out.hdr: Radiance HDR cannot hold negative values",
                [&] { encode(image, "out.hdr"); });
    Notes notes;
    const Image back = decode(encode(image, "out.hdr", {.notes = &notes}), "out.hdr");
    CHECK(notes == Notes{"out.hdr: values below 0 are cut, as Radiance HDR cannot hold them"});
    image.values<float>()[3] = 0;
    CHECK(same(back, image));
    CHECK(same(decode(encode(image, "out.hdr"), "out.hdr"), image));
}

TEST_CASE("sizes that BMP and TGA cannot hold are refused") {
    check_error(ErrorCode::output, "out.tga: the format holds at most 65535x65535 pixels",
                [] { encode(Image(1, 65536, 1, Depth::u8), "out.tga"); });
    CHECK(decode(encode(Image(65535, 1, 1, Depth::u8), "tga"), "tga").width() == 65535);
}

TEST_CASE("kinds of BMP that cannot be read are refused") {
    Bytes bmp = encode(picture(3, 3, 3, Depth::u8), "bmp");
    bmp.at(14) = std::byte{41};
    check_error(ErrorCode::input, "a.bmp: corrupt BMP: unknown kind of header",
                [&] { decode(bmp, "a.bmp"); });
}

TEST_CASE("of a GIF with several frames the first is read, with a note") {
    const std::vector<std::array<int, 3>> palette{{255, 0, 0}, {0, 255, 0}};
    const std::vector<int> pixels{0, 1, 1, 0, 0, 1};
    const Bytes one = write_gif(3, 2, palette, pixels);
    Notes notes;
    const Image image = decode(one, "a.gif", {.notes = &notes});
    CHECK(notes.empty());
    // The frame of the second file comes after its header and 128 colours.
    const Bytes frame(one.begin() + 13 + 3 * 128, one.end() - 1);
    const Bytes three = Bytes(one.begin(), one.end() - 1) + frame + bytes_of({0x21, 0xfe, 2, 0x2c, 0x2c, 0}) +
                        frame + bytes_of({0x3b});
    CHECK(same(decode(three, "a.gif", {.notes = &notes}), image));
    CHECK(notes == Notes{"a.gif: has 3 frames; the first one is used"});
}

TEST_CASE("a decoder that is given another format's file says so") { // found by fuzzing: the GIF decoder, a
                                                                     // grey TGA
    const Bytes tga = bytes_of({0x13, 0x00, 0x02, 0x00, 0xf6, 0x10, 0x00, 0x00, 0xa9, 0x08, 0xff, 0x61, 0x03,
                                0x00, 0x02, 0x00, 0x08, 0x02, 0x00, 0x08, 0x00, 0xf6, 0x10, 0x00, 0x00, 0xa9,
                                0x08, 0xff, 0x61, 0x03, 0x00, 0x02, 0x00, 0x08, 0x02, 0x00, 0x08, 0xff, 0x61,
                                0xfe, 0x06, 0x02, 0xff, 0x61, 0xfe, 0x06, 0x02, 0x0b, 0x0c, 0x10});
    check_error(ErrorCode::input, "a.gif: corrupt GIF: Data is not in GIF format", [&] {
        codecs::decode_gif({tga, "a.gif", std::uint64_t{1} << 22U});
    });
}
