// What `bench` takes for right and wrong, and that every operation can be measured.
#include "glproc/op/workload.hpp"

#include "glproc/ops/histogram/count.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <set>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<int> two_rows{0, 1};

std::vector<double> values_of(const Image& image) {
    std::vector<double> values;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                values.push_back(image.at(x, y, c));
            }
        }
    }
    return values;
}

std::string wrong(const Image& image, const std::vector<double>& expected, double full_scale = 1) {
    return difference(image, two_rows, expected, full_scale);
}

} // namespace

TEST_CASE("workload: all rows are compared where they are cheap, else some from the first to the last") {
    CHECK(rows_to_compare(1, 1e12) == std::vector<int>{0});
    CHECK(rows_to_compare(3, 1) == std::vector<int>{0, 1, 2});
    CHECK(rows_to_compare(100, 1e12) == std::vector<int>{0, 99});
    const std::vector<int> some = rows_to_compare(8192, 2e7);
    CHECK(some.size() == 100);
    CHECK(some.front() == 0);
    CHECK(some.back() == 8191);
    CHECK(std::is_sorted(some.begin(), some.end()));
    CHECK(std::set<int>(some.begin(), some.end()).size() == some.size());
}

TEST_CASE("workload: one step is allowed to few values of 8 bits, two steps to none") {
    const Image image = random_image({500, 2, 4, Depth::u8}, 3);
    std::vector<double> expected = values_of(image);
    CHECK(wrong(image, expected).empty());
    const auto step = [](double value) { return value < 128 ? 1.0 : -1.0; };
    for (const std::size_t i : {7U, 900U, 2000U, 3999U}) { // 0.1 % of 4000
        expected[i] += step(expected[i]);
    }
    CHECK(wrong(image, expected).empty());
    expected[42] += step(expected[42]);
    CHECK(wrong(image, expected) == "5 of 4000 values are one step off");
    expected = values_of(image);
    expected[4 * 501 + 2] += 2 * step(expected[4 * 501 + 2]);
    CHECK(wrong(image, expected).starts_with("channel 2 of pixel 1,1 is "));
}

TEST_CASE("workload: beside a tie of 8 bits either neighbour is right, further away only the nearer one") {
    const Image image = constant_image({50, 2, 4, Depth::u8}, 100 / 255.0);
    const std::size_t count = values_of(image).size();
    for (const double answer : {99.5, 99.5 - 1e-5, 100.5, 100.5 + 1e-5}) {
        CHECK(wrong(image, std::vector<double>(count, answer)).empty());
    }
    for (const double answer : {99.499, 100.501}) {
        CHECK(wrong(image, std::vector<double>(count, answer)) == "400 of 400 values are one step off");
    }
}

TEST_CASE("workload: 16 bits may be a step off, floats 1e-6 of the full scale") {
    const Image words = constant_image({4, 2, 1, Depth::u16}, 0.5);
    std::vector<double> expected = values_of(words);
    std::for_each(expected.begin(), expected.end(), [](double& value) { value += 1; });
    CHECK(wrong(words, expected).empty());
    expected.back() += 1;
    CHECK(wrong(words, expected).starts_with("channel 0 of pixel 3,1 is "));

    const Image floats = constant_image({4, 2, 1, Depth::f32}, 0.5);
    expected = values_of(floats);
    expected.front() += 9e-7;
    CHECK(wrong(floats, expected).empty());
    expected.front() += 9e-7;
    CHECK_FALSE(wrong(floats, expected).empty());
    CHECK(wrong(floats, expected, 2).empty());
    expected.front() = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(wrong(floats, expected).empty());
}

TEST_CASE("workload: floats are measured by the largest answer, and colours by their alpha") {
    Image image(Form{2, 1, 2, Depth::f32});
    const std::vector<int> row{0};
    const auto is_wrong = [&](std::vector<float> values, const std::vector<double>& expected) {
        std::copy(values.begin(), values.end(), image.values<float>().begin());
        return !difference(image, row, expected, 1).empty();
    };
    CHECK_FALSE(is_wrong({20, 1, 14.00001F, 1}, {20, 1, 14, 1})); // a sum may be larger than what it is of
    CHECK(is_wrong({20, 1, 14.0001F, 1}, {20, 1, 14, 1}));
    CHECK_FALSE(is_wrong({0.5F, 1, 0.500005F, 0.1F}, {0.5, 1, 0.5, 0.1}));
    CHECK(is_wrong({0.500005F, 1, 0.5F, 0.1F}, {0.5, 1, 0.5, 0.1}));
    CHECK(is_wrong({0.5F, 1, 0.5F, 0.10001F}, {0.5, 1, 0.5, 0.1}));
}

TEST_CASE("workload: arrays are the same in every bit or their first difference is named") {
    const auto array = [](std::vector<std::uint32_t> values) {
        const auto bytes = std::as_bytes(std::span(values));
        return Array{ArrayType::u32, {values.size()}, {bytes.begin(), bytes.end()}};
    };
    CHECK(difference(array({1, 2}), array({1, 2})).empty());
    CHECK(difference(array({1, 5, 6}), array({1, 2, 3})) == "element 1 is 5, not 2");
    CHECK_FALSE(difference(array({1}), array({1, 2})).empty());
}

TEST_CASE("workload: every operation can be measured, in every variant but auto") {
    for (const OpInfo* op : operations()) {
        INFO(op->name);
        const BenchInfo& bench = op->bench;
        const bool needs_picture = std::any_of(op->fields.begin(), op->fields.end(), [](const FieldInfo& one) {
            return one.reads_picture && (one.required || one.is_place);
        });
        if (needs_picture || op->joins) { // few can do without it
            continue;
        }
        const auto field = std::find_if(op->fields.begin(), op->fields.end(),
                                        [&](const FieldInfo& one) { return one.name == bench.field; });
        REQUIRE(field != op->fields.end());
        for (const Choice& choice : field->choices) {
            const auto is_it = [&](const BenchVariant& variant) { return variant.name == choice.name; };
            CHECK((choice.name == "auto") ==
                  std::none_of(bench.variants.begin(), bench.variants.end(), is_it));
        }
        CHECK((bench.size.find('x') != std::string::npos) == (op->input == Input::image));
        const bool needs_file = std::any_of(op->fields.begin(), op->fields.end(), [](const FieldInfo& one) {
            return one.required && one.value == "FILE"; // there is none to measure with
        });
        REQUIRE(bench.ladders.empty() == needs_file);
        for (const Ladder& ladder : bench.ladders) {
            CHECK_FALSE(ladder.columns.empty());
            for (const BenchColumn& column : ladder.columns) {
                const auto operation = op->make();
                for (const auto& [name, text] : column.settings) {
                    CHECK_NOTHROW(operation->set(name, text));
                }
            }
        }
    }
}

TEST_CASE("workload: a race counts no more than there is") {
    const Image image = random_image({301, 200, 4, Depth::u8}, 4);
    const GpuImage on_gpu = gpu().upload(image);
    const Histogram histogram{.bins = 4};
    const auto counts = read_counts(count_racily(gpu(), on_gpu, histogram), on_gpu.form(), histogram);
    const auto right = histogram(gpu(), on_gpu);
    REQUIRE(counts.size() == 1);
    for (std::size_t bin = 0; bin < 4; ++bin) {
        CHECK(counts[0].counts[bin] <= right[0].counts[bin]);
        CHECK(counts[0].counts[bin] > 0);
    }
}
