// Twins of point operations: the bits of their kernels, whatever comes in.
#include "glproc/kinds/chain.hpp"
#include "glproc/kinds/hdr.hpp"
#include "glproc/kinds/point_twin.hpp"
#include "glproc/kinds/twin.hpp"
#include "glproc/op/workload.hpp"
#include "glproc/ops/adjust.hpp"
#include "glproc/ops/balance.hpp"
#include "glproc/ops/blend.hpp"
#include "glproc/ops/channels.hpp"
#include "glproc/ops/color.hpp"
#include "glproc/ops/convert.hpp"
#include "glproc/ops/curve.hpp"
#include "glproc/ops/gray.hpp"
#include "glproc/ops/invert.hpp"
#include "glproc/ops/levels.hpp"
#include "glproc/ops/lut.hpp"
#include "glproc/ops/match.hpp"
#include "glproc/ops/matrix.hpp"
#include "glproc/ops/noise.hpp"
#include "glproc/ops/posterize.hpp"
#include "glproc/ops/profile.hpp"
#include "glproc/ops/threshold.hpp"
#include "glproc/ops/vignette.hpp"
#include "support/combinations.hpp"
#include "support/operation_cases.hpp"
#include "support/twins.hpp"

#include <set>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Case {
    std::string name;
    std::function<Plan(const Form&)> plan;
};

template <class Op>
Case case_of(std::string name, const Op& op) {
    return {std::move(name), [op](const Form& form) { return plan(op, form); }};
}

Cube cube_of(bool has_three_axes) {
    Cube cube{.size = 5, .has_three_axes = has_three_axes, .values = {}};
    for (std::uint32_t i = 0; i < (has_three_axes ? 125U : 5U) * 3; ++i) {
        cube.values.push_back(static_cast<float>(hash_01(7, i)));
    }
    return cube;
}

void add_colours(std::vector<Case>& cases) {
    for (const EnumRow<ColourSpace>& from : enum_rows<ColourSpace>) {
        for (const EnumRow<ColourSpace>& to : enum_rows<ColourSpace>) {
            const bool meets_srgb = from.value == ColourSpace::srgb || to.value == ColourSpace::srgb;
            if (meets_srgb || (static_cast<int>(from.value) * 3 + 1) % 9 == static_cast<int>(to.value)) {
                cases.push_back(case_of(fmt::format("color from {} to {}", from.name, to.name),
                                        Color{.to = to.value, .from = from.value, .method = PointMethod::gpu}));
            }
        }
    }
}

/// A second image that ends within the first one, and its mode.
Plan blended(const BlendHow& how, double opacity, const Form& form, bool repeats) {
    const int channels = form.channels < 3 ? 2 : 4;
    Blend op{.mode = how, .opacity = opacity, .at = PerAxis<int>(repeats ? 2 : 5, repeats ? 1 : -1), .repeat = repeats};
    op.with.image = std::make_shared<const Image>(random_image({29, 2, channels, form.depth}, 9));
    return plan(op, form);
}

void add_blends(std::vector<Case>& cases) {
    for (const EnumRow<BlendMode>& row : enum_rows<BlendMode>) {
        const BlendHow how(row.value, {0.5, 0.75, -0.125});
        const double opacity = cases.size() % 3 == 0 ? 0.37 : 1;
        cases.push_back({fmt::format("blend {} at {}", row.name, opacity),
                         [=](const Form& form) { return blended(how, opacity, form, opacity < 1); }});
    }
}

Plan matched(const Form& form) {
    Match op;
    op.with.image = std::make_shared<const Image>(gradient_image({31, 7, form.channels, form.depth}));
    return plan(op, form);
}

std::vector<Case> all_cases() {
    std::vector<Case> cases{
        case_of("invert", Invert{}),
        case_of("adjust exposure", Adjust{.exposure = 0.7, .contrast = 0.2}),
        case_of("adjust all",
                Adjust{.exposure = -1.3, .saturation = 1.5, .hue = 20, .floats = FloatValues::srgb}),
        case_of("adjust modulate", Adjust{.modulate = {120, 150, 80}}),
        case_of("adjust colours", Adjust{.brightness = 0.1, .saturation = 0.4}),
        case_of("gray", Gray{}),
        case_of("gray rec601", Gray{.luma = LumaWeights::rec601}),
        case_of("levels", Levels{.black = 0.1, .white = 0.8, .gamma = 1.7}),
        case_of("levels out", Levels{.gamma = 0.4, .out_black = 0.2, .out_white = 0.9}),
        case_of("levels auto", Levels{.clip = 0.5}),
        case_of("curve", Curve{.points = {{0, 0.1}, {0.3, 0.6}, {1, 0.9}}}),
        case_of("matrix", Matrix{.matrix = {0.2, 0.7, 0.1, 0.3, -0.5, 1, 0.25, 0.5, 0.25}}),
        case_of("lut of one axis", Lut{.cube = cube_of(false)}),
        case_of("lut of three axes", Lut{.cube = cube_of(true)}),
        case_of("threshold", Threshold{.at = 0.4}),
        case_of("threshold otsu", Threshold{.rule = SplitRule::otsu}),
        case_of("threshold otsu:4", Threshold{.rule = ThresholdRule(SplitRule::otsu, 4)}),
        case_of("threshold range",
                Threshold{.range = LevelRange{{Level{0.2}, {0.2}, {0.2}}, {Level{0.6}, {0.6}, {0.6}}}}),
        case_of("noise", Noise{.sigma = 0.1, .seed = 3}),
        case_of("noise uniform", Noise{.sigma = 0.1, .kind = NoiseKind::uniform, .mono = true}),
        case_of("vignette", Vignette{.amount = 0.6, .start = 0.2}),
        case_of("balance by temperature", Balance{.how = {BalanceMethod::temperature, 3200, 4}}),
        case_of("balance by grey", Balance{.how = BalanceMethod::gray_world, .floats = FloatValues::srgb}),
        case_of("channels", Channels{.order = ChannelOrder{"b0r1"}}),
        case_of("stains", Channels{.stains = Stains::of("hed")}),
        case_of("stains as light", Channels{.stains = Stains::of("he"), .output = StainOutput::light}),
        case_of("posterize", Posterize{.levels = 5}),
        case_of("convert to grey", Convert{.gray = true}),
        case_of("convert flat", Convert{.alpha = {AlphaChange::Kind::flatten, {0.5, 0.5, 0.5, 1}}}),
        case_of("convert with alpha", Convert{.alpha = {AlphaChange::Kind::add}}),
        case_of("profile", Profile{.to = IccChoice::Kind::display_p3, .method = ProfileMethod::gpu}),
        case_of("PQ to SDR", ToSdr{.curve = HdrCurve::pq}),
        case_of("HLG to SDR", ToSdr{.curve = HdrCurve::hlg}),
        case_of("wide gamut to SDR", ToSdr{.curve = HdrCurve::power}),
        {"match", &matched},
    };
    add_colours(cases);
    add_blends(cases);
    for (const std::string glsl : {"kinds/light/linear_of_srgb.glsl", "kinds/light/srgb_of_linear.glsl"}) {
        cases.push_back({glsl, [glsl](const Form& form) { return point_plan(form, {.name = "light", .glsl = glsl}); }});
    }
    for (const std::vector<float>& params : {std::vector{0.25F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, {0.5F, 0.0F, 1.0F}}) {
        cases.push_back({"hidden", [params](const Form& form) {
                             return point_plan(form, {.name = "hidden", .glsl = "kinds/hidden.glsl", .params = params, .quick = true});
                         }});
    }
    return cases;
}

/// Nothing where the operation does not take such pictures.
std::optional<Plan> plan_for(const Case& one, const Form& form) {
    try {
        return one.plan(form);
    } catch (const Error& error) {
        REQUIRE(error.code() == ErrorCode::usage);
        return {};
    }
}

} // namespace

TEST_CASE("twins of point operations have the bits of kernels") {
    const std::vector<int> channels{1, 2, 3, 4};
    const std::vector<Content> contents{Content::unit, Content::any_bits, Content::denormals};
    const std::vector<Size> sizes{{131, 23}, {17, 3}, {1, 1}};
    const std::vector<Case> cases = all_cases();
    std::size_t values = 0;
    std::set<std::string> files; // whose twins were used
    for (const auto& [one, depth, count, content, size] : combinations(cases, every_depth, channels, contents, sizes)) {
        const Form form{size.width, size.height, count, depth};
        const std::optional<Plan> planned = plan_for(one, form);
        if (!planned) {
            continue;
        }
        INFO(one.name << " on " << describe(form) << ", content " << static_cast<int>(content));
        REQUIRE((planned->twin.run || planned->look.alone));
        // Blend copies what nothing is laid on, whole texels at a time, with the denormals there.
        const bool copies = one.name.starts_with("blend");
        const Image picture = picture_of(form, content, 11);
        CHECK(difference_of_machines(*planned, copies ? without_denormals(picture) : picture) == "");
        files.insert(planned->work.point ? planned->work.point->glsl : "");
        values += planned->shape.result.bytes() / bytes_of(planned->shape.result.depth);
    }
    CHECK(values > 100000);
    for (const TwinFile<PointTwin>* file : point_twins()) {
        INFO(file->glsl);
        CHECK((files.contains(std::string(file->glsl)) || file->glsl == "threshold/moments.glsl")); // which is a part of one
    }
}

TEST_CASE("twins look codes of 16 bits up where there are many pixels") {
    const Form form{433, 307, 3, Depth::u16};
    for (const Case& one : {case_of("levels", Levels{.gamma = 2.2}), case_of("curve", Curve{.points = {{0, 1}, {1, 0}}})}) {
        INFO(one.name);
        CHECK(difference_of_machines(one.plan(form), random_image(form, 2)) == "");
    }
}

TEST_CASE("twins of runs round between operations") {
    for (const Depth depth : every_depth) {
        const Form form{61, 47, 4, depth};
        const std::vector<Plan> plans{plan(Adjust{.exposure = 0.4}, form), plan(Levels{.gamma = 1.3}, form),
                                      blended(BlendMode::screen, 0.5, form, false), plan(Vignette{.amount = 0.4}, form)};
        const Plan joined = joined_plan(plans);
        REQUIRE(joined.twin.run);
        INFO(name_of(depth));
        CHECK(difference_of_machines(joined, random_image(form, 4)) == "");
    }
}

TEST_CASE("the method cpu knows where tiles lie") {
    const Image image = random_image({67, 41, 3, Depth::u16}, 5);
    const Vignette op{.amount = 0.8, .method = PointMethod::cpu};
    const Image answer = whole(Vignette{.amount = 0.8}, image);
    CHECK_THAT(whole(op, image), IsBitwise(answer));
    const ScopedLimits small("texture_size:16", plenty);
    ImageRows rows(image.form());
    glproc::run(op, gpu(), rows_of(image), rows);
    CHECK_THAT(rows.image(), IsBitwise(answer));
}

TEST_CASE("a file of the caller's own has no twin, and a device's parameters need the device") {
    register_glsl("own_of_twin_test.glsl", "vec4 point(vec4 v) {\n    return v.bgra;\n}\n");
    const Form form{5, 4, 3, Depth::u8};
    const Plan own = point_plan(form, {.name = "own", .glsl = "own_of_twin_test.glsl"});
    CHECK_FALSE(own.twin.run);
    CHECK(by_kernel(own, random_image(form)).form() == form);
    CHECK_THROWS_AS(
        point_plan(form, {.name = "own", .glsl = "own_of_twin_test.glsl", .method = PointMethod::cpu}),
        Error);
    CHECK_FALSE(plan(Levels{.clip = 1}, form).twin.run);
}
