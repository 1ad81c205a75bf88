// Blurs by the processor alone have the bits that the kernels give.
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"
#include "support/twins.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/unsharp.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

std::string size_of(const Blur& op) {
    return fmt::format("sigma {},{}", op.sigma.x, op.sigma.y);
}

std::string size_of(const Box& op) {
    return fmt::format("radius {},{}", op.radius.x, op.radius.y);
}

std::string size_of(const Unsharp& op) {
    return fmt::format("sigma {},{}, sharpened", op.sigma.x, op.sigma.y);
}

template <class Op>
void check_same_bits(const Op& op, const Image& image) {
    INFO(describe(image) << ", " << size_of(op) << ", " << name_of(op.border.mode) << ", " << name_of(op.alpha)
                         << (op.linear ? ", linear" : ""));
    CHECK(difference_of_machines(glproc::plan(op, image.form()), image) == "");
}

/// By so many threads as by one.
template <class Op>
void check_threads(const Op& op, const Image& image) {
    const Plan plan = glproc::plan(op, image.form());
    limit_threads(1);
    const Image expected = image_by_processor(plan, image);
    limit_threads(3);
    CHECK_THAT(image_by_processor(plan, image), IsBitwise(expected));
    limit_threads(0);
}



} // namespace

TEST_CASE("every border, depth, number of channels and way of alpha, at radii that are exact") {
    const std::vector<PerAxis<double>> sigmas{0.4, 1, 2, 3.9, {0, 2}, {3, 0}};
    const std::vector<PerAxis<int>> radii{1, 4, 11, {0, 3}, {20, 1}};
    for (const auto& [border, depth, channels, alpha, sigma, radius] :
         combinations(all_borders(), std::vector{Depth::u8, Depth::u16}, std::vector{1, 2, 3, 4}, every_alpha, sigmas, radii)) {
        const Image image = random_image({61, 47, channels, depth}, channels);
        check_same_bits(Blur{.sigma = sigma, .border = border, .alpha = alpha}, image);
        check_same_bits(Box{.radius = radius, .border = border, .alpha = alpha}, image);
    }
}

TEST_CASE("wide blurs of 16 bits, whose sums are made in parts") {
    check_same_bits(Blur{.sigma = 11, .truncate = 3}, random_image({83, 71, 4, Depth::u16}, 6)); // no whole Gaussian, so exact
    check_same_bits(Box{.radius = 30, .alpha = AlphaMode::straight}, random_image({83, 71, 4, Depth::u16}, 7));
}

TEST_CASE("lines, and pictures of several batches of rows") {
    check_same_bits(Blur{.sigma = 1}, random_image({5, 2000, 3, Depth::u8}, 2)); // a fifth of a register
    check_threads(Blur{.sigma = 2}, photo_like_image({811, 1507, 3, Depth::u8}, 3));
    check_threads(Blur{.sigma = 12}, photo_like_image({811, 1507, 4, Depth::u8}, 3));
    check_threads(Box{.radius = 14}, random_image({811, 307, 4, Depth::f32}, 3));
    check_same_bits(Blur{.sigma = 2}, photo_like_image({811, 1507, 3, Depth::u8}, 3));
    check_same_bits(Blur{.sigma = 2}, photo_like_image({3001, 9, 1, Depth::u8}, 4));
    check_same_bits(Blur{.sigma = 0.5}, random_image({3, 3, 1, Depth::u8}, 5));
}

TEST_CASE("floats of every border, alpha mode and number of channels, with values that are not finite") {
    const std::vector<NanMode> nans{NanMode::skip, NanMode::propagate};
    for (const auto& [border, channels, alpha, sigma, nan, content] :
         combinations(all_borders(), std::vector{1, 2, 3, 4}, every_alpha, std::vector<PerAxis<double>>{1, {0, 2}, {3, 0.6}}, nans, every_content)) {
        const Image image = picture_of({61, 47, channels, Depth::f32}, content, 7);
        check_same_bits(Blur{.sigma = sigma, .border = border, .alpha = alpha, .nan = nan}, image);
        check_same_bits(Box{.radius = 3, .border = border, .alpha = alpha, .nan = nan}, image);
    }
    check_same_bits(Blur{.sigma = 11, .truncate = 3}, picture_of({83, 71, 4, Depth::f32}, Content::any_bits, 6)); // in parts
}

TEST_CASE("sharpening of every depth, in codes and in linear light") {
    const std::vector<PerAxis<double>> sigmas{1, {2, 0.5}, 9};
    for (const auto& [border, depth, channels, alpha, sigma, linear] :
         combinations(all_borders(), every_depth, std::vector{1, 2, 3, 4}, every_alpha, sigmas, std::vector{false, true})) {
        const Image image = random_image({67, 53, channels, depth}, channels, FloatRange::wide);
        check_same_bits(Unsharp{.sigma = sigma, .amount = 1.7, .threshold = 0.02, .border = border, .alpha = alpha, .linear = linear}, image);
    }
}

TEST_CASE("linear light of codes") {
    for (const auto& [border, depth, channels, alpha] :
         combinations(all_borders(), std::vector{Depth::u8, Depth::u16}, std::vector{1, 2, 3, 4}, every_alpha)) {
        const Image image = random_image({61, 47, channels, depth}, channels);
        check_same_bits(Blur{.sigma = 2, .border = border, .alpha = alpha, .linear = true}, image);
        check_same_bits(Box{.radius = 5, .border = border, .alpha = alpha, .linear = true}, image);
    }
}

TEST_CASE("fast Gaussians, on one and on several levels") {
    const std::vector<PerAxis<double>> sigmas{4, {7.3, 5}, {30, 1}, {0, 11}, 60};
    for (const auto& [border, depth, channels, alpha, sigma] :
         combinations(all_borders(), every_depth, std::vector{1, 2, 3, 4}, every_alpha, sigmas)) {
        const Image image = random_image({307, 211, channels, depth}, channels, FloatRange::wide);
        check_same_bits(Blur{.sigma = sigma, .border = border, .alpha = alpha}, image);
    }
    check_same_bits(Blur{.sigma = 8}, picture_of({307, 211, 4, Depth::f32}, Content::any_bits, 6));
    check_same_bits(Blur{.sigma = 200}, random_image({64, 64, 4, Depth::f32}, 6)); // with fewer samples than their blur reaches
    check_same_bits(Blur{.sigma = 200}, random_image({64, 64, 3, Depth::u8}, 6));
    check_same_bits(Blur{.sigma = 8, .linear = true}, random_image({307, 211, 4, Depth::u8}, 6));
}

TEST_CASE("wide boxes of floats") {
    const std::vector<PerAxis<int>> radii{13, {20, 31}, {0, 40}, {16, 0}, 140};
    for (const auto& [border, channels, alpha, radius] :
         combinations(all_borders(), std::vector{1, 2, 3, 4}, every_alpha, radii)) {
        const Image image = random_image({307, 211, channels, Depth::f32}, channels, FloatRange::wide);
        check_same_bits(Box{.radius = radius, .border = border, .alpha = alpha}, image);
    }
    check_same_bits(Box{.radius = 20}, picture_of({307, 211, 4, Depth::f32}, Content::any_bits, 6));
    check_same_bits(Box{.radius = 20, .nan = NanMode::propagate}, picture_of({307, 211, 3, Depth::f32}, Content::any_bits, 6));
}

TEST_CASE("radii beyond the picture") {
    for (const auto& [border, depth, channels, alpha] :
         combinations(all_borders(), every_depth, std::vector{1, 2, 3, 4}, every_alpha)) {
        for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {7, 5}}) {
            const Image image = random_image({width, height, channels, depth}, channels, FloatRange::wide);
            check_same_bits(Blur{.sigma = 5, .border = border, .alpha = alpha}, image);
            check_same_bits(Box{.radius = {23, 40}, .border = border, .alpha = alpha}, image);
        }
    }
}

TEST_CASE("the processor takes what names no kernel") {
    const auto alone = [](const auto& op, const Form& form) { return needs_no_device(plan(op, form)); };
    const Form photo{610, 470, 3, Depth::u8};
    CHECK(alone(Blur{.sigma = 20, .method = FilterMethod::cpu}, photo));
    CHECK_FALSE(alone(Blur{.sigma = 2, .method = FilterMethod::direct}, photo));
    CHECK_FALSE(alone(Blur{.sigma = 20, .method = FilterMethod::fast}, photo));
    const Form large{20000, 20000, 3, Depth::u8};
    CHECK(plan(Box{.radius = 1000}, large).twin.holds_picture); // as sums
    CHECK(plan(Blur{.sigma = 20}, large).twin.holds_picture);
    CHECK_FALSE(plan(Box{.radius = 3}, large).twin.holds_picture);
    CHECK_FALSE(plan(Unsharp{.sigma = 1}, large).twin.holds_picture);
}
