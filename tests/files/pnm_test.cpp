#include "files/pictures.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

Image decode_text(std::string_view text) {
    return decode(bytes_of(text), "a.pnm");
}

std::vector<double> values_of(const Image& image) {
    std::vector<double> values;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c)
                values.push_back(image.at(x, y, c));
        }
    }
    return values;
}

using Values = std::vector<double>;

void check_refused(std::string_view text, const std::string& why) {
    INFO(text);
    check_error(ErrorCode::input, "a.pnm: " + why, [&] { decode_text(text); });
}

} // namespace

TEST_CASE("plain PGM with any white space") {
    const Image image = decode_text("P2 4 2 255  0 0 64 128  128 128 255 255");
    CHECK(image.width() == 4);
    CHECK(image.height() == 2);
    CHECK(image.channels() == 1);
    CHECK(image.depth() == Depth::u8);
    CHECK(values_of(image) == Values{0, 0, 64, 128, 128, 128, 255, 255});
    CHECK(same(decode_text("P2\n# made by hand\n4 # wide\n2\n255\n0 0 64\r\n128\t128 128 # three\n255 255\n"),
               image));
}

TEST_CASE("plain PPM and PBM") {
    const Image colour = decode_text("P3\n2 1\n255\n1 2 3\n40 50 60\n");
    CHECK(colour.channels() == 3);
    CHECK(values_of(colour) == Values{1, 2, 3, 40, 50, 60});
    // Ones are black, and may stand without spaces.
    CHECK(values_of(decode_text("P1\n5 2\n1 0 1 0 1\n01\n#\n110")) ==
          Values{0, 255, 0, 255, 0, 255, 0, 0, 0, 255});
}

TEST_CASE("raw PBM rows start at a byte") {
    const Image image =
        decode(bytes_of("P4\n10 2\n") + bytes_of({0b10100000, 0b01111111, 0b11111111, 0b10000000}), "a");
    CHECK(image.channels() == 1);
    CHECK(values_of(image) ==
          Values{0, 255, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255});
}

TEST_CASE("raw PGM and PPM of one and two bytes") {
    CHECK(values_of(decode(bytes_of("P5 2 1 255\n") + bytes_of({7, 250}), "a")) == Values{7, 250});
    const Image deep = decode(bytes_of("P6 1 1 65535\n") + bytes_of({1, 2, 3, 4, 255, 255}), "a");
    CHECK(deep.depth() == Depth::u16);
    CHECK(values_of(deep) == Values{258, 772, 65535});
}

TEST_CASE("other maxima are stretched to the full range") {
    CHECK(values_of(decode_text("P2 4 1 3  0 1 2 3")) == Values{0, 85, 170, 255});
    CHECK(values_of(decode_text("P2 3 1 100  0 50 100")) == Values{0, 128, 255});
    const Image deep = decode_text("P2 3 1 1023  0 1 1023");
    CHECK(deep.depth() == Depth::u16);
    CHECK(values_of(deep) == Values{0, 64, 65535});
    CHECK(values_of(decode(bytes_of("P5 3 1 3\n") + bytes_of({0, 1, 3}), "a")) == Values{0, 85, 255});
    CHECK(decode_text("P2 1 1 256 256").depth() == Depth::u16);
    CHECK(values_of(decode_text("P2 1 1 1 1")) == Values{255});
}

TEST_CASE("PAM with one to four channels") {
    const auto header = [](int depth, std::string_view type) {
        return bytes_of("P7\nWIDTH 1\n# a comment\nHEIGHT 1\nDEPTH " + std::to_string(depth) +
                        "\nMAXVAL 255\n" + std::string(type) + "ENDHDR\n");
    };
    CHECK(values_of(decode(header(1, "TUPLTYPE GRAYSCALE\n") + bytes_of({9}), "a")) == Values{9});
    CHECK(values_of(decode(header(2, "TUPLTYPE GRAYSCALE_ALPHA\n") + bytes_of({9, 8}), "a")) == Values{9, 8});
    CHECK(values_of(decode(header(4, "") + bytes_of({9, 8, 7, 6}), "a")) == Values{9, 8, 7, 6});
    check_error(ErrorCode::input, "a: a PAM of 5 channels is not supported", [&] {
        decode(header(5, "") + bytes_of({1, 2, 3, 4, 5}), "a");
    });
}

TEST_CASE("what is written is letter for letter what Netpbm asks for") {
    Image grey(2, 1, 1, Depth::u8);
    grey.values<std::uint8_t>()[1] = 200;
    CHECK(encode(grey, "pgm") == bytes_of("P5\n2 1\n255\n") + bytes_of({0, 200}));
    CHECK(encode(grey, "pnm") == encode(grey, "pgm"));

    Image colour(1, 1, 3, Depth::u16);
    colour.values<std::uint16_t>()[2] = 0x1234;
    CHECK(encode(colour, "ppm") == bytes_of("P6\n1 1\n65535\n") + bytes_of({0, 0, 0, 0, 0x12, 0x34}));

    const Image alpha(1, 1, 4, Depth::u8);
    CHECK(encode(alpha, "pam") ==
          bytes_of("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n") +
              bytes_of({0, 0, 0, 0}));
    CHECK(encode(alpha, "pnm") == encode(alpha, "pam"));
}

TEST_CASE("broken PNM files are refused with the reason") {
    check_refused("P2 ", "truncated PNM");
    check_refused("P2 4 2", "truncated PNM");
    check_refused("P2 4 2 255 1 2 3 4 5 6 7 ", "truncated PNM");
    check_refused("P2 4 x 255 1", "corrupt PNM: a number is missing");
    check_refused("P2 2 1 255 -1 0", "corrupt PNM: a number is missing");
    check_refused("P2 2 1 15 3 16", "corrupt PNM: a value is above the maximum");
    check_refused("P5 2 1 15\n\x03\x10", "corrupt PNM: a value is above the maximum");
    check_refused("P1 2 1 0 2", "corrupt PNM: a value is above the maximum");
    check_refused("P2 2 1 0 0 0", "corrupt PNM: impossible maximum 0");
    check_refused("P2 2 1 65536 0 0", "corrupt PNM: impossible maximum 65536");
    check_refused("P2 0 1 255 ", "impossible size 0x1");
    check_refused("P5 2 2 255\nabc", "truncated PNM");
    check_refused("P6 40 10 255\nabc", "truncated: 16 bytes cannot hold 40x10 pixels");
    check_refused("P5 99999999999999999999 1 255\nabc", "impossible size 1099511627776x1");
    check_refused("P5 60000 60000 255\nabc", "truncated: 22 bytes cannot hold 60000x60000 pixels");
    check_refused("P7\nWIDTH 1\nCOLOR 3\nENDHDR\n", "corrupt PNM: unknown line in a PAM header");
    check_refused("P7\nWIDTH 1", "corrupt PNM: unknown line in a PAM header");
    check_refused("P5 2 1 255#", "truncated PNM"); // a comment without an end
}
