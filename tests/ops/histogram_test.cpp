#include "glproc/ops/histogram.hpp"

#include "glproc/ops/blur.hpp"
#include "glproc/ops/histogram/count.hpp"
#include "support/hidden.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/histogram_reference.hpp"
#include "support/inputs.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using enum HistogramChannel;

constexpr std::array depths{Depth::u8, Depth::u16, Depth::f32};
constexpr std::array all_bins{1, 2, 3, 7, 64, 100, 255, 256, 257, 1000, 4096, 65535, 65536};
constexpr std::array weights{LumaWeights::rec709, LumaWeights::rec601};

void check_right(const Image& image, const Histogram& asked, const std::vector<ChannelCounts>& got) {
    const std::string wrong = mistake(image, asked, got);
    INFO(wrong);
    CHECK(wrong.empty());
}

/// Counts by every variant; each must be right, and all must be the same.
void check_variants(const Image& image, Histogram asked) {
    const GpuImage on_gpu = gpu().upload(image);
    std::vector<ChannelCounts> first;
    for (const auto& row : enum_rows<HistogramVariant>) {
        asked.variant = row.value;
        const auto got = asked(gpu(), on_gpu);
        check_right(image, asked, got);
        if (first.empty()) {
            first = got;
        }
        for (std::size_t i = 0; i < got.size(); ++i) {
            INFO(describe(image) << ", " << describe(asked));
            CHECK(got[i].counts == first[i].counts);
            CHECK(got[i].outside == first[i].outside);
            CHECK(got[i].nan == first[i].nan);
        }
    }
}

/// Sets of channels worth asking for, of an image with this many channels.
std::vector<std::vector<HistogramChannel>> channel_sets(int channels) {
    switch (channels) {
    case 1:
        return {{luma}, {blue, luma, red, green}};
    case 2:
        return {{luma}, {alpha, luma, red, green, blue}, {alpha}};
    case 3:
        return {{luma}, {luma, red, green, blue}, {blue, red}};
    default:
        return {{luma}, {luma, red, green, blue, alpha}, {alpha, green, luma}};
    }
}

/// Goes round a list, so that a long list of cases meets all of it.
template <class T>
class Wheel {
  public:
    explicit Wheel(std::vector<T> items) : items_(std::move(items)) {}
    const T& next() { return items_[next_++ % items_.size()]; }

  private:
    std::vector<T> items_;
    std::size_t next_ = 0;
};

std::vector<Image> images_of(const Shape& shape) {
    return {constant_image(shape, 0.5), two_valued_image(shape, 0, 1, 3),
            random_image(shape, 5, FloatRange::wide), photo_like_image(shape),
            with_hidden_pixels(random_image(shape, 5, FloatRange::wide))};
}

const std::vector<Size>& sizes() {
    static const std::vector<Size> list{{1, 1},   {1, 257}, {263, 1},  {15, 17}, {16, 16},
                                        {17, 15}, {33, 1},  {1, 16},   {255, 3}, {256, 5},
                                        {257, 2}, {61, 67}, {130, 41}, {1031, 3}};
    return list;
}

template <class T>
Image image_of(int width, int height, int channels, Depth depth, const std::vector<T>& values) {
    Image image(width, height, channels, depth);
    REQUIRE(image.values<T>().size() == values.size());
    std::copy(values.begin(), values.end(), image.values<T>().begin());
    return image;
}

Image grey_floats(const std::vector<float>& values) {
    return image_of(static_cast<int>(values.size()), 1, 1, Depth::f32, values);
}

/// An integer image of these pixels, one row.
template <class T>
Image rgb_image(Depth depth, const std::vector<Rgb>& pixels) {
    std::vector<T> values;
    for (const Rgb& pixel : pixels) {
        for (const std::uint32_t code : {pixel.red, pixel.green, pixel.blue}) {
            values.push_back(static_cast<T>(code));
        }
    }
    return image_of(static_cast<int>(pixels.size()), 1, 3, depth, values);
}

/// The error that `action` fails with.
template <class Action>
Error error_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    FAIL("no error");
    throw;
}

Error refusal(const Histogram& histogram, const Image& image) {
    return error_of([&] { histogram(gpu(), gpu().upload(image)); });
}

} // namespace

TEST_CASE("every variant counts every depth, channel set, size and kind of image right") {
    Wheel<int> bins({1, 2, 3, 7, 64, 100, 255, 256, 257}); // the next test has the large ones
    Wheel<LumaWeights> luma({weights.begin(), weights.end()});
    Wheel<Interval> ranges({{0, 1}, {-0.25, 1.5}, {0.125, 0.75}, {-1, 3}, {0, 255}});
    for (const Depth depth : depths) {
        for (int channels = 1; channels <= 4; ++channels) {
            Wheel<std::vector<HistogramChannel>> sets(channel_sets(channels));
            for (const Size& size : sizes()) {
                for (const Image& image : images_of({size.width, size.height, channels, depth})) {
                    Histogram asked{.bins = bins.next(), .channels = sets.next(), .luma = luma.next()};
                    if (depth == Depth::f32) {
                        asked.range = ranges.next();
                    }
                    check_variants(image, asked);
                }
            }
        }
    }
}

TEST_CASE("every number of bins is counted right, for every set of channels") {
    for (const Depth depth : depths) {
        for (const int bins : all_bins) {
            check_variants(random_image({67, 61, 4, depth}, 8), {.bins = bins, .channels = {luma}});
            check_variants(photo_like_image({61, 67, 3, depth}),
                           {.bins = bins, .channels = {luma, red, green, blue}});
        }
    }
}

TEST_CASE("any number of chunks is added up, each once") {
    const auto chunks_of = [](const Image& image, std::int64_t slots) {
        return plan_chunks(gpu().limits(), slots, std::int64_t{image.width()} * image.height()).chunks;
    };
    std::set<std::int64_t> seen;
    for (int part = 1; part <= 19; ++part) {
        const Image image = random_image({64, 16 * part, 4, Depth::f32}, static_cast<std::uint32_t>(part));
        seen.insert(chunks_of(image, 6));
        check_variants(image, {.bins = 4, .channels = {green}});
    }
    for (std::int64_t chunks = 1; chunks <= 19; ++chunks) {
        INFO(chunks << " chunks");
        CHECK(seen.count(chunks) == 1);
    }
}

TEST_CASE("where all pixels meet in one bin, or in two, none is lost") {
    constexpr std::array sides{Size{701, 499}, Size{1, 9001}, Size{67, 61}}; // serial: several dispatches
    for (const Depth depth : depths) {
        for (const int channels : {1, 4}) {
            for (const Size& size : sides) {
                const Shape shape{size.width, size.height, channels, depth};
                const Histogram asked{.bins = 256, .channels = channel_sets(channels).at(1)};
                check_variants(constant_image(shape, 0.25), asked);
                check_variants(two_valued_image(shape, 0, 1, 7), asked);
            }
        }
    }
}

TEST_CASE("all 65536 codes of a 16-bit channel go to their bins") {
    std::vector<std::uint16_t> codes(65536);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        codes[i] = static_cast<std::uint16_t>(i * 40503); // every code once, in no order
    }
    const Image image = image_of(256, 256, 1, Depth::u16, codes);
    for (const int bins : all_bins) {
        check_variants(image, {.bins = bins, .channels = {luma}});
    }
}

TEST_CASE("all colours of 8 bits go to their luma bins") {
    std::vector<std::uint8_t> values(std::size_t{3} << 24U);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint8_t>((i / 3) >> (8 * (i % 3)));
    }
    const Image image = image_of(4096, 4096, 3, Depth::u8, values);
    Histogram asked{.bins = 256, .channels = {luma}};
    const auto expected = exact_counts(image, luma, asked.luma, asked.bins);
    const GpuImage on_gpu = gpu().upload(image);
    for (const auto& row : enum_rows<HistogramVariant>) {
        if (row.value == HistogramVariant::serial) {
            continue; // for small images
        }
        asked.variant = row.value;
        CHECK(asked(gpu(), on_gpu).front().counts == expected);
    }
}

TEST_CASE("lumas at the edges of bins fall on the right side") {
    for (const LumaWeights luma_weights : weights) {
        for (const int bins : all_bins) {
            if (bins == 1) {
                continue; // has no edges
            }
            const auto bytes = pixels_at_edges(Depth::u8, luma_weights, bins, 1000, 1);
            const auto words = pixels_at_edges(Depth::u16, luma_weights, bins, 2000, 2);
            CHECK(bytes.size() >= 500);
            CHECK(words.size() >= 1000);
            const Histogram asked{.bins = bins, .channels = {luma}, .luma = luma_weights};
            check_variants(rgb_image<std::uint8_t>(Depth::u8, bytes), asked);
            check_variants(rgb_image<std::uint16_t>(Depth::u16, words), asked);
        }
    }
}

TEST_CASE("float edges: the range is closed, and each bin is open above") {
    const float up = std::nextafter(1.0F, 2.0F);
    const Image image =
        grey_floats({-0.0F, 0.0F, std::nextafter(0.25F, 0.0F), 0.25F, 0.5F, 1.0F, up, -1e-20F, 2, -3});
    for (const auto& row : enum_rows<HistogramVariant>) {
        const auto got = Histogram{.bins = 4, .variant = row.value}(gpu(), gpu().upload(image)).front();
        INFO(row.name);
        CHECK(got.counts == std::vector<std::uint64_t>{3, 1, 1, 1});
        CHECK(got.outside == 4);
        CHECK(got.nan == 0);
    }
}

TEST_CASE("NaN and infinities are counted apart, denormal values as 0") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float denormal = std::numeric_limits<float>::denorm_min();
    const Image grey = grey_floats({nan, infinity, -infinity, denormal, -denormal, -1e-38F, 0.75F, -nan});
    const Image colour = image_of<float>(6, 1, 3, Depth::f32,
                                         {nan, 0, 0, infinity, infinity, infinity, infinity, 0, -infinity, //
                                          -denormal, 0, -denormal, 1, 1, 1, 3e38F, -3e38F, 3e38F});
    for (const auto& row : enum_rows<HistogramVariant>) {
        INFO(row.name);
        const auto one = Histogram{.bins = 2, .variant = row.value}(gpu(), gpu().upload(grey)).front();
        CHECK(one.counts == std::vector<std::uint64_t>{3, 1});
        CHECK(one.outside == 2);
        CHECK(one.nan == 2);
        const auto three = Histogram{.bins = 2, .variant = row.value}(gpu(), gpu().upload(colour)).front();
        CHECK(three.counts == std::vector<std::uint64_t>{1, 1});
        CHECK(three.outside == 2);
        CHECK(three.nan == 2);
    }
}

TEST_CASE("the luma of grey colours is their grey, to the last bit") {
    Image image = random_image({101, 53, 3, Depth::f32}, 21, FloatRange::wide);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            set_value(image, x, y, 1, image.at(x, y, 0));
            set_value(image, x, y, 2, image.at(x, y, 0));
        }
    }
    for (const auto& row : enum_rows<HistogramVariant>) {
        const Histogram asked{
            .bins = 65536, .channels = {luma, red, blue}, .range = {-1, 2}, .variant = row.value};
        const auto got = asked(gpu(), gpu().upload(image));
        CHECK(got[0].counts == got[1].counts);
        CHECK(got[2].counts == got[1].counts);
    }
}

TEST_CASE("what another pass wrote is counted without a visit to the CPU") {
    const GpuImage blurred = Blur{.sigma = 1.5}(gpu(), gpu().upload(random_image({157, 83, 3, Depth::u8})));
    const Image pixels = gpu().download(blurred);
    for (const auto& row : enum_rows<HistogramVariant>) {
        const Histogram asked{.bins = 256, .channels = {luma, red, green, blue}, .variant = row.value};
        check_right(pixels, asked, asked(gpu(), blurred));
    }
}

TEST_CASE("parameters that make no sense are refused before anything runs") {
    const Image grey = constant_image({3, 3, 1, Depth::u8}, 0.5);
    const Image floats = constant_image({3, 3, 2, Depth::f32}, 0.5);
    for (const Error& error :
         {refusal({.bins = 0}, grey), refusal({.bins = 65537}, grey), refusal({.bins = -1}, grey),
          refusal({.channels = {}}, grey), refusal({.channels = {red, luma, red}}, grey),
          refusal({.range = {1, 1}}, floats), refusal({.range = {1, 0}}, floats),
          refusal({.range = {0, 1e31}}, floats), refusal({.range = {1, 1 + 1e-9}}, floats),
          refusal({.range = {0, std::numeric_limits<double>::quiet_NaN()}}, floats),
          refusal({.bins = 65536, .range = {0, 1e-38}}, floats)}) {
        INFO(error.what());
        CHECK(error.code() == ErrorCode::usage);
    }
    for (const auto& row : enum_rows<HistogramVariant>) {
        const Error no_alpha = refusal({.channels = {luma, alpha}, .variant = row.value}, grey);
        CHECK(no_alpha.code() == ErrorCode::usage);
        CHECK(no_alpha.what() == std::string("the image has no alpha channel to count"));
        const Error range = refusal({.range = {0, 255}, .variant = row.value}, grey);
        CHECK(range.code() == ErrorCode::usage);
        CHECK(range.what() ==
              std::string("--range 0,255 is for float images; this one has 8 bits a channel"));
        CHECK(range.hint() == "integer images are counted over 0,1: leave out --range");
    }
}
