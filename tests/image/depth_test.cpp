// Values of one depth as values of another.
#include "files/metadata_files.hpp"

#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

Image floats(const std::vector<float>& values) {
    Image image(static_cast<int>(values.size()), 1, 1, Depth::f32);
    std::ranges::copy(values, image.values<float>().begin());
    return image;
}

std::vector<double> row_of(const Image& image) {
    std::vector<double> values;
    for (int x = 0; x < image.width(); ++x)
        values.push_back(image.at(x, 0, 0));
    return values;
}

} // namespace

TEST_CASE("8-bit codes survive every larger depth") {
    Image image(256, 1, 1, Depth::u8);
    for (std::size_t i = 0; i < 256; ++i)
        image.values<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
    const Image deep = with_depth(image, Depth::u16);
    for (int x = 0; x < 256; ++x)
        CHECK(deep.at(x, 0, 0) == 257 * x);
    CHECK(same(with_depth(deep, Depth::u8), image));
    const Image real = with_depth(image, Depth::f32);
    for (int x = 0; x < 256; ++x)
        CHECK(std::abs(real.at(x, 0, 0) - x / 255.0) < 1e-7);
    CHECK(same(with_depth(real, Depth::u8), image));
    CHECK(same(with_depth(real, Depth::u16), deep));
}

TEST_CASE("every 16-bit code goes to the nearest 8-bit code, and survives float") {
    Image image(65536, 1, 1, Depth::u16);
    for (std::size_t i = 0; i < 65536; ++i)
        image.values<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
    const Image small = with_depth(image, Depth::u8);
    int wrong = 0;
    for (int x = 0; x < 65536; ++x)
        wrong +=
            small.at(x, 0, 0) != (x * 2 + 257) / 514; // to the nearest multiple of 257; there are no ties
    CHECK(wrong == 0);
    CHECK(same(with_depth(with_depth(image, Depth::f32), Depth::u16), image));
}

TEST_CASE("floats are clamped and rounded half to even") {
    constexpr float inf = std::numeric_limits<float>::infinity();
    const Image image =
        floats({0, 1, -1, 2, inf, -inf, std::numeric_limits<float>::quiet_NaN(), 0.5F, 0.25F});
    CHECK(row_of(with_depth(image, Depth::u8)) == std::vector<double>{0, 255, 0, 255, 255, 0, 0, 128, 64});
    CHECK(row_of(with_depth(image, Depth::u16)) ==
          std::vector<double>{0, 65535, 0, 65535, 65535, 0, 0, 32768, 16384});
}

TEST_CASE("all shapes keep their shape and their metadata") {
    for (const Depth from : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const Depth to : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                const Image image = with_metadata(picture(13, 7, channels, from), {.icc = icc_block(200)});
                const Image result = with_depth(image, to);
                CHECK(result.depth() == to);
                CHECK(result.width() == 13);
                CHECK(result.height() == 7);
                CHECK(result.channels() == channels);
                CHECK(same(result.metadata(), image.metadata()));
                CHECK((from != to || same(result, image)));
            }
        }
    }
}
