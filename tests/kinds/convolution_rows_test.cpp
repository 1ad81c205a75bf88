// Convolutions by the processor have the bits that the kernels give.
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/twins.hpp"

#include "glproc/ops/convolve.hpp"
#include "glproc/ops/laplacian.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {


/// So many columns and rows of numbers that are neither whole nor alike, some of them 0.
std::vector<double> numbers(int width, int height) {
    std::vector<double> result;
    for (int i = 0; i < width * height; ++i) {
        result.push_back(i % 5 == 3 ? 0 : hash_01(9, static_cast<std::uint32_t>(i)) * 2 - 0.7);
    }
    return result;
}

Kernel kernel_of(int width, int height) {
    return {width, height, numbers(width, height)};
}

} // namespace

TEST_CASE("kernels of every border, depth, alpha mode and number of channels, at once and as a product") {
    for (const auto& [border, depth, channels, alpha, size, content] :
         combinations(all_borders(), every_depth, std::vector{1, 2, 3, 4}, every_alpha, std::vector<std::pair<int, int>>{{4, 3}, {9, 2}, {1, 12}, {13, 13}},
                      std::vector{Content::unit, Content::any_bits})) {
        Convolve op{.kernel = kernel_of(size.first, size.second)};
        op.border = border;
        op.alpha = alpha;
        op.offset = 0.1;
        const Image image = picture_of({61, 47, channels, depth}, content, 3);
        INFO(describe(image) << " kernel " << size.first << "x" << size.second << " " << name_of(border.mode) << " " << name_of(alpha));
        CHECK(difference_of_machines(plan(op, image.form()), image) == "");
    }
}

TEST_CASE("the Laplacian of a Gaussian, a sum of two products") {
    for (const auto& [border, depth, channels, sigma] :
         combinations(all_borders(), every_depth, std::vector{1, 2, 3, 4}, std::vector{0.6, 1.5, 3.0, 6.0})) {
        const Image image = picture_of({61, 47, channels, depth}, Content::unit, 3);
        INFO(describe(image) << " sigma " << sigma << " " << name_of(border.mode));
        CHECK(difference_of_machines(plan(Laplacian{.sigma = sigma, .border = border}, image.form()), image) == "");
    }
}
