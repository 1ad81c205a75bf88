// Cut or whole, the bits are the same: what goes over a picture in bands, once or twice.
#include "glproc/ops/equalize.hpp"
#include "glproc/ops/histogram.hpp"
#include "glproc/ops/integral.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/table.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Array whole_sums(const Integral& integral, const Image& image) {
    return gpu().download(integral(gpu(), gpu().upload(image)));
}

Array tiled_sums(const Integral& integral, const Image& image) {
    ArrayRows rows(integral.array_form(image.form()));
    integral(gpu(), rows_of(image), rows);
    rows.finish();
    return std::move(rows.array());
}

} // namespace

TEST_CASE("an integral image in bands has the bits of the whole by every variant") {
    int turn = 0;
    for (const EnumRow<IntegralVariant>& variant : enum_rows<IntegralVariant>) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (const bool padded : {false, true}) {
                const int channels = std::array{1, 3, 4, 2}[static_cast<std::size_t>(turn++) % 4];
                const Integral integral{.padded = padded, .wrap = true, .variant = variant.value};
                const Image image = random_image({251, 331, channels, depth}, 3, FloatRange::wide);
                INFO(describe(image) << " by " << name_of(variant.value) << (padded ? ", padded" : ""));
                const Array expected = whole_sums(integral, image);
                for (const char* limits : {"texture_size:256,storage_block_bytes:131072", "texture_size:300",
                                           "texture_size:257,storage_block_bytes:262144"}) {
                    const ScopedLimits lower(limits, 1U << 20U);
                    const Array got = tiled_sums(integral, image);
                    CHECK(got.shape == expected.shape);
                    CHECK(got.type == expected.type);
                    CHECK((got.bytes == expected.bytes));
                }
            }
        }
    }
}

TEST_CASE("rows of an integral image that are too long for a texture are summed on the CPU, integers alike") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const Integral integral{.wrap = true, .variant = IntegralVariant::bands};
        const Image image = random_image({1031, 67, 4, depth});
        const Array expected = whole_sums(integral, image);
        const ScopedLimits lower("texture_size:101", plenty);
        CHECK((tiled_sums(integral, image).bytes == expected.bytes));
    }
}

TEST_CASE("a histogram of tiles has the counts of the whole by every variant") {
    using enum HistogramChannel;
    for (const EnumRow<HistogramVariant>& variant : enum_rows<HistogramVariant>) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            Image image = random_image({389, 307, 4, depth}, 5, FloatRange::wide);
            if (depth == Depth::f32) {
                image.values<float>()[7] = std::numeric_limits<float>::quiet_NaN();
            }
            const Histogram histogram{.bins = 61, .channels = {luma, red, alpha}, .variant = variant.value};
            const auto expected = histogram(gpu(), gpu().upload(image));
            const ScopedLimits lower("texture_size:79,storage_block_bytes:65536", 1U << 20U);
            const auto got = histogram(gpu(), rows_of(image));
            INFO(describe(image) << " by " << name_of(variant.value));
            REQUIRE(got.size() == expected.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                CHECK(got[i].channel == expected[i].channel);
                CHECK((got[i].counts == expected[i].counts));
                CHECK(got[i].outside == expected[i].outside);
                CHECK(got[i].nan == expected[i].nan);
            }
        }
    }
}

TEST_CASE("a report of tiles says what that of the whole says, and draws the same plot") {
    const OpInfo& info = *find_operation("histogram");
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 4}) {
            const Image image = photo_like_image({307, 211, channels, depth}, 4);
            const auto operation = info.make();
            operation->set("channels", channels == 1 ? "luma" : "luma,r,a");
            operation->set("bins", "37");
            operation->set("plot", "unused.png");
            operation->set("plot-style", "seed"); // a figure is larger than the textures below
            const std::string name = "picture";
            const GpuImage on_gpu = gpu().upload(image);
            const auto expected = operation->run(gpu(), ImageInput{name, image, on_gpu}).report.value();
            const Image plot = gpu().download(expected.picture.value());

            const RowSource source = rows_of(image);
            std::vector<double> shares;
            const RowsInput input{name, source, [&](double share) { shares.push_back(share); }};
            std::optional<Report> got;
            {
                const ScopedLimits lower("texture_size:200", 1U << 18U);
                CHECK_FALSE(operation->takes_whole(gpu(), image.form()));
                got = operation->run_rows(gpu(), input, nullptr);
            }
            CHECK(got.value().text({40}) == expected.text({40}));
            CHECK(csv_with_rows(got.value()) == csv_with_rows(expected));
            CHECK_THAT(gpu().download(got.value().picture.value()), IsBitwise(plot));
            CHECK(std::is_sorted(shares.begin(), shares.end()));
        }
    }
}

TEST_CASE("equalisation in tiles has the bits of the whole by every variant") {
    for (const EnumRow<EqualizeVariant>& variant : enum_rows<EqualizeVariant>) {
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            for (int channels = 1; channels <= 4; ++channels) {
                for (const bool per_channel : {false, true}) {
                    const Equalize equalize{.per_channel = per_channel, .variant = variant.value};
                    const Image image = photo_like_image({433, 127, channels, depth}, 2);
                    INFO(describe(image) << " by " << name_of(variant.value));
                    const Image expected = whole(equalize, image);
                    const ScopedLimits lower("texture_size:53,storage_block_bytes:1048576", 1U << 20U);
                    CHECK_THAT(tiled(equalize, image), IsBitwise(expected));
                }
            }
        }
    }
    const Image grey = constant_image({301, 77, 3, Depth::u8}, 0.5);
    const ScopedLimits lower("texture_size:53", plenty);
    CHECK_THAT(tiled(Equalize{.per_channel = true}, grey), IsBitwise(grey));
    CHECK_THAT(tiled(Equalize{.variant = EqualizeVariant::gpu}, grey), IsBitwise(grey));
}
