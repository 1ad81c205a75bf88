#include "glproc/ops/gray.hpp"

#include "support/operation_cases.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

std::array<double, 3> weights_of(LumaWeights luma) {
    return luma == LumaWeights::rec709 ? std::array{0.2126, 0.7152, 0.0722} : std::array{0.299, 0.587, 0.114};
}

int grey_channels_of(int channels) {
    return channels == 3 ? 1 : channels == 4 ? 2 : channels;
}

/// The exact luma of codes, rounded half to even, in whole numbers only.
std::uint64_t rounded_luma(std::uint64_t r, std::uint64_t g, std::uint64_t b,
                           LumaWeights luma = LumaWeights::rec709) {
    const bool is_709 = luma == LumaWeights::rec709;
    const std::uint64_t sum = is_709 ? 2126 * r + 7152 * g + 722 * b : 299 * r + 587 * g + 114 * b;
    const std::uint64_t parts = is_709 ? 10000 : 1000;
    const std::uint64_t below = sum / parts;
    const std::uint64_t twice_rest = 2 * (sum % parts);
    return below + (twice_rest > parts || (twice_rest == parts && below % 2 == 1) ? 1 : 0);
}

/// How many results are not that.
std::size_t count_wrong(const Image& colours, const Gray& gray) {
    const Image grey = whole(gray, colours);
    const std::span<const std::uint8_t> codes = colours.values<std::uint8_t>();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < grey.values<std::uint8_t>().size(); ++i) {
        wrong += grey.values<std::uint8_t>()[i] !=
                 rounded_luma(codes[3 * i], codes[3 * i + 1], codes[3 * i + 2], gray.luma);
    }
    return wrong;
}

/// `count` colours, from number `first` on, of which there are 2^24.
Image colours_from(std::size_t first, int count) {
    Image image(count / 256, 256, 3, Depth::u8);
    std::size_t number = first;
    const std::span<std::uint8_t> codes = image.values<std::uint8_t>();
    for (std::size_t i = 0; i < codes.size(); i += 3, ++number) {
        for (std::size_t c = 0; c < 3; ++c) {
            codes[i + c] = static_cast<std::uint8_t>(number >> 8 * c);
        }
    }
    return image;
}

} // namespace

TEST_CASE("gray gives the luma of every pixel and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const LumaWeights luma : {LumaWeights::rec709, LumaWeights::rec601}) {
                const Image image = random_image(shape, 11, FloatRange::wide);
                const auto w = weights_of(luma);
                const auto answer =
                    point_reference(image, grey_channels_of(shape.channels), shape.depth, [&](const auto& v) {
                        const double value = w[0] * v[0] + w[1] * v[1] + w[2] * v[2];
                        return std::array{value, value, value, v[3]};
                    });
                check_operation(Gray{.luma = luma}, image, answer);
            }
        }
    }
}

TEST_CASE("gray rounds the exact luma of 16 bits once, half to even") {
    Image image = random_image({251, 127, 3, Depth::u16}, 12);
    const std::span<std::uint16_t> codes = image.values<std::uint16_t>();
    // 2126 r + 7152 g + 722 b = 5000 (mod 10000), for whole parts that are even and odd.
    const std::array<std::array<std::uint16_t, 3>, 4> ties{
        {{125, 250, 625}, {125, 875, 625}, {500, 375, 0}, {325, 1125, 25}}};
    for (std::size_t i = 0; i < ties.size(); ++i) {
        std::copy(ties[i].begin(), ties[i].end(), codes.begin() + static_cast<std::ptrdiff_t>(3 * i));
    }
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image grey = whole(Gray{.method = method}, image);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < grey.values<std::uint16_t>().size(); ++i) {
            wrong += grey.values<std::uint16_t>()[i] !=
                     rounded_luma(codes[3 * i], codes[3 * i + 1], codes[3 * i + 2]);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("gray rounds the exact luma of every colour of 8 bits once, half to even") {
    for (const LumaWeights luma : {LumaWeights::rec709, LumaWeights::rec601}) {
        for (std::size_t first = 0; first < 1U << 24; first += 1U << 22) {
            CHECK(count_wrong(colours_from(first, 1 << 22), {.luma = luma}) == 0);
        }
        CHECK(count_wrong(colours_from(0xabcd00, 1 << 16), {.luma = luma, .method = PointMethod::cpu}) == 0);
    }
}

TEST_CASE("gray of floats that are no numbers or endless") {
    Image image(4, 1, 3, Depth::f32);
    const float nan = std::nanf("");
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 12> values{nan, 0, 0, inf, inf, inf, -inf, 1, 1, inf, -inf, 0};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    const Image grey = whole(Gray{}, image);
    CHECK(std::isnan(grey.at(0, 0, 0)));
    CHECK(grey.at(1, 0, 0) == inf);
    CHECK(grey.at(2, 0, 0) == -inf);
    CHECK(std::isnan(grey.at(3, 0, 0)));
}
