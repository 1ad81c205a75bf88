#include "glproc/ops/bilateral.hpp"

#include "support/operation_cases.hpp"
#include "support/reference.hpp"

#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Codes are those of the exact mean, unless that is as near to a tie as doubles can tell.
constexpr Tolerance exact{1e-9, 0};

double gauss(double distance, double sigma) {
    const double weight = std::exp(-distance * distance / (2 * sigma * sigma));
    return weight >= std::ldexp(1, -40) ? weight : 0;
}

/// All channels of the pixel that a border puts at (x, y).
std::vector<double> pixel_at(const Image& image, const Border& border, int x, int y) {
    const int column = border_index(border.mode, x, image.width());
    const int row = border_index(border.mode, y, image.height());
    std::vector<double> pixel;
    for (int c = 0; c < image.channels(); ++c) {
        const bool is_alpha = image.has_alpha() && c == image.channels() - 1;
        pixel.push_back(column >= 0 && row >= 0 ? image.at(column, row, c)
                        : is_alpha              ? 0
                                                : round_to_depth(border.value * max_code(image.depth()), image.depth()));
    }
    return pixel;
}

/// Channels as they are compared: colours on black, if they are weighted by alpha.
std::vector<double> compared(const Image& image, AlphaMode mode, std::vector<double> pixel) {
    if (image.has_alpha() && mode == AlphaMode::ignore) {
        pixel.pop_back();
    }
    if (image.has_alpha() && mode == AlphaMode::premultiply) {
        for (std::size_t c = 0; c + 1 < pixel.size(); ++c) {
            pixel[c] = round_to_depth(pixel[c] * pixel.back() / max_code(image.depth()), image.depth());
        }
    }
    return pixel;
}

std::vector<double> mean_at(const Image& image, const Bilateral& op, int radius, int x, int y) {
    const std::vector<double> own = pixel_at(image, op.border, x, y);
    const std::vector<double> seen = compared(image, op.alpha, own);
    std::vector<double> sums(own.size());
    std::vector<double> weights(own.size());
    for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
            const std::vector<double> pixel = pixel_at(image, op.border, x + dx, y + dy);
            const std::vector<double> other = compared(image, op.alpha, pixel);
            double difference = 0;
            for (std::size_t c = 0; c < seen.size(); ++c) {
                difference += std::abs(other[c] - seen[c]);
            }
            const double weight = dx * dx + dy * dy > radius * radius
                                      ? 0
                                      : gauss(std::hypot(dx, dy), op.sigma) *
                                            gauss(difference, op.range.value * max_code(image.depth()));
            for (std::size_t c = 0; c < own.size() && weight > 0; ++c) {
                const bool is_colour = c + 1 < own.size();
                const double part = image.has_alpha() && op.alpha == AlphaMode::premultiply && is_colour ? weight * pixel.back() : weight;
                sums[c] += part * pixel[c];
                weights[c] += part;
            }
        }
    }
    const bool is_finite = weights.back() > 0;
    for (std::size_t c = 0; c < own.size(); ++c) {
        const bool is_kept = image.has_alpha() && op.alpha == AlphaMode::ignore && c + 1 == own.size();
        sums[c] = is_kept || !is_finite ? own[c] : weights[c] > 0 ? sums[c] / weights[c] : 0;
    }
    return sums;
}

Reference answer_to(const Image& image, const Bilateral& op) {
    const int radius = op.radius.value_or(std::max(static_cast<int>(1.5 * op.sigma), 1));
    Reference answer = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const std::vector<double> mean = mean_at(image, op, radius, x, y);
            for (int c = 0; c < image.channels(); ++c) {
                answer.at(x, y, c) = mean[static_cast<std::size_t>(c)];
            }
        }
    }
    return answer;
}

void check(const Bilateral& op, const Image& image, const std::string& limits = "texture_size:16") {
    INFO("alpha " << FieldText<AlphaMode>::print(op.alpha) << ", border " << FieldText<Border>::print(op.border));
    check_operation(op, image, answer_to(image, op), image.depth() == Depth::f32 ? Tolerance{} : exact, limits);
}

Image three_pixels(const std::vector<std::uint8_t>& codes) {
    Image image(Form{3, 1, 2, Depth::u8});
    std::copy(codes.begin(), codes.end(), image.values<std::uint8_t>().begin());
    return image;
}

} // namespace

TEST_CASE("a bilateral filter of every kind of picture at awkward sizes") {
    for (const Size& size : {Size{1, 1}, Size{1, 17}, Size{19, 1}, Size{2, 3}, Size{67, 41}}) {
        for (const Shape& shape : all_kinds(size)) {
            check({.sigma = 1.4, .range = 0.2}, random_image(shape, 6));
            check({.sigma = 1.4, .range = 0.05}, photo_like_image(shape));
        }
    }
}

TEST_CASE("a bilateral filter with every border and treatment of alpha") {
    for (const BorderMode mode :
         {BorderMode::clamp, BorderMode::mirror, BorderMode::symmetric, BorderMode::wrap, BorderMode::constant}) {
        for (const AlphaMode alpha : {AlphaMode::premultiply, AlphaMode::straight, AlphaMode::ignore}) {
            for (const Shape& shape : {Shape{35, 19, 4, Depth::u8}, Shape{35, 19, 2, Depth::u16}, Shape{21, 19, 4, Depth::f32}}) {
                check({.sigma = 2, .range = 0.15, .radius = 4, .border = {mode, 0.5}, .alpha = alpha}, random_image(shape, 8));
            }
        }
        check({.sigma = 9, .range = 0.5, .border = {mode, 0.5}}, random_image({7, 5, 3, Depth::u8}, 8)); // wider than the picture
    }
}

TEST_CASE("bilateral: codes are those of the exact mean") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        check({.sigma = 3, .range = 0.1}, photo_like_image({211, 137, 3, depth}));
        check({.sigma = 3, .range = 0.3}, random_image({211, 137, 3, depth}, 3));
        check({.sigma = 4, .range = 0.3}, random_image({111, 67, 4, depth}, 4));
        check({.sigma = 40, .range = 1, .radius = 9}, random_image({111, 67, 1, depth}, 5),
              "texture_size:32"); // weights that hardly differ
    }
}

TEST_CASE("bilateral: a tie goes to the even code") {
    // The middle is transparent and has no part in the colour; its neighbours weigh the same.
    Bilateral op{.sigma = 1, .range = 1, .border = BorderMode::mirror};
    for (const WindowMethod method : {WindowMethod::blocks, WindowMethod::direct, WindowMethod::cpu}) {
        op.method = method;
        INFO(name_of(method));
        CHECK_THAT(whole(op, three_pixels({10, 90, 77, 0, 11, 90})).at(1, 0, 0), Catch::Matchers::WithinAbs(10, 0));
        CHECK_THAT(whole(op, three_pixels({11, 90, 77, 0, 12, 90})).at(1, 0, 0), Catch::Matchers::WithinAbs(12, 0));
    }
}

TEST_CASE("bilateral: what is constant or far apart stays as it is") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const Image flat = constant_image({40, 40, 3, depth}, 0.4);
        CHECK_THAT(whole(Bilateral{.sigma = 3}, flat), IsBitwise(flat));
        const Image edges = two_valued_image({45, 33, 3, depth});
        CHECK_THAT(whole(Bilateral{.sigma = 3, .range = 0.05}, edges), IsBitwise(edges));
    }
}

TEST_CASE("bilateral: the colour of transparent pixels does not matter") {
    Image red(Form{24, 24, 4, Depth::u8});
    Image green(red.form());
    for (std::size_t i = 0; i < red.bytes().size(); i += 4) {
        const std::size_t x = i / 4 % 24;
        const std::size_t y = i / 4 / 24;
        const bool is_square = x > 7 && x < 16 && y > 7 && y < 16;
        for (std::size_t c = 0; c < 4; ++c) {
            red.values<std::uint8_t>()[i + c] = is_square || c == 0 ? 255 : 0;
            green.values<std::uint8_t>()[i + c] = is_square || c == 1 ? 255 : 0;
        }
        red.values<std::uint8_t>()[i + 3] = green.values<std::uint8_t>()[i + 3] = is_square ? 60 : 0;
    }
    const Bilateral op{.sigma = 3, .range = 0.9};
    const Image result = whole(op, red);
    CHECK_THAT(whole(op, green), IsBitwise(result));
    CHECK(result.at(7, 12, 3) > 0);
    for (int c = 0; c < 3; ++c) {
        CHECK(result.at(7, 12, c) == 255); // just outside the square
    }
}

TEST_CASE("bilateral: pixels that are not finite stay, and count for no other") {
    Image image = photo_like_image({37, 23, 3, Depth::f32});
    constexpr float infinity = std::numeric_limits<float>::infinity();
    image.values<float>()[3 * (5 * 37 + 7)] = std::numeric_limits<float>::quiet_NaN();
    image.values<float>()[3 * (11 * 37 + 9) + 1] = infinity;
    image.values<float>()[3 * (11 * 37 + 10) + 2] = -infinity;
    const Bilateral op{.sigma = 2, .range = 0.1};
    const Image result = whole(op, image);
    for (int c = 0; c < 3; ++c) {
        CHECK(std::isnan(result.at(7, 5, c)) == (c == 0));
        CHECK(std::isfinite(result.at(8, 5, c)));
        CHECK(std::isfinite(result.at(9, 12, c)));
    }
    CHECK(result.at(9, 11, 1) == infinity);
    CHECK(result.at(10, 11, 2) == -infinity);
    check(op, image);
}

TEST_CASE("bilateral: a disc that shared memory does not hold") {
    check({.sigma = 20, .range = 0.5, .radius = 30}, random_image({45, 37, 4, Depth::f32}, 5), "texture_size:128");
    const ScopedLimits small("shared_bytes:9000", plenty);
    check({.sigma = 4, .range = 0.5}, random_image({45, 37, 3, Depth::u8}, 5));
}

TEST_CASE("bilateral: parameters out of range are refused") {
    const Form form{10, 10, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Bilateral{}, form), Error);
    CHECK_THROWS_AS(plan(Bilateral{.sigma = 41}, form), Error); // a radius of 61
    CHECK_THROWS_AS(plan(Bilateral{.sigma = 2, .range = 1.5}, form), Error);
    CHECK_THROWS_AS(plan(Bilateral{.sigma = 2, .radius = 0}, form), Error);
    CHECK_NOTHROW(plan(Bilateral{.sigma = 41, .radius = 60}, form));
    CHECK_NOTHROW(plan(Bilateral{.sigma = 2, .range = 1.5}, {10, 10, 3, Depth::f32}));
}
