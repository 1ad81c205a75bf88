// Operations made of several steps have the bits of their kernels where the processor makes them.
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/twins.hpp"

#include "glproc/ops/background.hpp"
#include "glproc/ops/denoise.hpp"
#include "glproc/ops/guided.hpp"
#include "glproc/ops/threshold.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

template <class Op>
void check_machines(const Op& op, const Image& image) {
    CHECK(difference_of_machines(plan(op, image.form()), image) == "");
}

template <class E>
std::vector<E> every() {
    std::vector<E> values;
    for (const auto& row : enum_rows<E>) {
        values.push_back(row.value);
    }
    return values;
}

} // namespace

TEST_CASE("backgrounds by every rule, light or dark, of every depth and number of channels") {
    for (const auto& [rule, depth, channels, light, output, radius, content] :
         combinations(every<BackgroundMethod>(), every_depth, std::vector{1, 2, 3, 4}, std::vector{false, true}, every<BackgroundOutput>(),
                      std::vector{1, 7, 40}, std::vector{Content::unit, Content::any_bits})) {
        const Image image = picture_of({61, 47, channels, depth}, content, 3);
        INFO(describe(image) << " " << name_of(rule) << " radius " << radius << (light ? " light " : " ") << name_of(output));
        check_machines(Background{.radius = radius, .by = rule, .light = light, .output = output}, image);
    }
}

TEST_CASE("local thresholds by every rule, border, depth and number of channels") {
    for (const auto& [rule, border, depth, channels, radius, content] :
         combinations(every<LocalRule>(), all_borders(), every_depth, std::vector{1, 2, 3, 4}, std::vector{1, 3, 15, 40},
                      std::vector{Content::unit, Content::any_bits})) {
        const Image image = picture_of({61, 47, channels, depth}, content, 3);
        INFO(describe(image) << " " << name_of(rule) << " radius " << radius << " " << name_of(border.mode));
        check_machines(Threshold{.local = rule, .radius = radius, .border = border}, image);
    }
}

TEST_CASE("guided filters with and without a guide, of every border, depth and number of channels") {
    const std::vector<Border> borders{BorderMode::clamp, BorderMode::mirror, BorderMode::symmetric, BorderMode::wrap};
    for (const auto& [border, depth, channels, radius, eps, is_guided, content] :
         combinations(borders, every_depth, std::vector{1, 2, 3, 4}, std::vector{1, 4, 15, 40}, std::vector{1e-4, 0.02}, std::vector{false, true},
                      std::vector{Content::unit, Content::any_bits})) {
        const Image image = picture_of({61, 47, channels, depth}, content, 3);
        Guided op{.radius = radius, .eps = eps, .border = border};
        if (is_guided) {
            op.with.image = std::make_shared<const Image>(picture_of({61, 47, 3, Depth::u8}, Content::unit, 8));
        }
        INFO(describe(image) << " radius " << radius << " eps " << eps << " " << name_of(border.mode) << (is_guided ? " guided" : ""));
        check_machines(op, image);
    }
}

TEST_CASE("non-local means of every depth and number of channels") {
    for (const auto& [depth, channels, patch, search, noise, content] :
         combinations(every_depth, std::vector{1, 2, 3, 4}, std::vector{1, 2, 3}, std::vector{1, 4, 10}, std::vector{0.0, 0.05},
                      std::vector{Content::unit, Content::any_bits})) {
        const Image image = picture_of({61, 47, channels, depth}, content, 3);
        INFO(describe(image) << " patch " << patch << " search " << search);
        check_machines(Denoise{.strength = 0.1, .noise = noise, .patch = patch, .search = search}, image);
    }
}
