#include "glproc/ops/compare.hpp"

#include "support/catch.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Structural similarity by its definition: for every pixel a loop over all 121 weights, and deviations from the means.
double naive_ssim(const Image& a, const Image& b) {
    const double full = max_code(a.depth());
    double weights[11][11];
    double total = 0;
    for (int y = 0; y < 11; ++y) {
        for (int x = 0; x < 11; ++x) {
            total += weights[y][x] = std::exp(-((x - 5) * (x - 5) + (y - 5) * (y - 5)) / 4.5);
        }
    }
    double sum = 0;
    for (int c = 0; c < a.channels(); ++c) {
        for (int y = 5; y + 5 < a.height(); ++y) {
            for (int x = 5; x + 5 < a.width(); ++x) {
                const auto mean = [&](const auto& value) {
                    double result = 0;
                    for (int j = 0; j < 11; ++j) {
                        for (int i = 0; i < 11; ++i) {
                            result += weights[j][i] / total * value(x + i - 5, y + j - 5);
                        }
                    }
                    return result;
                };
                const double p = mean([&](int i, int j) { return a.at(i, j, c); });
                const double q = mean([&](int i, int j) { return b.at(i, j, c); });
                const double pp = mean([&](int i, int j) { return std::pow(a.at(i, j, c) - p, 2); }) * 121 / 120;
                const double qq = mean([&](int i, int j) { return std::pow(b.at(i, j, c) - q, 2); }) * 121 / 120;
                const double pq = mean([&](int i, int j) { return (a.at(i, j, c) - p) * (b.at(i, j, c) - q); }) * 121 / 120;
                const double c1 = std::pow(0.01 * full, 2);
                const double c2 = std::pow(0.03 * full, 2);
                sum += (2 * p * q + c1) * (2 * pq + c2) / ((p * p + q * q + c1) * (pp + qq + c2));
            }
        }
    }
    return sum / (double(a.width() - 10) * (a.height() - 10) * a.channels());
}

/// Where one of two pictures is transparent it gets the colour of the other, as nobody sees its own; where both are, black.
std::pair<Image, Image> shown_alike(Image a, Image b) {
    for (int y = 0; y < a.height() && a.has_alpha(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const std::size_t bytes = a.pixel_bytes() - bytes_of(a.depth());
            std::byte* in_a = a.row(y) + static_cast<std::size_t>(x) * a.pixel_bytes();
            std::byte* in_b = b.row(y) + static_cast<std::size_t>(x) * b.pixel_bytes();
            if (a.at(x, y, a.channels() - 1) == 0 && b.at(x, y, b.channels() - 1) == 0) {
                std::fill_n(in_a, bytes, std::byte{0});
                std::fill_n(in_b, bytes, std::byte{0});
            } else if (a.at(x, y, a.channels() - 1) == 0) {
                std::copy_n(in_b, bytes, in_a);
            } else if (b.at(x, y, b.channels() - 1) == 0) {
                std::copy_n(in_a, bytes, in_b);
            }
        }
    }
    return {std::move(a), std::move(b)};
}

} // namespace

TEST_CASE("compare: a picture and itself") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const Image image = photo_like_image({40, 31, 4, depth});
        const Difference d = compare(image, image);
        CHECK(d.mse == 0);
        CHECK(std::isinf(d.psnr));
        CHECK(d.ssim.value() == Approx(1));
        CHECK(d.max_diff == 0);
        CHECK_THAT(difference_map(image, image), IsBitwise(Image(image.form())));
    }
}

TEST_CASE("compare: what is hidden in both pictures counts in no figure, whatever the files hold there") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const Image image = with_hidden_pixels(photo_like_image({40, 31, 4, depth}));
        Image other = image;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                for (int c = 0; c < 3 && is_hidden(image, x, y); ++c) {
                    set_value(other, x, y, c, depth == Depth::f32 ? std::nan("") : 0.25);
                }
            }
        }
        const Difference d = compare(image, other);
        CHECK(d.mse == 0);
        CHECK(d.pixels == 0);
        CHECK(d.ssim.value() == Approx(1));
        CHECK(compare(other, other).pixels == 0);
    }
}

TEST_CASE("compare: figures by their definitions, at every depth") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            const auto [a, b] = shown_alike(photo_like_image({37, 29, channels, depth}, 1),
                                            random_image({37, 29, channels, depth}, 2));
            const Difference d = compare(a, b);
            double squares = 0;
            double largest = 0;
            int at_x = 0;
            int at_y = 0;
            for (int y = 0; y < 29; ++y) {
                for (int x = 0; x < 37; ++x) {
                    for (int c = 0; c < channels; ++c) {
                        const double difference = std::abs(a.at(x, y, c) - b.at(x, y, c));
                        squares += difference * difference;
                        if (difference > largest) {
                            largest = difference;
                            at_x = x;
                            at_y = y;
                        }
                    }
                }
            }
            INFO(describe(a));
            CHECK(d.mse == Approx(squares / (37.0 * 29 * channels)).epsilon(1e-12));
            CHECK(d.psnr == Approx(20 * std::log10(max_code(depth)) - 10 * std::log10(d.mse)).epsilon(1e-12));
            CHECK(d.max_diff == largest);
            CHECK(d.x == at_x);
            CHECK(d.y == at_y);
            CHECK(d.ssim.value() == Approx(naive_ssim(a, b)).margin(1e-9));
            CHECK(difference_map(a, b).at(at_x, at_y, 0) ==
                  Approx(std::abs(a.at(at_x, at_y, 0) - b.at(at_x, at_y, 0))).epsilon(1e-6));
        }
    }
}

TEST_CASE("compare: depths meet in the larger one, small pictures have no similarity, other forms are refused") {
    const Image small = constant_image({10, 40, 1, Depth::u8}, 0.2);
    const Difference d = compare(small, with_depth(small, Depth::u16));
    CHECK(d.max_diff == 0);
    CHECK_FALSE(d.ssim.has_value());
    CHECK_THROWS_AS(compare(small, constant_image({40, 10, 1, Depth::u8}, 0)), Error);
    CHECK_THROWS_AS(compare(small, constant_image({10, 40, 3, Depth::u8}, 0)), Error);
}

TEST_CASE("compare: NaN equals NaN, and is infinitely far from any number") {
    Image a = constant_image({3, 2, 1, Depth::f32}, 0.5);
    a.values<float>()[4] = std::numeric_limits<float>::quiet_NaN();
    CHECK(compare(a, a).max_diff == 0);
    const Difference d = compare(a, constant_image({3, 2, 1, Depth::f32}, 0.5));
    CHECK(std::isinf(d.max_diff));
    CHECK(d.x == 1);
    CHECK(d.y == 1);
}

TEST_CASE("compare: colours that nobody sees do not count, alpha does") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {2, 4}) {
            Image a = random_image({37, 29, channels, depth}, 1);
            const auto clear = [&](Image& image, int x, int y) {
                std::fill_n(image.row(y) + static_cast<std::size_t>(x + 1) * image.pixel_bytes() - bytes_of(depth),
                            bytes_of(depth), std::byte{});
            };
            for (int y = 0; y < 29; ++y) {
                clear(a, 7, y);
            }
            Image b = a;
            for (int y = 0; y < 29; ++y) { // other colours
                std::fill_n(b.row(y) + 7 * b.pixel_bytes(), b.pixel_bytes() - bytes_of(depth), std::byte{1});
            }
            CHECK(compare(a, b).mse == 0);
            CHECK(compare(a, b).ssim.value() == Approx(1));
            CHECK(difference_map(a, b).at(7, 3, 0) == 0);
            const double alpha = a.at(20, 11, channels - 1);
            clear(b, 20, 11);
            const Difference d = compare(a, b);
            CHECK(d.max_diff == alpha);
            CHECK(d.x == 20);
            CHECK(d.y == 11);
        }
    }
}
