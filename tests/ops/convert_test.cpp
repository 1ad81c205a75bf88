#include "glproc/ops/convert.hpp"

#include "support/operation_cases.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

using Kind = AlphaChange::Kind;

/// number / by in whole numbers, to the nearest, half to even.
std::uint64_t rounded(std::uint64_t number, std::uint64_t by) {
    const std::uint64_t below = number / by;
    const std::uint64_t twice_rest = 2 * (number % by);
    return below + (twice_rest > by || (twice_rest == by && below % 2 == 1) ? 1 : 0);
}

/// Integer codes on a background, if there is one, and then as luma, rounded after each.
Image converted(const Image& image, int channels, const Colour* background, bool gray) {
    Image result(image.width(), image.height(), channels, image.depth());
    const auto full = static_cast<std::uint64_t>(max_code(image.depth()));
    const bool keeps_alpha = image.has_alpha() && background == nullptr;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto code = [&](int c) { return static_cast<std::uint64_t>(image.at(x, y, c)); };
            const auto alpha = image.has_alpha() ? code(image.channels() - 1) : full;
            std::array<std::uint64_t, 3> v{};
            for (int c = 0; c < 3; ++c) {
                const auto i = static_cast<std::size_t>(c);
                v[i] = code(image.channels() < 3 ? 0 : c);
                if (background != nullptr && image.has_alpha()) {
                    const std::array<double, 3> colour{background->red, background->green, background->blue};
                    const auto behind =
                        static_cast<std::uint64_t>(std::nearbyint(colour[i] * static_cast<double>(full)));
                    v[i] = rounded(v[i] * alpha + behind * (full - alpha), full);
                }
            }
            if (gray) {
                v.fill(rounded(2126 * v[0] + 7152 * v[1] + 722 * v[2], 10000));
            }
            for (int c = 0; c < channels; ++c) {
                const bool is_alpha = keeps_alpha && c == channels - 1;
                const std::uint64_t value = is_alpha ? alpha : v[static_cast<std::size_t>(c)];
                set_value(result, x, y, c, static_cast<double>(value) / static_cast<double>(full));
            }
        }
    }
    return result;
}

} // namespace

TEST_CASE("convert without anything to do changes nothing") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = random_image(shape, 81, FloatRange::wide);
            CHECK_THAT(whole(Convert{}, image), IsBitwise(image));
        }
    }
}

TEST_CASE("convert adds and drops alpha, and keeps all else") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = random_image(shape, 82, FloatRange::wide);
            const int opaque = image.has_alpha() ? shape.channels - 1 : shape.channels;
            const auto same = [](const auto& v) { return v; };
            check_operation(Convert{.alpha = {Kind::drop}}, image,
                            point_reference(image, opaque, shape.depth, same));
            check_operation(Convert{.alpha = {Kind::add}}, image,
                            point_reference(image, opaque + 1, shape.depth, same));
        }
    }
}

TEST_CASE("convert of integers to grey and onto a background rounds exactly") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            if (shape.depth == Depth::f32) {
                continue; // below
            }
            const Image image = random_image(shape, 83);
            const bool grey = shape.channels < 3;
            const Colour colour = grey ? Colour{0.3, 0.3, 0.3} : Colour{0.9, 0.35, 0.1};
            const int opaque = image.has_alpha() ? shape.channels - 1 : shape.channels;
            for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
                CHECK_THAT(
                    whole(Convert{.gray = true, .method = method}, image),
                    IsBitwise(converted(image, grey ? shape.channels : shape.channels - 2, nullptr, true)));
                CHECK_THAT(whole(Convert{.alpha = {Kind::flatten, colour}, .method = method}, image),
                           IsBitwise(converted(image, opaque, &colour, false)));
                CHECK_THAT(
                    whole(Convert{.gray = true, .alpha = {Kind::flatten, colour}, .method = method}, image),
                    IsBitwise(converted(image, 1, &colour, true)));
            }
        }
    }
}

TEST_CASE("convert of floats onto a background, and to grey") {
    for (int channels = 1; channels <= 4; ++channels) {
        const Image image = random_image({61, 47, channels, Depth::f32}, 84, FloatRange::wide);
        const bool grey = channels < 3;
        const Colour colour = grey ? Colour{0.3, 0.3, 0.3} : Colour{0.9, 0.35, 0.1};
        const std::array<double, 3> behind{colour.red, colour.green, colour.blue};
        const auto answer = point_reference(image, 1, Depth::f32, [&](const auto& v) {
            std::array<double, 3> c{};
            for (std::size_t i = 0; i < 3; ++i) {
                c[i] = v[i] * v[3] + behind[i] * (1 - v[3]);
            }
            const double luma = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
            return std::array{luma, luma, luma, 1.0};
        });
        check_operation(Convert{.gray = true, .alpha = {Kind::flatten, colour}}, image, answer);
    }
}

TEST_CASE("convert refuses a colour behind a picture in grey") {
    CHECK_THROWS_AS(plan(Convert{.alpha = {Kind::flatten, {1, 0, 0}}}, Form{4, 4, 2, Depth::u8}), Error);
    CHECK_NOTHROW(plan(Convert{.alpha = {Kind::flatten, {1, 0, 0}}}, Form{4, 4, 1, Depth::u8}));
}
