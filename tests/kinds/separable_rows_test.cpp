// Blurs by the processor alone have the bits that the kernels give.
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

void check_same_bits(const Blur& op, const Image& image) {
    INFO(fmt::format("{}x{} of {} channels, sigma {},{}, {}", image.width(), image.height(), image.channels(), op.sigma.x,
                     op.sigma.y, name_of(op.border.mode)));
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

TEST_CASE("every border that is near, number of channels and radius that is exact") {
    for (const BorderMode mode : {BorderMode::clamp, BorderMode::mirror, BorderMode::symmetric}) {
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = random_image({61, 47, channels, Depth::u8}, channels);
            for (const PerAxis<double> sigma : {PerAxis<double>(0.4), {1, 1}, {2, 2}, {3.9, 3.9}, {0, 2}, {3, 0}}) {
                check_same_bits({.sigma = sigma, .border = Border(mode), .alpha = AlphaMode::straight}, image);
            }
        }
    }
}

TEST_CASE("lines, and pictures of several batches of rows") {
    check_same_bits({.sigma = 1}, random_image({5, 2000, 3, Depth::u8}, 2)); // a fifth of a register
    check_same_bits({.sigma = 2}, photo_like_image({811, 1507, 3, Depth::u8}, 3));
    check_same_bits({.sigma = 2}, photo_like_image({3001, 9, 1, Depth::u8}, 4));
    check_same_bits({.sigma = 0.5}, random_image({3, 3, 1, Depth::u8}, 5));
}

TEST_CASE("what would have other bits, or needs rows that have gone, is for the device") {
    const auto has = [](const auto& op, const Form& form) { return static_cast<bool>(plan(op, form).by_processor); };
    const Form photo{610, 470, 3, Depth::u8};
    CHECK(has(Blur{.sigma = 2}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2}, {610, 470, 3, Depth::u16}));
    CHECK_FALSE(has(Blur{.sigma = 2}, {610, 470, 3, Depth::f32}));
    CHECK_FALSE(has(Blur{.sigma = 2}, {610, 470, 4, Depth::u8})); // weighted by alpha
    CHECK_FALSE(has(Blur{.sigma = 20}, photo));                   // fast
    CHECK_FALSE(has(Blur{.sigma = 2, .linear = true}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2, .border = Border(BorderMode::wrap)}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2, .border = Border(BorderMode::constant)}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2, .method = FilterMethod::direct}, photo));
    CHECK_FALSE(has(Blur{.sigma = 2}, {610, 7, 3, Depth::u8})); // lower than the radius
    CHECK_FALSE(has(Box{.radius = 2}, photo));
    CHECK_FALSE(has(Unsharp{.sigma = 2}, photo));
}
