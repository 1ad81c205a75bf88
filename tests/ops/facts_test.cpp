// What is known of a picture reaches the operation that works on it, alone and as a step of a chain.
#include "glproc/op/picture_facts.hpp"

#include "glproc/kinds/chain.hpp"
#include "glproc/math/srgb.hpp"
#include "support/operation_cases.hpp"

#include <memory>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Operation> operation(const std::string& name, const Fields& fields = {}) {
    std::unique_ptr<Operation> made = find_operation(name)->make();
    for (const auto& [field, text] : fields) {
        made->set(field, text);
    }
    return made;
}

/// Of a picture of one grey value in floats.
double value_after(const Operation& operation, double value) {
    Image image(1, 1, 3, Depth::f32);
    std::fill(image.values<float>().begin(), image.values<float>().end(), static_cast<float>(value));
    return gpu().download(run_whole(gpu(), operation.plan(image.form()), gpu().upload(image, "in"))).at(0, 0, 1);
}

constexpr Form floats{1, 1, 3, Depth::f32};

} // namespace

TEST_CASE("facts: what floats hold is told, unless the call says it") {
    const Fields doubled{{"exposure", "1"}};
    PictureFacts codes{.curve = ColourCurve::srgb};
    PictureFacts light{.curve = ColourCurve::linear};
    PictureFacts unknown;
    const auto open = operation("adjust", doubled);
    CHECK(value_after(*open->on(light, floats), 0.25) == Approx(0.5));
    CHECK(value_after(*open->on(codes, floats), srgb_of_linear(0.25)) == Approx(srgb_of_linear(0.5)));
    CHECK(open->on(unknown, floats) == nullptr);
    CHECK(open->on(light, {1, 1, 3, Depth::u8}) == nullptr); // codes are sRGB
    CHECK(operation("blur")->on(codes, floats) != nullptr);
    CHECK(operation("invert")->on(codes, floats) == nullptr); // which does not ask

    const auto told = operation("adjust", {{"exposure", "1"}, {"floats", "srgb"}});
    CHECK(told->on(light, floats) == nullptr);
    CHECK(value_after(*told, srgb_of_linear(0.25)) == Approx(srgb_of_linear(0.5)));
}

TEST_CASE("facts: each step of a chain learns what the steps before it have made") {
    std::vector<std::unique_ptr<Operation>> steps;
    steps.push_back(operation("color", {{"space", "lab"}}));
    steps.push_back(operation("color", {{"from", "lab"}, {"space", "srgb"}})); // codes, as nothing says otherwise
    steps.push_back(operation("adjust", {{"exposure", "1"}}));
    const auto chain = chain_of(std::move(steps));
    PictureFacts facts{.curve = ColourCurve::linear};
    const auto special = chain->on(facts, floats);
    REQUIRE(special != nullptr);
    CHECK(facts.curve == ColourCurve::srgb);
    CHECK(value_after(*special, 0.2) == Approx(srgb_of_linear(0.4)).margin(1e-5));
}

TEST_CASE("facts: a decoder's fraction and a profile are taken once") {
    const Fraction half{{100, 80}, 50, 40};
    PictureFacts facts{.curve = ColourCurve::srgb, .fraction = half};
    const auto thumbnail = operation("thumbnail", {{"size", "40x40"}});
    REQUIRE(thumbnail->box());
    const auto special = thumbnail->on(facts, {50, 40, 3, Depth::u8});
    REQUIRE(special != nullptr);
    CHECK_FALSE(facts.fraction);
    CHECK(special->result_form({50, 40, 3, Depth::u8}) == Form{40, 32, 3, Depth::u8});

    const auto profile = operation("profile", {{"to", "display-p3"}});
    PictureFacts numbers;
    REQUIRE(profile->on(numbers, floats) != nullptr);
    CHECK_FALSE(numbers.icc.empty());
    CHECK(numbers.curve == ColourCurve::srgb); // until then nobody knew
    PictureFacts unchanged;
    CHECK(operation("convert")->on(unchanged, floats) != nullptr);
    CHECK(unchanged.icc.empty());
    CHECK(unchanged.curve == ColourCurve::unknown);
}

TEST_CASE("facts: texts name the file, alone and as a step") {
    PictureFacts facts{.path = "some/photo.jpg"};
    const Form form{64, 32, 3, Depth::u8};
    const auto draw = operation("draw", {{"text", "2,2,{name}"}});
    const auto as_typed = operation("draw", {{"text", "2,2,photo.jpg"}});
    const auto drawn = [&](const Operation& op) {
        return gpu().download(run_whole(gpu(), op.plan(form), gpu().upload(Image(form), "in")));
    };
    CHECK_THAT(drawn(*draw->on(facts, form)), IsBitwise(drawn(*as_typed)));
    CHECK(as_typed->on(facts, form) == nullptr);
}
