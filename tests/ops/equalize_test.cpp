#include "glproc/ops/equalize.hpp"

#include "glproc/ops/blur.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/warnings.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Table = std::vector<std::uint64_t>; ///< empty: the image is constant, and stays

struct Weights {
    std::array<std::uint64_t, 3> of;
    std::uint64_t sum;
};

Weights weights_of(LumaWeights luma) {
    return luma == LumaWeights::rec709 ? Weights{{2126, 7152, 722}, 10000} : Weights{{299, 587, 114}, 1000};
}

std::uint64_t largest_code(const Image& image) {
    return image.depth() == Depth::u8 ? 255 : 65535;
}

/// Rounded to nearest, ties to even.
std::uint64_t divide(std::uint64_t number, std::uint64_t by) {
    const std::uint64_t whole = number / by;
    const std::uint64_t twice = 2 * (number % by);
    return whole + (twice > by || (twice == by && whole % 2 == 1) ? 1 : 0);
}

/// By OpenCV's rule from the bins of all pixels that can be seen.
Table table_of(const Image& image, const std::function<std::uint64_t(int x, int y)>& bin) {
    const std::uint64_t largest = largest_code(image);
    std::vector<std::uint64_t> counts(largest + 1);
    std::uint64_t pixels = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const bool is_seen = !image.has_alpha() || image.at(x, y, image.channels() - 1) != 0;
            counts[bin(x, y)] += is_seen ? 1 : 0;
            pixels += is_seen ? 1 : 0;
        }
    }
    std::size_t lowest = 0;
    while (lowest < largest && counts[lowest] == 0) {
        ++lowest;
    }
    if (counts[lowest] == pixels) {
        return {};
    }
    Table table(counts.size());
    std::uint64_t above = 0;
    for (std::size_t v = lowest + 1; v < table.size(); ++v) {
        above += counts[v];
        table[v] = divide(largest * above, pixels - counts[lowest]);
    }
    return table;
}

std::uint64_t code(const Image& image, int x, int y, int c) {
    return static_cast<std::uint64_t>(image.at(x, y, c));
}

/// What channel c of the pixel must become.
using Expected = std::function<std::uint64_t(int x, int y, int c)>;

Expected channel_rule(const Image& image) {
    std::vector<Table> tables;
    for (int c = 0; c < (image.channels() < 3 ? 1 : 3); ++c) {
        tables.push_back(table_of(image, [&](int x, int y) { return code(image, x, y, c); }));
    }
    return [&image, tables](int x, int y, int c) {
        const std::uint64_t was = code(image, x, y, c);
        const auto index = static_cast<std::size_t>(c);
        return index >= tables.size() || tables[index].empty() ? was : tables[index][was];
    };
}

Expected luma_rule_of(const Image& image, LumaWeights luma) {
    const Weights weights = weights_of(luma);
    const std::uint64_t largest = largest_code(image);
    const auto luma_of = [&image, weights](int x, int y) { // in units of 1 / weights.sum
        return weights.of[0] * code(image, x, y, 0) + weights.of[1] * code(image, x, y, 1) +
               weights.of[2] * code(image, x, y, 2);
    };
    const auto bin_of = [=](int x, int y) {
        return std::min(largest, luma_of(x, y) * (largest + 1) / (weights.sum * largest));
    };
    const Table table = table_of(image, bin_of);
    return [=, &image](int x, int y, int c) {
        const std::uint64_t was = code(image, x, y, c);
        const std::uint64_t l = luma_of(x, y);
        if (c == 3 || table.empty() || l == 0) {
            return was;
        }
        return std::min(largest, divide(was * table[bin_of(x, y)] * weights.sum, l));
    };
}

/// Empty where `got` is what the rule says, else the first difference.
std::string difference(const Image& image, const Equalize& equalize, const Image& got) {
    const bool by_luma = image.channels() >= 3 && !equalize.per_channel;
    const Expected expected = by_luma ? luma_rule_of(image, equalize.luma) : channel_rule(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                if (code(got, x, y, c) != expected(x, y, c)) {
                    return std::to_string(code(got, x, y, c)) + " for " + std::to_string(expected(x, y, c)) +
                           " at " + std::to_string(x) + "," + std::to_string(y) + " channel " +
                           std::to_string(c);
                }
            }
        }
    }
    return {};
}

Image equalized(const Image& image, const Equalize& equalize = {}) {
    return gpu().download(equalize(gpu(), gpu().upload(image)));
}

void check(const Image& image, Equalize equalize) {
    for (const auto& row : enum_rows<EqualizeVariant>) {
        equalize.variant = row.value;
        INFO(describe(image) << (equalize.per_channel ? ", per channel" : "") << ", luma "
                             << name_of(equalize.luma) << ", variant " << row.name);
        CHECK(difference(image, equalize, equalized(image, equalize)).empty());
    }
}

void check_all(const Image& image) {
    check(image, {});
    check(image, {.per_channel = true});
    if (image.channels() >= 3) {
        check(image, {.luma = LumaWeights::rec601});
    }
}

bool same(const Image& a, const Image& b) {
    const auto left = a.bytes();
    const auto right = b.bytes();
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

/// An 8-bit grey row.
Image row_of(const std::vector<std::uint8_t>& codes) {
    Image image(static_cast<int>(codes.size()), 1, 1, Depth::u8);
    std::copy(codes.begin(), codes.end(), image.values<std::uint8_t>().begin());
    return image;
}

std::vector<int> codes_of(const Image& image) {
    const auto values = image.values<std::uint8_t>();
    return {values.begin(), values.end()};
}

constexpr std::array depths{Depth::u8, Depth::u16};

} // namespace

TEST_CASE("equalize: the example") {
    CHECK(codes_of(equalized(row_of({0, 0, 64, 128, 128, 128, 255, 255}))) ==
          std::vector<int>{0, 0, 42, 170, 170, 170, 255, 255});
}

TEST_CASE("equalize: ties go to even") {
    // 255 · 1/2 = 127.5, and of five above the lowest 25.5, 76.5 …
    CHECK(codes_of(equalized(row_of({9, 10, 11}))) == std::vector<int>{0, 128, 255});
    CHECK(codes_of(equalized(row_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}))) ==
          std::vector<int>{0, 26, 51, 76, 102, 128, 153, 178, 204, 230, 255});
}

TEST_CASE("equalize: every depth, number of channels, size and kind of image") {
    for (const Depth depth : depths) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const Size& size :
                 {Size{1, 1}, Size{1, 7}, Size{15, 3}, Size{16, 16}, Size{17, 5}, Size{130, 41}}) {
                const Shape shape{size.width, size.height, channels, depth};
                check_all(random_image(shape, 3));
                check_all(with_hidden_pixels(random_image(shape, 3)));
                check_all(photo_like_image(shape));
                check_all(two_valued_image(shape, 0.25, 0.75, 5));
            }
        }
    }
    CHECK(gpu_warnings() == std::vector<std::string>()); // no kernel was wrong and another method right
}

TEST_CASE("equalize: a constant image stays, bit for bit") {
    for (const Depth depth : depths) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const double value : {0.0, 0.3, 1.0}) {
                const Image image = constant_image({37, 11, channels, depth}, value);
                CHECK(same(equalized(image), image));
                CHECK(same(equalized(image, {.per_channel = true}), image));
            }
        }
    }
}

TEST_CASE("equalize: all codes of 16 bits, and many pixels") {
    Image codes(256, 256, 1, Depth::u16);
    auto values = codes.values<std::uint16_t>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint16_t>(i * 40503); // every code once, in no order
    }
    CHECK(same(equalized(codes), codes));
    check_all(photo_like_image({1031, 701, 3, Depth::u16}));
    check_all(photo_like_image({1031, 701, 4, Depth::u8}));
}

TEST_CASE("equalize: colours of low luma, whose scale is large, are exact") {
    for (const Depth depth : depths) {
        Image image = random_image({251, 97, 3, depth}, 11);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const double dim =
                    0.02 * hash_01(7, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
                set_value(image, x, y, 0, dim * hash_01(1, static_cast<std::uint32_t>(x)));
                set_value(image, x, y, 1, x % 3 == 0 ? 0 : dim);
                set_value(image, x, y, 2, y % 5 == 0 ? 0 : 50 * dim);
            }
        }
        check_all(image);
    }
}

TEST_CASE("equalize: grey colours become what grey does") {
    const Image grey = photo_like_image({157, 83, 1, Depth::u8});
    Image colour(grey.width(), grey.height(), 3, Depth::u8);
    for (int y = 0; y < grey.height(); ++y) {
        for (int x = 0; x < grey.width(); ++x) {
            for (int c = 0; c < 3; ++c) {
                set_value(colour, x, y, c, grey.at(x, y, 0) / 255);
            }
        }
    }
    const Image want = equalized(grey);
    const Image got = equalized(colour);
    for (int y = 0; y < grey.height(); ++y) {
        for (int x = 0; x < grey.width(); ++x) {
            REQUIRE(got.at(x, y, 1) == want.at(x, y, 0));
        }
    }
}

TEST_CASE("equalize: what another pass wrote, padding and all") {
    const GpuImage blurred = Blur{.sigma = 1.5}(gpu(), gpu().upload(random_image({157, 83, 3, Depth::u8})));
    const Image pixels = gpu().download(blurred);
    CHECK(difference(pixels, {}, gpu().download(Equalize{}(gpu(), blurred))).empty());
}

TEST_CASE("equalize: floats are refused") {
    std::optional<Error> error;
    try {
        equalized(constant_image({3, 3, 1, Depth::f32}, 0.5));
    } catch (const Error& caught) {
        error = caught;
    }
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    CHECK(error->what() ==
          std::string("equalize takes 8- and 16-bit images; this one holds floats"));
    CHECK(error->hint() == "convert it first: --depth 16");
}
