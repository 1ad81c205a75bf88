// Arrays beyond the largest storage block go over the GPU in slabs, and nobody sees where they were cut.
#include "glproc/arrays/footprints/footprints.hpp"
#include "glproc/arrays/lines/lines.hpp"
#include "glproc/arrays/slabs.hpp"
#include "glproc/arrays/splines/splines.hpp"

#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"

#include <string>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<BorderMode> every_border{BorderMode::reflect, BorderMode::nearest, BorderMode::mirror,
                                           BorderMode::wrap, BorderMode::constant};

/// Runs on a device whose blocks hold 16384 bytes.
void on_small_device(const std::function<void(Context&)>& work) {
    ContextOptions options = second_context_options();
    options.lower_limits = "storage_block_bytes:16384";
    with_second_context(options, work);
}

LinePass sum_along(int axis, BorderMode border) {
    return {.what = LinePass::Do::sum, .axis = axis, .border = border, .constant = 2.5, .origin = 1, .size = 5,
            .weights = {0.1, 0.7, -0.3, 1.1, 0.25}};
}

struct Outcome {
    int wrong = 0;
    int refused = 0;
    int done = 0;
};

void try_lines(Context& gpu, const LineJob& job, Outcome& outcome) {
    if (!fits(gpu, job)) {
        ++outcome.refused;
        return;
    }
    const std::vector<std::byte> source = probe_values(job.source);
    std::vector<std::byte> expected(job.result_form().bytes());
    std::vector<std::byte> got(expected.size());
    job.run_on_cpu(source, expected);
    CHECK(run_job(gpu, job, source, got));
    outcome.wrong += same_numbers(job.result, expected, got) ? 0 : 1;
    ++outcome.done;
}

} // namespace

TEST_CASE("slabs have rows around them, and are not cut too small") {
    const auto fits_rows = [](std::int64_t rows) { return rows <= 40; };
    CHECK(slab_rows(1000, 0, fits_rows) == 40);
    CHECK(slab_rows(1000, 13, fits_rows) == 40);
    CHECK(slab_rows(1000, 14, fits_rows) == 0);
    CHECK(slab_rows(30, 2, fits_rows) == 30);
    CHECK(slab_rows(30, 0, [](std::int64_t) { return false; }) == 0);
}

TEST_CASE("lines in slabs have the bits of the CPU") {
    Outcome outcome;
    on_small_device([&](Context& gpu) {
        for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{{5000}, {300, 41}, {97, 7, 11}}) {
            for (const BorderMode border : every_border) {
                for (const Number type : {Number::f64, Number::u8}) {
                    LineJob job{{type, shape}, Number::f64, {}};
                    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                        job.passes.push_back(sum_along(static_cast<int>(axis), border));
                    }
                    job.passes.push_back(sum_along(0, border));
                    try_lines(gpu, job, outcome);
                }
            }
        }
    });
    CHECK(outcome.wrong == 0);
    CHECK(outcome.done == 24);
    CHECK(outcome.refused == 6); // what wraps along the first axis
}

TEST_CASE("running sums are cut across their lines alone") {
    Outcome outcome;
    on_small_device([&](Context& gpu) {
        LineJob job{{Number::f64, {300, 41}}, Number::f64, {{.what = LinePass::Do::mean, .axis = 1, .size = 5, .weights = {}}}};
        try_lines(gpu, job, outcome);
        job.passes[0].axis = 0;
        try_lines(gpu, job, outcome);
    });
    CHECK(outcome.wrong == 0);
    CHECK(outcome.done == 1);
    CHECK(outcome.refused == 1);
}

TEST_CASE("footprints in slabs have the bits of the CPU") {
    Outcome outcome;
    on_small_device([&](Context& gpu) {
        for (const BorderMode border : every_border) {
            FootprintJob job{.source = {Number::f64, {300, 41}},
                             .result = Number::f32,
                             .border = border,
                             .constant = 3.5,
                             .offsets = {0, 0, -4, 2, 3, -1, 1, 1},
                             .weights = {0.5, 0.25, -2, 1},
                             .rank = 1};
            for (const auto what : {FootprintJob::Do::sum, FootprintJob::Do::maximum}) {
                job.what = what;
                if (!fits(gpu, job)) {
                    ++outcome.refused;
                    continue;
                }
                const std::vector<std::byte> source = probe_values(job.source);
                std::vector<std::byte> expected(300 * 41 * sizeof(float));
                std::vector<std::byte> got(expected.size());
                job.run_on_cpu(source, expected);
                CHECK(run_job(gpu, job, source, got));
                outcome.wrong += same_numbers(job.result, expected, got) ? 0 : 1;
                ++outcome.done;
            }
        }
    });
    CHECK(outcome.wrong == 0);
    CHECK(outcome.done == 8);
    CHECK(outcome.refused == 2);
}

TEST_CASE("results of splines in slabs have the bits of the CPU") {
    Outcome outcome;
    on_small_device([&](Context& gpu) {
        for (const bool is_along : {true, false}) {
            for (const bool filters : {true, false}) {
                SplineJob job{.source = {Number::f64, {20, 21}}, .result = {Number::f64, {300, 19}}, .filters = filters, .order = 3,
                              .border = SplineBorder::mirror};
                std::vector<double> places;
                for (std::int64_t i = 0; i < 2 * job.result.count(); ++i) {
                    places.push_back(static_cast<double>(i * 613 % 1021) / 40 - 2);
                }
                if (is_along) {
                    job.along = {std::vector<double>(places.begin(), places.begin() + 300), std::vector<double>(places.begin(), places.begin() + 19)};
                } else {
                    job.coordinates = places;
                }
                const std::vector<std::byte> source = probe_values(job.source);
                std::vector<std::byte> expected(300 * 19 * sizeof(double));
                std::vector<std::byte> got(expected.size());
                job.run_on_cpu(source, expected);
                outcome.refused += fits(gpu, job) ? 0 : 1;
                outcome.wrong +=
                    run_job(gpu, job, source, got) && same_numbers(Number::f64, expected, got) ? 0 : 1;
            }
        }
        SplineJob job{.source = {Number::f64, {20, 21}}, .result = {Number::f64, {300, 19}}, .order = 1, .matrix = {1, 0, 0, 0, 1, 0}};
        outcome.refused += fits(gpu, job) ? 0 : 1;
    });
    CHECK(outcome.wrong == 0);
    CHECK(outcome.refused == 1); // by a matrix
}
