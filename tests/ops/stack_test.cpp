// Stacks beside sorted values and sums in double precision, place by place.
#include "glproc/base/random_words.hpp"
#include "glproc/ops/stack.hpp"

#include "glproc/base/error.hpp"
#include "glproc/ops/stack/roads.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Values = std::vector<double>;

double mean_of(const Values& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double deviation_of(const Values& v) {
    const double mean = mean_of(v);
    double squares = 0;
    for (const double value : v) {
        squares += (value - mean) * (value - mean);
    }
    return std::sqrt(squares / static_cast<double>(v.size()));
}

double percentile_of(Values v, double percent) {
    std::sort(v.begin(), v.end());
    const double place = percent / 100 * static_cast<double>(v.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, v.size() - 1);
    return v[below] + (v[above] - v[below]) * (place - static_cast<double>(below));
}

double clipped_mean_of(Values v, double k) {
    for (int round = 0; round < 5; ++round) {
        const double mean = mean_of(v);
        const double most = k * deviation_of(v);
        std::erase_if(v, [&](double value) { return value < mean - most || value > mean + most; });
    }
    return mean_of(v);
}

double reference(const Stack& op, const Values& v) {
    switch (op.by.measure) {
    case StackMeasure::mean:
    case StackMeasure::sum: {
        double sum = 0;
        double weights = 0;
        for (std::size_t k = 0; k < v.size(); ++k) {
            const double weight = op.weights.empty() ? 1 : op.weights[k];
            sum += weight * v[k];
            weights += weight;
        }
        return op.by.measure == StackMeasure::sum ? sum : sum / weights;
    }
    case StackMeasure::median:
        return percentile_of(v, 50);
    case StackMeasure::min:
        return *std::min_element(v.begin(), v.end());
    case StackMeasure::max:
        return *std::max_element(v.begin(), v.end());
    case StackMeasure::stddev:
        return deviation_of(v);
    case StackMeasure::percentile:
        return percentile_of(v, op.by.amount);
    case StackMeasure::clip:
        return clipped_mean_of(v, op.by.amount);
    }
    return 0;
}

/// The first image, with the others in `op`.
Stack joined(Stack op, const std::vector<Image>& images) {
    for (std::size_t k = 1; k < images.size(); ++k) {
        op.more.push_back(rows_of(images[k]));
    }
    return op;
}

Image whole_stack(const Stack& op, const Image& first) {
    return gpu().download(run_sweeps(gpu(), sweeps(op, first.form()), gpu().upload(first)).picture.value());
}

Image banded_stack(const Stack& op, const Image& first) {
    const SweepPlan by = sweeps(op, first.form());
    ImageRows rows(*by.sweeps.back().makes);
    run_sweeps(gpu(), by, rows_of(first), &rows);
    rows.finish();
    return std::move(rows.image());
}

void check_stack(const Stack& asked, const std::vector<Image>& images) {
    const Image& first = images.front();
    const Image got = whole_stack(joined(asked, images), first);
    INFO(FieldText<StackBy>::print(asked.by) << " of " << images.size() << " images, " << describe(first));
    const bool is_float = asked.by.measure == StackMeasure::sum || asked.by.measure == StackMeasure::stddev;
    REQUIRE(got.depth() == (is_float ? Depth::f32 : first.depth()));
    const double white = is_float ? max_code(first.depth()) : 1;
    for (int y = 0; y < first.height(); ++y) {
        for (int x = 0; x < first.width(); ++x) {
            for (int c = 0; c < first.channels(); ++c) {
                Values values;
                for (const Image& image : images) {
                    values.push_back(image.at(x, y, c));
                }
                const double want = reference(asked, values) / white;
                if (got.depth() == Depth::f32) {
                    REQUIRE(got.at(x, y, c) == Approx(want).epsilon(1e-6).margin(1e-7));
                } else {
                    // half to even; where the reference is within its own rounding of a half, either code is
                    // right
                    REQUIRE(std::abs(got.at(x, y, c) - want) <= 0.5 + 1e-9);
                }
            }
        }
    }
}

std::vector<Image> random_images(std::size_t count, const Shape& shape) {
    std::vector<Image> images;
    for (std::size_t k = 0; k < count; ++k) {
        images.push_back(random_image(shape, static_cast<std::uint32_t>(100 + k), FloatRange::wide));
    }
    return images;
}

const std::vector<StackBy>& all_measures() {
    static const std::vector<StackBy> all{{StackMeasure::mean},
                                          {StackMeasure::median},
                                          {StackMeasure::min},
                                          {StackMeasure::max},
                                          {StackMeasure::sum},
                                          {StackMeasure::stddev},
                                          {StackMeasure::percentile, 0},
                                          {StackMeasure::percentile, 30},
                                          {StackMeasure::percentile, 100},
                                          {StackMeasure::clip, 1.2},
                                          {StackMeasure::clip, 2}};
    return all;
}

} // namespace

TEST_CASE("stacks of every depth are what a loop over sorted values gives") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const std::size_t count : {1U, 2U, 3U, 8U, 17U}) {
            for (const auto& [width, height] : std::vector<Size>{{1, 1}, {19, 3}, {300, 2}}) {
                for (const StackBy& by : all_measures()) {
                    check_stack({.by = by}, random_images(count, {width, height, 3, depth}));
                }
            }
        }
    }
}

TEST_CASE("halves are rounded to even codes") {
    const Shape shape{1, 1, 1, Depth::u8};
    const auto stack_of = [&](const StackBy& by, const std::vector<int>& codes) {
        std::vector<Image> images;
        for (const int code : codes) {
            images.push_back(constant_image(shape, code / 255.0));
        }
        return whole_stack(joined({.by = by}, images), images.front()).at(0, 0, 0);
    };
    CHECK(stack_of({StackMeasure::mean}, {4, 5}) == 4);
    CHECK(stack_of({StackMeasure::mean}, {5, 6}) == 6);
    CHECK(stack_of({StackMeasure::median}, {1, 4, 5, 200}) == 4);
    CHECK(stack_of({StackMeasure::median}, {1, 5, 6, 200}) == 6);
    CHECK(stack_of({StackMeasure::clip, 1}, {7, 7, 7, 7, 250}) == 7);
}

TEST_CASE("weights count") {
    const std::vector<Image> images = random_images(3, {33, 5, 3, Depth::u8});
    check_stack({.by = {StackMeasure::mean}, .weights = {1, 0, 3}}, images);
    check_stack({.by = {StackMeasure::sum}, .weights = {1, -1, 0.5}}, images);
    CHECK_THROWS_AS(
        plan(joined({.by = {StackMeasure::mean}, .weights = {1, 2}}, images), images.front().form()), Error);
    CHECK_THROWS_AS(
        plan(joined({.by = {StackMeasure::mean}, .weights = {1, 1, -2}}, images), images.front().form()),
        Error);
    CHECK_THROWS_AS(
        plan(joined({.by = {StackMeasure::median}, .weights = {1, 1, 2}}, images), images.front().form()),
        Error);
}

TEST_CASE("NaN shows wherever one of the images has it") {
    std::vector<Image> images = random_images(5, {7, 1, 1, Depth::f32});
    images[3].values<float>()[2] = -std::numeric_limits<float>::quiet_NaN();
    images[1].values<float>()[4] = std::numeric_limits<float>::infinity();
    for (const StackBy& by : all_measures()) {
        INFO(FieldText<StackBy>::print(by));
        const Image got = whole_stack(joined({.by = by}, images), images.front());
        for (int x = 0; x < 7; ++x) {
            if (x != 4) { // what infinity gives is another matter
                CHECK(std::isnan(got.at(x, 0, 0)) == (x == 2));
            }
        }
    }
    const Image most = whole_stack(joined({.by = {StackMeasure::max}}, images), images.front());
    CHECK(most.at(4, 0, 0) == std::numeric_limits<double>::infinity());
}

Image by_method(Stack op, StackMethod method, const Image& first) {
    op.method = method;
    return whole_stack(op, first);
}

/// Whether both methods give the same bytes, whole and in bands.
void check_methods(const StackBy& by, const std::vector<Image>& images) {
    const Image& first = images.front();
    Stack op = joined({.by = by, .method = StackMethod::gpu}, images);
    INFO(FieldText<StackBy>::print(by) << " of " << images.size() << " images, " << describe(first));
    const Image expected = by_method(op, StackMethod::cpu, first);
    CHECK(std::ranges::equal(by_method(op, StackMethod::gpu, first).bytes(), expected.bytes()));
    const ScopedLimits small("", 1U << 15U);
    CHECK(std::ranges::equal(banded_stack(op, first).bytes(), expected.bytes()));
}

/// Both zeros, infinities, the smallest and the largest floats, and NaNs.
Image hostile_floats(const Shape& shape, unsigned seed) {
    RandomWords words(seed);
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> values{0.0F,   -0.0F, inf, -inf, 1e-45F, -1e-45F, 3e38F,
                                    -3e38F, 1,     -1,  0.5F, 0.0F,   -0.0F};
    Image image(shape.width, shape.height, shape.channels, Depth::f32);
    for (float& value : image.values<float>()) {
        const std::uint32_t word = words();
        value = word % 97 == 5 ? (word % 2 == 0 ? nan : -nan) : values[(word >> 16U) % values.size()];
    }
    return image;
}

TEST_CASE("the GPU gives the bits of the processor") {
    std::vector<StackBy> measures = all_measures();
    for (const double percent : {12.5, 49.99, 50.0, 77.7}) {
        measures.push_back({StackMeasure::percentile, percent});
    }
    for (const StackBy& by : measures) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (const std::size_t count : {1U, 2U, 5U, 16U, 40U}) {
                for (const Shape& shape :
                     std::vector<Shape>{{1, 1, 1, depth}, {37, 7, 3, depth}, {131, 5, 2, depth}}) {
                    check_methods(by, random_images(count, shape));
                }
            }
        }
        for (const std::size_t count : {2U, 3U, 9U}) {
            std::vector<Image> images;
            for (std::size_t k = 0; k < count; ++k) {
                images.push_back(hostile_floats({61, 31, 1, Depth::f32}, static_cast<unsigned>(k)));
            }
            check_methods(by, images);
        }
    }
}

TEST_CASE("the programs of every measure pass the check before their first use") {
    for (const StackBy& by : all_measures()) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            const Form form{61, 31, 3, depth};
            INFO(FieldText<StackBy>::print(by) << ' ' << static_cast<int>(depth));
            CHECK_NOTHROW(prove_stack(gpu(), Stack{.by = by}, form));
        }
    }
}

TEST_CASE("many images lie in columns and rows of one texture") {
    const std::vector<Image> images = random_images(300, {33, 9, 1, Depth::u8});
    for (const StackMeasure measure : {StackMeasure::mean, StackMeasure::sum, StackMeasure::median}) {
        Stack op = joined({.by = {measure}, .method = StackMethod::cpu}, images);
        const Image expected = whole_stack(op, images.front());
        op.method = StackMethod::gpu;
        const ScopedLimits small("texture_size:64", 1U << 20U);
        REQUIRE(band_cut(gpu(), sweeps(op, images.front().form())).count() > 1);
        CHECK(std::ranges::equal(banded_stack(op, images.front()).bytes(), expected.bytes()));
    }
}

TEST_CASE("measures without a kernel say so") {
    const Image first = random_image({9, 4, 1, Depth::f32});
    const auto why = [&](const StackBy& by) {
        return plan(Stack{.by = by, .method = StackMethod::gpu}, first.form()).work.why_unavailable(gpu());
    };
    CHECK(why({StackMeasure::mean}) == "mean of floats has no kernel");
    CHECK(why({StackMeasure::clip, 2}) == "clip:2 of floats has no kernel");
    CHECK(!why({StackMeasure::max}));
}

TEST_CASE("stacks in bands are the same as whole ones") {
    const std::vector<Image> images = random_images(6, {301, 97, 4, Depth::u16});
    for (const StackBy& by : all_measures()) {
        const Stack op = joined({.by = by}, images);
        const Image expected = whole_stack(op, images.front());
        const ScopedLimits small("", 1U << 18U);
        REQUIRE(band_cut(gpu(), sweeps(op, images.front().form())).count() > 3);
        CHECK(std::ranges::equal(banded_stack(op, images.front()).bytes(), expected.bytes()));
    }
}

TEST_CASE("images of a stack may have fewer bits than the first, and no other size") {
    const Image deep = random_image({9, 4, 1, Depth::u16});
    const Image shallow = constant_image({9, 4, 1, Depth::u8}, 1);
    const Image got = whole_stack(joined({.by = {StackMeasure::max}}, {deep, shallow}), deep);
    CHECK(got.at(3, 2, 0) == 65535);
    CHECK_THROWS_WITH(plan(joined({}, {shallow, deep}), shallow.form()),
                      Catch::Matchers::Contains("16 bits"));
    CHECK_THROWS_WITH(plan(joined({}, {deep, random_image({9, 5, 1, Depth::u16})}), deep.form()),
                      Catch::Matchers::Contains("9x5"));
}

TEST_CASE("measures of a stack are words, some with a number") {
    const FieldContext context{"by", "", {}};
    const auto parse = [&](const std::string& text) { return FieldText<StackBy>::parse(context, text); };
    CHECK(parse("median") == StackBy{StackMeasure::median});
    CHECK(parse("percentile:12.5") == StackBy{StackMeasure::percentile, 12.5});
    CHECK(FieldText<StackBy>::print(parse("clip:3")) == "clip:3");
    for (const char* wrong : {"", "medain", "median:3", "percentile", "percentile:", "percentile:101",
                              "clip:0.5", "clip:nan", "clip:2:3"}) {
        INFO(wrong);
        CHECK_THROWS_AS(parse(wrong), Error);
    }
}
