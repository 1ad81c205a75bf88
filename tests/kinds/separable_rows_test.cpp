// Blurs by the processor alone have the bits that the kernels give.
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"

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

template <class Op>
void check_same_bits(const Op& op, const Image& image) {
    INFO(describe(image) << ", " << size_of(op) << ", " << name_of(op.border.mode) << ", " << name_of(op.alpha));
    const Plan plan = glproc::plan(op, image.form());
    REQUIRE(plan.by_processor);
    const Image expected = whole(op, image);
    for (const std::size_t threads : {1U, 3U}) {
        limit_threads(threads);
        ImageRows rows(plan.result);
        plan.by_processor(*rows_of(image).open(), rows);
        rows.finish();
        limit_threads(0);
        CHECK_THAT(rows.image(), IsBitwise(expected));
    }
}

} // namespace

TEST_CASE("every border, depth, number of channels and way of alpha, at radii that are exact") {
    const std::vector<PerAxis<double>> sigmas{0.4, 1, 2, 3.9, {0, 2}, {3, 0}};
    const std::vector<PerAxis<int>> radii{1, 4, 11, {0, 3}, {20, 1}};
    const std::vector<AlphaMode> alphas{AlphaMode::premultiply, AlphaMode::straight, AlphaMode::ignore};
    for (const auto& [border, depth, channels, alpha, sigma, radius] :
         combinations(all_borders(), std::vector{Depth::u8, Depth::u16}, std::vector{1, 2, 3, 4}, alphas, sigmas, radii)) {
        const Image image = random_image({61, 47, channels, depth}, channels);
        check_same_bits(Blur{.sigma = sigma, .border = border, .alpha = alpha}, image);
        if (depth == Depth::u8 || !image.has_alpha() || alpha != AlphaMode::premultiply) { // else sums have more than 32 bits
            check_same_bits(Box{.radius = radius, .border = border, .alpha = alpha}, image);
        }
    }
}

TEST_CASE("wide blurs of 16 bits, whose sums are made in parts") {
    check_same_bits(Blur{.sigma = 11, .truncate = 3}, random_image({83, 71, 4, Depth::u16}, 6)); // no whole Gaussian, so exact
    check_same_bits(Box{.radius = 30, .alpha = AlphaMode::straight}, random_image({83, 71, 4, Depth::u16}, 7));
}

TEST_CASE("lines, and pictures of several batches of rows") {
    check_same_bits(Blur{.sigma = 1}, random_image({5, 2000, 3, Depth::u8}, 2)); // a fifth of a register
    check_same_bits(Blur{.sigma = 2}, photo_like_image({811, 1507, 3, Depth::u8}, 3));
    check_same_bits(Blur{.sigma = 2}, photo_like_image({3001, 9, 1, Depth::u8}, 4));
    check_same_bits(Blur{.sigma = 0.5}, random_image({3, 3, 1, Depth::u8}, 5));
}

TEST_CASE("what would have other bits, is for the device") {
    const auto has = [](const auto& op, const Form& form) { return static_cast<bool>(plan(op, form).by_processor); };
    const Form photo{610, 470, 3, Depth::u8};
    CHECK(has(Blur{.sigma = 2}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2}, {610, 470, 3, Depth::f32}));
    CHECK_FALSE(has(Blur{.sigma = 20}, photo)); // fast
    CHECK_FALSE(has(Blur{.sigma = 2, .linear = true}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2, .method = FilterMethod::direct}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2}, {610, 7, 3, Depth::u8})); // lower than the radius
    CHECK(has(Box{.radius = 2}, photo));
    CHECK_FALSE(has(Box{.radius = 2}, {610, 470, 3, Depth::f32}));
    CHECK_FALSE(has(Unsharp{.sigma = 2}, photo));
    const Form large{20000, 20000, 3, Depth::u8}; // wide boxes would keep most of it as sums
    CHECK(plan(Box{.radius = 1000}, large).holds_picture);
    CHECK_FALSE(plan(Box{.radius = 3}, large).holds_picture);
}
