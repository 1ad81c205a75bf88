// glsl/kinds/table.comp, by any number of rows an invocation: tuning takes one of them on each renderer.
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("codes are looked up channel by channel, whatever the rows of an invocation") {
    std::vector<std::uint32_t> codes(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
        codes[i] = static_cast<std::uint32_t>(hash_01(3, i) * 0xffffffffp0);
    }
    Buffer table = gpu().make_buffer(codes.size() * sizeof(std::uint32_t), "codes");
    table.write(codes);
    for (const int channels : {1, 2, 3, 4}) {
        const Image image =
            random_image({93, 531, channels, Depth::u8}, 4); // three groups of 8 x 32 rows high
        Image expected = image;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                for (int c = 0; c < channels; ++c) {
                    const auto code = static_cast<std::size_t>(image.at(x, y, c));
                    const int byte = channels == 2 && c == 1 ? 3 : c;
                    set_value(expected, x, y, c, (codes[code] >> (8 * byte) & 255U) / 255.0);
                }
            }
        }
        const GpuImage source = gpu().upload(image);
        for (const int rows : {1, 8}) {
            GpuImage result = gpu().make_image(image.form(), "looked up");
            gpu()
                .pass("look up", "kinds/table.comp",
                      {{"CHANNELS", std::to_string(source.stored_channels())},
                       {"SRC_DEPTH", "8"},
                       {"ROWS", std::to_string(rows)},
                       {"FETCHED", rows == 1 ? "0" : "1"}})
                .reads("i_src", source)
                .reads("b_codes", table)
                .writes("i_dst", result)
                .over(source.texture().width(), (image.height() + rows - 1) / rows);
            INFO(rows << " rows, " << describe(image));
            CHECK_THAT(gpu().download(result), IsBitwise(expected));
        }
    }
}
