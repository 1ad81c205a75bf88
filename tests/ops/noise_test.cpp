#include "glproc/ops/noise.hpp"

#include "glproc/kinds/chain.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/crop.hpp"
#include "glproc/ops/invert.hpp"
#include "support/operation_cases.hpp"
#include "support/philox.hpp"

#include <cmath>
#include <complex>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::array<std::uint32_t, 4>;

double share(std::uint32_t bits) {
    return (bits % 8388608 + 0.5) / 8388608;
}

std::array<double, 3> noise_at(const Noise& op, int x, int y) {
    const Words words = philox({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0},
                               {static_cast<std::uint32_t>(op.seed), 0});
    std::array<double, 3> noise{};
    const auto pair = [&](std::size_t i) {
        const double turns = (words[i + 1] / 1073741824 + share(words[i + 1] / 128)) / 4;
        return std::polar(std::sqrt(-2 * std::log(share(words[i] / 512))), 2 * std::acos(-1.0) * turns);
    };
    for (std::size_t c = 0; c < 3; ++c) {
        const double uniform = (2 * share(words[c] / 512) - 1) * std::sqrt(3.0);
        const double gaussian = c == 1 ? pair(0).imag() : pair(c).real();
        noise[c] = op.kind == NoiseKind::uniform ? uniform : gaussian;
    }
    return op.mono ? std::array{noise[0], noise[0], noise[0]} : noise;
}

Reference answer_to(const Image& image, const Noise& op) {
    Reference answer = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels() - (image.has_alpha() ? 1 : 0); ++c) {
                answer.at(x, y, c) += op.sigma.value * noise_at(op, x, y)[static_cast<std::size_t>(c)] *
                                      max_code(image.depth());
            }
        }
    }
    return answer;
}

} // namespace

TEST_CASE("noise: random words are those of the published generator") {
    // Vectors of Random123, the authors' library.
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
          Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("noise adds to each colour what its place and the seed give") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{67, 53}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const Noise& op :
                 {Noise{}, Noise{.sigma = 0.2, .kind = NoiseKind::uniform, .seed = 2147483647},
                  Noise{.sigma = 0.1, .mono = true, .seed = 65536}}) {
                const Image image = photo_like_image(shape);
                check_operation(op, image, answer_to(image, op));
            }
        }
    }
}

TEST_CASE("noise has the deviation that was asked for, and no mean") {
    for (const NoiseKind kind : {NoiseKind::gaussian, NoiseKind::uniform}) {
        const Image noisy = whole(Noise{.sigma = 0.1, .kind = kind, .seed = 3},
                                  constant_image({301, 211, 3, Depth::f32}, 0.5));
        double sum = 0;
        double squares = 0;
        double most = 0;
        for (const float value : noisy.values<float>()) {
            sum += value - 0.5;
            squares += (value - 0.5) * (value - 0.5);
            most = std::max(most, std::abs(value - 0.5));
        }
        const double count = static_cast<double>(noisy.values<float>().size());
        CHECK_THAT(sum / count, Catch::Matchers::WithinAbs(0, 0.001));
        CHECK_THAT(std::sqrt(squares / count), Catch::Matchers::WithinAbs(0.1, 0.001));
        CHECK(most > (kind == NoiseKind::gaussian ? 0.4 : 0.17));
        CHECK(most < (kind == NoiseKind::gaussian ? 0.58 : 0.1733));
    }
}

TEST_CASE("noise keeps to its places in chains and in their tiles") {
    const Image image = photo_like_image({83, 61, 3, Depth::u8});
    const Chain chain(Invert{}, Noise{.sigma = 0.1}, Crop{.rect = Rect{5, 9, 70, 50}},
                      Noise{.sigma = 0.1, .seed = 1}, Blur{.sigma = 1}, Noise{.sigma = 0.05});
    const Image inverted = whole(Noise{.sigma = 0.1}, whole(Invert{}, image));
    const Image cropped =
        whole(Noise{.sigma = 0.1, .seed = 1}, whole(Crop{.rect = Rect{5, 9, 70, 50}}, inverted));
    const Image expected = whole(Noise{.sigma = 0.05}, whole(Blur{.sigma = 1}, cropped));
    CHECK_THAT(whole(chain, image), IsBitwise(expected));
    const ScopedLimits small("texture_size:16", plenty);
    ImageRows rows(expected.form());
    chain(gpu(), rows_of(image), rows);
    rows.finish();
    CHECK_THAT(rows.image(), IsBitwise(expected));
}

TEST_CASE("noise: what is missing stays missing") {
    Image image = constant_image({3, 1, 1, Depth::f32}, 0.5);
    image.values<float>()[1] = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(whole(Noise{}, image).at(1, 0, 0)));
    CHECK(std::isfinite(whole(Noise{}, image).at(2, 0, 0)));
}

TEST_CASE("noise: parameters out of range are refused") {
    CHECK_THROWS_AS(plan(Noise{.sigma = 1.5}, {10, 10, 3, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Noise{.sigma = -0.1}, {10, 10, 3, Depth::f32}), Error);
    CHECK_THROWS_AS(plan(Noise{.seed = -1}, {10, 10, 3, Depth::u8}), Error);
}
