// Turned and bent pictures have the bits of the kernels where the processor makes them.
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/twins.hpp"

#include "glproc/kinds/gather/plan.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<ResampleFilter> mapped_filters{ResampleFilter::nearest, ResampleFilter::linear, ResampleFilter::cubic, ResampleFilter::lanczos3};

/// A turn by a few degrees about a point beside the middle, that shrinks the picture where a pixel has several samples.
Affine turn(int samples) {
    const double step = samples > 1 ? 0.8 : 1.1;
    Affine affine{.origin = {-3.3, 11.7}, .right = {step * 0.94, -0.31 * step}, .down = {0.27 * step, step}};
    affine.samples = samples;
    return affine;
}

void check(const Affine& affine, const Image& image) {
    INFO(describe(image) << " " << name_of(affine.filter) << " " << name_of(affine.border.mode) << " " << name_of(affine.alpha)
                         << " samples " << affine.samples);
    CHECK(difference_of_machines(affine_plan(image.form(), 71, 53, affine, "turned", GatherMethod::automatic), image) == "");
}

} // namespace

TEST_CASE("affine maps of every filter, border, depth, alpha mode and number of channels") {
    for (const auto& [filter, border, depth, channels, alpha, samples, content] :
         combinations(mapped_filters, all_borders(), every_depth, std::vector{1, 2, 3, 4}, every_alpha, std::vector{1, 3},
                      every_content)) {
        Affine affine = turn(filter == ResampleFilter::nearest ? 1 : samples);
        affine.filter = filter;
        affine.border = border;
        affine.alpha = alpha;
        check(affine, picture_of({61, 47, channels, depth}, content, 3));
    }
}

TEST_CASE("perspectives and other maps") {
    for (const auto& [filter, border, depth, channels, samples, is_bent] :
         combinations(mapped_filters, all_borders(), every_depth, std::vector{1, 2, 3, 4}, std::vector{1, 2}, std::vector{false, true})) {
        Affine affine = turn(filter == ResampleFilter::nearest ? 1 : samples);
        affine.filter = filter;
        affine.border = border;
        affine.depth = {1, 0.004, 0.002};
        const Form form{61, 47, channels, depth};
        if (is_bent) {
            const auto bent = [](int x, int y, std::span<Double2> points) {
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const double column = x + static_cast<double>(i);
                    points[i] = {column * 0.9 + y * y * 0.01 - 3, y * 1.1 - column * 0.2};
                }
            };
            affine.map = std::make_shared<const PointMap>(bent, form, border.mode, Int2{71 * affine.samples, 53 * affine.samples});
        }
        check(affine, picture_of(form, Content::unit, 3));
    }
}
