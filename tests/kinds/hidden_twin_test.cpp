// Operations that look around pixels which cannot be seen: the processor's bits are those of the kernels.
#include "glproc/ops/background.hpp"
#include "glproc/ops/bilateral.hpp"
#include "glproc/ops/box.hpp"
#include "glproc/ops/canny.hpp"
#include "glproc/ops/clahe.hpp"
#include "glproc/ops/convolve.hpp"
#include "glproc/ops/denoise.hpp"
#include "glproc/ops/distance.hpp"
#include "glproc/ops/guided.hpp"
#include "glproc/ops/laplacian.hpp"
#include "glproc/ops/local.hpp"
#include "glproc/ops/median.hpp"
#include "glproc/ops/morphology.hpp"
#include "glproc/ops/skeleton.hpp"
#include "glproc/ops/watershed.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/hidden.hpp"
#include "support/matchers.hpp"
#include "support/twins.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Case {
    std::string name;
    std::function<Plan(const Form&)> plan;
    bool takes_floats = true;
};

template <class Op>
Case case_of(std::string name, const Op& op, bool takes_floats = true) {
    return {std::move(name), [op](const Form& form) { return plan(op, form); }, takes_floats};
}

std::vector<Case> cases_of_backgrounds() {
    std::vector<Case> cases;
    for (const auto& [rule, light, output] :
         combinations(std::vector{BackgroundMethod::paraboloid, BackgroundMethod::tophat,
                                  BackgroundMethod::gauss, BackgroundMethod::median},
                      std::vector{false, true},
                      std::vector{BackgroundOutput::subtracted, BackgroundOutput::background})) {
        cases.push_back(case_of("background by " + std::string(name_of(rule)) + (light ? ", light" : "") +
                                    ", " + std::string(name_of(output)),
                                Background{.radius = 3, .by = rule, .light = light, .output = output}));
    }
    return cases;
}

Guided with_guide() {
    Guided op{.radius = 2, .eps = 0.01, .border = BorderMode::wrap};
    op.with.image =
        std::make_shared<const Image>(with_hidden_pixels(random_image({67, 41, 4, Depth::u8}, 8)));
    return op;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases{
        case_of("laplacian", Laplacian{.sigma = 0.7}),
        case_of("convolve", Convolve{.kernel = Kernel::from_text("0 -1 0; -1 4 -1; 0 -1 0")}),
        case_of("bilateral", Bilateral{.sigma = 1.4, .range = Level{0.2}, .radius = 2}),
        case_of("median", Median{.radius = 1}),
        case_of("median of colours", Median{.radius = {3, 2}, .percentile = 30, .alpha = RankAlpha::ignore}),
        case_of("median of one pixel", Median{.radius = 0}),
        case_of("opening", Morphology{.step = MorphologyStep::open, .radius = 2}),
        case_of("fill", Morphology{.step = MorphologyStep::fill}),
        case_of("canny", Canny{.low = 20, .high = 60}),
        case_of("canny of a blur", Canny{.low = 5, .high = 20, .sigma = 1}),
        case_of("denoise", Denoise{.strength = 0.1, .patch = 1, .search = 3}),
        case_of("guided", Guided{.radius = 4, .eps = 0.02}),
        case_of("guided by a picture", with_guide()),
        case_of("clahe", Clahe{.tiles = {3, 2}}, false),
        case_of("distance", Distance{.threshold = Level(0.5)}),
        case_of("skeleton", Skeleton{}),
        case_of("watershed", Watershed{}),
    };
    for (const LocalMeasure measure :
         {LocalMeasure::mean, LocalMeasure::stddev, LocalMeasure::variance, LocalMeasure::entropy}) {
        cases.push_back(
            case_of("local " + std::string(name_of(measure)), Local{.measure = measure, .radius = 3}));
    }
    const std::vector<Case> backgrounds = cases_of_backgrounds();
    cases.insert(cases.end(), backgrounds.begin(), backgrounds.end());
    return cases;
}

} // namespace

TEST_CASE("twins have the bits of kernels where pixels are hidden") {
    const std::vector<Content> contents{Content::unit, Content::any_bits, Content::denormals};
    for (const auto& [one, depth, channels, content] :
         combinations(all_cases(), every_depth, std::vector{2, 4}, contents)) {
        if (depth == Depth::f32 && !one.takes_floats) {
            continue;
        }
        const Image image = with_hidden_pixels(picture_of({67, 41, channels, depth}, content, 5));
        INFO(one.name << " on " << describe(image) << ", content " << static_cast<int>(content));
        const Plan plan = one.plan(image.form());
        REQUIRE(plan.twin.run);
        CHECK(difference_of_machines(plan, image) == "");
    }
}

TEST_CASE("a mean beside alpha is that of a box where all can be seen") {
    for (const auto& [depth, channels, border] :
         combinations(every_depth, std::vector{2, 4}, all_borders())) {
        Image image = random_image({45, 33, channels, depth}, 9);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                set_value(image, x, y, channels - 1, 0.25 + 0.01 * (x % 50));
            }
        }
        INFO(describe(image) << ", border " << static_cast<int>(border.mode));
        const Image box = whole(Box{.radius = 4, .border = border, .alpha = AlphaMode::ignore}, image);
        const Image mean = whole(Local{.measure = LocalMeasure::mean, .radius = 4, .border = border}, image);
        if (depth == Depth::f32) {
            CHECK_THAT(mean, Matches(reference_of(box)));
        } else {
            CHECK_THAT(mean, IsBitwise(box));
        }
    }
}
