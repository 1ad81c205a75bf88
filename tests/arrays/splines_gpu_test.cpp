// Splines on the GPU have the bits of the CPU.
#include "glproc/arrays/splines/splines.hpp"

#include "glproc/op/proof.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"

#include <limits>
#include <optional>

using namespace glproc;
using namespace glproc::test;

namespace {

enum class Places { along, matrix, coordinates };

struct Made {
    SplineJob job;
    std::vector<double> coordinates;
};

/// Places inside, exactly on values and far beyond both ends.
double place_at(std::int64_t length, std::int64_t i) {
    const double exact[] = {0, -1, -0.5, static_cast<double>(length - 1), static_cast<double>(length), -1e-16, 1e9 + 0.25, -3e7};
    const double near = static_cast<double>((i * 613 + 7) % 1021) / 1021 * 6 - 2.5;
    return i % 4 == 0 ? exact[i / 4 % 8] : near * static_cast<double>(length);
}

Made made(Places places, const SplineJob& like, const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& result) {
    Made made{.job = like, .coordinates = {}};
    made.job.source.shape = shape;
    made.job.result.shape = result;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (places == Places::along) {
            std::vector<double>& along = made.job.along.emplace_back();
            for (std::int64_t i = 0; i < result[axis]; ++i) {
                along.push_back(place_at(shape[axis], i + 3 * static_cast<std::int64_t>(axis)));
            }
        } else if (places == Places::matrix) {
            for (std::size_t k = 0; k <= shape.size(); ++k) {
                made.job.matrix.push_back(k == axis ? 1.7 : k == shape.size() ? -3.3 : -0.4);
            }
        } else {
            for (std::int64_t i = 0; i < made.job.result.count(); ++i) {
                made.coordinates.push_back(place_at(shape[axis], i + 5 * static_cast<std::int64_t>(axis)));
            }
        }
    }
    return made;
}

void compare(Context& gpu, Made made) {
    made.job.coordinates = made.coordinates;
    REQUIRE(fits(gpu, made.job));
    const std::vector<std::byte> source = probe_values(made.job.source);
    std::vector<std::byte> expected(made.job.result.bytes());
    std::vector<std::byte> got(expected.size());
    made.job.run_on_cpu(source, expected);
    REQUIRE(run_job(gpu, made.job, source, got));
    CHECK(same_numbers(made.job.result.type, expected, got));
}

const std::vector<SplineBorder> every_border{SplineBorder::constant,     SplineBorder::nearest, SplineBorder::mirror,
                                             SplineBorder::reflect,      SplineBorder::wrap,    SplineBorder::grid_wrap,
                                             SplineBorder::grid_constant};

} // namespace

TEST_CASE("splines on the GPU have the bits of the CPU") {
    for (const auto& [places, order, border, axes] : combinations<Places, int, SplineBorder, std::size_t>(
             {Places::along, Places::matrix, Places::coordinates}, {0, 1, 2, 3, 4, 5}, every_border, {1, 2, 3})) {
        const SplineJob like{.source = {Number::f64, {}}, .result = {Number::f64, {}}, .order = order, .border = border,
                             .constant = 2.5, .padding = places == Places::along ? 0.0 : 0.125};
        const std::vector<std::int64_t> shapes[] = {{37}, {13, 17}, {5, 1, 9}};
        const std::vector<std::int64_t> results[] = {{301}, {31, 43}, {11, 7, 13}};
        CAPTURE(static_cast<int>(places), order, static_cast<int>(border), axes);
        compare(gpu(), made(places, like, shapes[axes - 1], results[axes - 1]));
    }
}

TEST_CASE("coefficients made on the GPU have the bits of the CPU") {
    for (const auto& [order, border, axes, type] : combinations<int, SplineBorder, std::size_t, Number>(
             {2, 3, 4, 5}, every_border, {1, 2, 3}, {Number::f64, Number::f32, Number::u8})) {
        const SplineJob like{.source = {type, {}}, .result = {Number::f64, {}}, .filters = true, .order = order, .border = border};
        const std::vector<std::int64_t> shapes[] = {{700}, {2, 37}, {20, 3, 70}};
        const std::vector<std::int64_t> results[] = {{301}, {31, 43}, {11, 7, 13}};
        CAPTURE(order, static_cast<int>(border), axes, static_cast<int>(type));
        compare(gpu(), made(Places::matrix, like, shapes[axes - 1], results[axes - 1]));
    }
}

TEST_CASE("coefficients of lines of every length are made in parts") {
    // A group of the kernel has 8 lines, and a part 64 values but for the ends of a line.
    for (const auto& [border, length, along] : combinations<SplineBorder, std::int64_t, bool>(
             {SplineBorder::mirror, SplineBorder::reflect, SplineBorder::grid_wrap}, {1, 2, 3, 9, 64, 65, 66, 67, 129, 200, 321}, {true, false})) {
        const SplineJob like{.source = {Number::f64, {}}, .result = {Number::f64, {}}, .filters = true, .order = 5, .border = border};
        const std::vector<std::int64_t> shape = along ? std::vector<std::int64_t>{17, length} : std::vector<std::int64_t>{length, 33};
        CAPTURE(static_cast<int>(border), length, along);
        compare(gpu(), made(Places::along, like, shape, {31, 43}));
    }
}

TEST_CASE("splines of every type on the GPU have the bits of the CPU") {
    const std::vector<Number> types{Number::u8,  Number::i8,  Number::u16, Number::i16, Number::u32,
                                    Number::i32, Number::u64, Number::i64, Number::f32, Number::f64};
    // All pairs are 80 programs, which take a minute.
    for (const auto& [from, other, rounds] : combinations<Number, std::optional<Number>, bool>(
             types, {std::nullopt, Number::f64}, {true, false})) {
        const Number to = other.value_or(from == Number::u64 || from == Number::i64 ? Number::f32 : from);
        const int order = to == Number::f64 ? 3 : 1;
        const SplineJob like{.source = {from, {}}, .result = {to, {}}, .rounds = rounds, .order = order,
                             .border = SplineBorder::mirror};
        CAPTURE(static_cast<int>(from), static_cast<int>(to), order, rounds);
        compare(gpu(), made(Places::coordinates, like, {9, 11}, {229}));
    }
}

TEST_CASE("places too far away, and ones that are no numbers, are left to the CPU") {
    for (const double far : {0x1p52, -1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        const std::vector<double> places{0.5, far, 1};
        SplineJob job{.source = {Number::f64, {3}}, .result = {Number::f64, {3}}, .order = 1};
        job.coordinates = places;
        std::vector<std::byte> result(3 * sizeof(double));
        CHECK_FALSE(run_job(gpu(), job, probe_values(job.source), result));
    }
}

TEST_CASE("what the GPU has no spline program for does not fit") {
    SplineJob job{.source = {Number::f64, {3, 4}}, .result = {Number::f64, {5, 6}}, .order = 3, .matrix = {1, 0, 0, 0, 1, 0}};
    CHECK(fits(gpu(), job));
    job.filters = true;
    job.source.shape = {3, 70000};
    CHECK_FALSE(fits(gpu(), job));
    job.filters = false;
    CHECK(fits(gpu(), job));
    job.result.type = Number::i64;
    CHECK_FALSE(fits(gpu(), job));
    job.result.type = Number::f64;
    job.source.shape = {2, 3, 4, 5};
    CHECK_FALSE(fits(gpu(), job));
}

TEST_CASE("a driver that computes splines wrongly is found out") {
    for (const char* kernel : {"kernel:arrays/splines/values.comp", "kernel:arrays/splines/filter.comp"}) {
        const ScopedVariable fault("GLPROC_FAULT", kernel);
        ContextOptions options = second_context_options();
        options.self_check = true;
        options.debug = false;
        bool found = false;
        with_second_context(options, [&](Context& second) {
            SplineJob job{.source = {Number::f64, {40, 40}}, .result = {Number::f64, {40, 40}}, .filters = true, .order = 3,
                          .matrix = {1.1, 0, 0, 0, 1.1, 0}};
            std::vector<std::byte> result(1600 * sizeof(double));
            try {
                run_job(second, job, probe_values(job.source), result);
            } catch (const WrongKernel&) {
                found = true;
            }
        });
        CAPTURE(kernel);
        CHECK(found);
    }
}
