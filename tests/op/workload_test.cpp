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
        if (bench.variants.empty()) { // there are no methods, as no device is needed
            CHECK(op->make()->by_processor({64, 48, 1, Depth::u8}, false));
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
