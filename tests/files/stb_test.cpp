// Files of every format that stb_image knows, too, read by both.
#include "files/handmade_files.hpp"
#include "files/stb_decoder.hpp"
#include "support/inputs.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

double largest_difference(const Image& a, const Image& b) {
    REQUIRE(a.form() == b.form());
    double most = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            for (int c = 0; c < a.channels(); ++c) {
                most = std::max(most, std::abs(a.at(x, y, c) - b.at(x, y, c)));
            }
        }
    }
    return most;
}

struct Case {
    std::string extension;
    std::vector<int> channels;
    std::vector<Depth> depths;
    double most = 0; ///< difference; of JPEG the inverse transforms round in their own ways
};

} // namespace

TEST_CASE("stb reads our files as we do") {
    for (const Case& one : {Case{"png", {1, 2, 3, 4}, {Depth::u8, Depth::u16}}, Case{"jpg", {1, 3}, {Depth::u8}, 4},
                            Case{"bmp", {3, 4}, {Depth::u8}}, Case{"tga", {1, 3, 4}, {Depth::u8}}, Case{"hdr", {3}, {Depth::f32}},
                            Case{"pgm", {1}, {Depth::u8}}, Case{"ppm", {3}, {Depth::u8}}}) { // of 16 bits stb swaps the bytes
        for (const int channels : one.channels) {
            for (const Depth depth : one.depths) {
                for (const Size& size : {Size{1, 1}, Size{19, 7}, Size{64, 33}}) {
                    INFO(one.extension << ", " << size.width << "x" << size.height << ", " << channels << " channels of "
                                       << static_cast<int>(depth) << " bits");
                    const std::string name = "a." + one.extension;
                    const Bytes file = encode(picture(size.width, size.height, channels, depth), name, {.quality = 100});
                    CHECK(largest_difference(decode(file, name), read_with_stb(file, depth)) <= one.most);
                }
            }
        }
    }
}

TEST_CASE("stb reads a GIF and a PSD as we do") {
    const Bytes gif = encode(two_valued_image({31, 17, 3, Depth::u8}), "a.gif");
    CHECK(largest_difference(decode(gif, "a.gif"), read_with_stb(gif, Depth::u8, 3)) == 0);
    for (const bool packed : {false, true}) {
        const Bytes psd = write_psd(picture(19, 7, 3, Depth::u8), packed);
        CHECK(largest_difference(decode(psd, "a.psd"), read_with_stb(psd, Depth::u8, 3)) == 0);
    }
}
