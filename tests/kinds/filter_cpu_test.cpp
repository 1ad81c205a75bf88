// Filters on the CPU: the library's reference against the one of the tests. No GPU.
#include "glproc/kinds/separable/cpu.hpp"

#include "glproc/ops/blur.hpp"
#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/reference.hpp"

#include <array>
#include <numeric>

using namespace glproc;
using namespace glproc::test;

namespace {

SeparableFilter gaussian(const PerAxis<double>& sigma, const PerAxis<int>& radius) {
    return {.name = "blur",
            .radius = radius,
            .taps_x = gaussian_taps(sigma.x, radius.x),
            .taps_y = gaussian_taps(sigma.y, radius.y)};
}

std::vector<int> all_rows(const Image& image) {
    std::vector<int> rows(static_cast<std::size_t>(image.height()));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

/// Every value of the filtered image, unrounded, against the answer.
void check(const Image& image, const SeparableFilter& filter, const Reference& answer) {
    INFO(describe(image) << " border " << FieldText<Border>::print(filter.border) << " alpha "
                         << name_of(filter.alpha) << " radius " << filter.radius.x << "," << filter.radius.y);
    const std::vector<double> got = filter_rows_on_cpu(image, filter, all_rows(image));
    REQUIRE(got.size() == answer.values.size());
    double worst = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        worst = std::max(worst, std::abs(got[i] - answer.values[i]));
    }
    CHECK(worst <= 1e-11 * answer.full_scale);
    CHECK_THAT(filter_on_cpu(image, filter), Matches(answer));
}

} // namespace

TEST_CASE("filter_cpu: every border, alpha mode, depth and channel count") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = random_image({13, 7, channels, depth}, 61, FloatRange::wide);
            for (const Border& border : all_borders()) {
                for (const AlphaMode alpha : alpha_modes(channels)) {
                    SeparableFilter filter = gaussian({1.5, 0.8}, {5, 3});
                    filter.border = border;
                    filter.alpha = alpha;
                    check(image, filter,
                          test::filter(image, gaussian_weights(1.5, 5), gaussian_weights(0.8, 3), border,
                                       alpha));
                    const SeparableFilter box{
                        .name = "box", .radius = {2, 4}, .border = border, .alpha = alpha};
                    check(image, box, test::filter(image, box_weights(2), box_weights(4), border, alpha));
                }
            }
        }
    }
}

TEST_CASE("filter_cpu: single rows, columns and pixels under radii larger than they are") {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 3}}) {
        const Image image = random_image({width, height, 4, Depth::u8}, 62);
        for (const Border& border : all_borders()) {
            const SeparableFilter box{.name = "box", .radius = {23, 40}, .border = border};
            check(image, box,
                  test::filter(image, box_weights(23), box_weights(40), border, AlphaMode::premultiply));
        }
    }
}

TEST_CASE("filter_cpu: chosen rows are those of the whole, in the order asked for") {
    const Image image = random_image({31, 50, 3, Depth::u8}, 63);
    const SeparableFilter filter = gaussian(2, 8);
    const std::vector<double> whole = filter_rows_on_cpu(image, filter, all_rows(image));
    const std::array rows{49, 0, 17, 17};
    const std::vector<double> some = filter_rows_on_cpu(image, filter, rows);
    REQUIRE(some.size() == rows.size() * 93);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto first = whole.begin() + rows[i] * 93;
        CHECK(std::equal(first, first + 93, some.begin() + static_cast<std::ptrdiff_t>(i * 93)));
    }
    CHECK(filter_rows_on_cpu(image, filter, {}).empty());
}
