// Filters along lines: on the CPU by their definition, on the GPU by the CPU.
#include "glproc/arrays/lines/lines.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/op/proof.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

using namespace glproc;
using namespace glproc::test;

namespace {

using Do = LinePass::Do;

const std::vector<Number> every_number{Number::u8,  Number::i8,  Number::u16, Number::i16, Number::u32,
                                       Number::i32, Number::u64, Number::i64, Number::f32, Number::f64};
const std::vector<BorderMode> every_border{BorderMode::reflect, BorderMode::nearest, BorderMode::mirror,
                                           BorderMode::wrap, BorderMode::constant};

LinePass pass_of(Do what, int axis, std::int64_t size, BorderMode border) {
    LinePass pass{.what = what,
                  .axis = axis,
                  .border = border,
                  .constant = -7.25,
                  .origin = size > 2 ? 1 : 0,
                  .size = size,
                  .weights = {}};
    for (std::int64_t i = 0; what == Do::sum && i < size; ++i) {
        pass.weights.push_back(0.31 - 0.17 * static_cast<double>(i) + (i % 3 == 0 ? 0.4 : 0));
    }
    return pass;
}

std::vector<std::byte> on_cpu(const LineJob& job, const std::vector<std::byte>& source) {
    std::vector<std::byte> result(job.result_form().bytes());
    job.run_on_cpu(source, result);
    return result;
}

std::vector<std::byte> on_gpu(Context& gpu, const LineJob& job, const std::vector<std::byte>& source) {
    std::vector<std::byte> result(job.result_form().bytes());
    const bool is_done = run_job(gpu, job, source, result).has_value(); // or it throws
    REQUIRE(is_done);
    return result;
}

/// The value i places from the beginning of a line, by walking to it.
double beyond(const std::vector<double>& line, std::int64_t i, const LinePass& pass) {
    const auto n = static_cast<std::int64_t>(line.size());
    while (i < 0 || i >= n) {
        switch (pass.border) {
        case BorderMode::constant:
            return pass.constant;
        case BorderMode::nearest:
            i = i < 0 ? 0 : n - 1;
            break;
        case BorderMode::wrap:
            i += i < 0 ? n : -n;
            break;
        case BorderMode::reflect:
            i = i < 0 ? -1 - i : 2 * n - 1 - i;
            break;
        case BorderMode::mirror:
            i = n == 1 ? 0 : i < 0 ? -i : 2 * n - 2 - i;
            break;
        }
    }
    return line[static_cast<std::size_t>(i)];
}

std::vector<double> naive(const std::vector<double>& line, const LinePass& pass) {
    std::vector<double> results;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(line.size()); ++i) {
        std::vector<double> window;
        for (std::int64_t j = 0; j < pass.size; ++j) {
            window.push_back(beyond(line, i - pass.size / 2 - pass.origin + j, pass));
        }
        double result = pass.what == Do::minimum   ? *std::min_element(window.begin(), window.end())
                        : pass.what == Do::maximum ? *std::max_element(window.begin(), window.end())
                                                   : 0.0;
        for (std::size_t j = 0; j < window.size(); ++j) {
            result += pass.what == Do::sum    ? window[j] * pass.weights[j]
                      : pass.what == Do::mean ? window[j] / static_cast<double>(pass.size)
                                              : 0.0;
        }
        results.push_back(result);
    }
    return results;
}

} // namespace

TEST_CASE("lines on the CPU are what their definition says") {
    for (const auto& [what, border, size, length] : combinations<Do, BorderMode, std::int64_t, std::int64_t>(
             {Do::sum, Do::minimum, Do::maximum, Do::mean}, every_border, {1, 2, 5, 14}, {1, 2, 7, 31})) {
        std::vector<double> line;
        for (std::int64_t i = 0; i < length; ++i) {
            line.push_back(static_cast<double>((i * 37 + 11) % 23) - 9.5);
        }
        const LinePass pass = pass_of(what, 1, size, border);
        const std::vector<double> expected = naive(line, pass);
        for (const std::int64_t step : {1, 3, 11}) { // lines side by side
            std::vector<double> values;
            for (const double value : line) {
                values.insert(values.end(), static_cast<std::size_t>(step), value);
            }
            const LineJob job{{Number::f64, {1, length, step}}, Number::f64, {pass}};
            std::vector<std::byte> source(values.size() * sizeof(double));
            std::memcpy(source.data(), values.data(), source.size());
            const std::vector<std::byte> result = on_cpu(job, source);
            std::memcpy(values.data(), result.data(), source.size());
            CAPTURE(static_cast<int>(what), static_cast<int>(border), size, length, step);
            for (std::size_t i = 0; i < values.size(); ++i) {
                REQUIRE(values[i] == Approx(expected[i / static_cast<std::size_t>(step)]).margin(1e-12));
            }
        }
    }
}

TEST_CASE("symmetric weights are told apart") {
    CHECK(symmetry_of(std::vector{1.0, 2.0, 1.0}) == Symmetry::even);
    CHECK(symmetry_of(std::vector{-1.0, 0.0, 1.0}) == Symmetry::odd);
    CHECK(symmetry_of(std::vector{1.0, 2.0, 1.5}) == Symmetry::none);
    CHECK(symmetry_of(std::vector{1.0, 1.0}) == Symmetry::none);
    CHECK(symmetry_of(std::vector{3.0}) == Symmetry::even);
}

TEST_CASE("lines on the GPU have the bits of the CPU") {
    const std::vector<std::vector<std::int64_t>> shapes{{1},      {67},        {1, 5},
                                                        {23, 53}, {5, 19, 13}, {3, 4, 5, 7}};
    // All pairs of types are 100, whose programs take a minute.
    for (const auto& [from, other, what, border, shape] :
         combinations<Number, std::optional<Number>, Do, BorderMode, std::vector<std::int64_t>>(
             every_number, {std::nullopt, Number::f64, Number::u8},
             {Do::sum, Do::minimum, Do::maximum, Do::mean}, every_border, shapes)) {
        const Number to = other.value_or(from);
        LineJob job{{from, shape}, to, {}};
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            job.passes.push_back(
                pass_of(what, static_cast<int>(axis), 3 + static_cast<std::int64_t>(axis), border));
        }
        const std::vector<std::byte> source = probe_values(job.source);
        CAPTURE(static_cast<int>(from), static_cast<int>(to), static_cast<int>(what),
                static_cast<int>(border), shape.size());
        CHECK(same_numbers(to, on_gpu(gpu(), job, source), on_cpu(job, source)));
    }
}

TEST_CASE("means of long lines and of many have the bits of the CPU") {
    struct Case {
        std::vector<std::int64_t> shape;
        int axis;
        std::int64_t size;
    };
    // Windows shorter and longer than what a group does at once, and lines of several such parts, of which the last is not full.
    const std::vector<Case> cases{{{5000}, 0, 5},       {{37, 700}, 1, 5},   {{37, 700}, 1, 130},   {{16, 320}, 1, 64},
                                  {{700, 37}, 0, 5},    {{700, 37}, 0, 66},  {{4200, 19}, 0, 1},    {{3, 300, 5, 7}, 1, 4},
                                  {{2, 4100, 18}, 1, 9}, {{2100, 3}, 0, 800}};
    for (const auto& [type, one] : combinations<Number, Case>(
             {Number::u8, Number::i16, Number::u32, Number::i64, Number::f32, Number::f64}, cases)) {
        for (const BorderMode border : {BorderMode::reflect, BorderMode::constant}) {
            const LineJob job{{type, one.shape}, type, {pass_of(Do::mean, one.axis, one.size, border)}};
            const std::vector<std::byte> source = probe_values(job.source);
            CAPTURE(static_cast<int>(type), one.shape, one.axis, one.size, static_cast<int>(border));
            CHECK(same_numbers(type, on_gpu(gpu(), job, source), on_cpu(job, source)));
        }
    }
}

TEST_CASE("large arrays travel on every road") {
    struct Case {
        Number type;
        std::vector<std::int64_t> shape;
    };
    // Longer than one staging buffer, with gaps between rows, and of one row.
    for (const Case& one : {Case{Number::f32, {1500, 2001}}, Case{Number::u8, {1301, 4099}},
                            Case{Number::i16, {3000001}}, Case{Number::f64, {9, 401, 403}}}) {
        const LineJob job{{one.type, one.shape}, one.type, {pass_of(Do::minimum, 0, 3, BorderMode::mirror)}};
        const std::vector<std::byte> source = probe_values(job.source);
        const std::vector<std::byte> expected = on_cpu(job, source);
        for (const TransferRoad road : {TransferRoad::texture, TransferRoad::stream, TransferRoad::mapped}) {
            if (road == TransferRoad::mapped && !gpu().device().has_mapped_memory) {
                continue;
            }
            gpu().state().transfer.emplace(gpu(), road);
            CAPTURE(static_cast<int>(one.type), static_cast<int>(road));
            CHECK(same_numbers(one.type, on_gpu(gpu(), job, source), expected));
        }
        gpu().state().transfer.emplace(gpu(), tuned_road(gpu()));
    }
}

TEST_CASE("subnormal floats and what is beyond 2^63 have the bits of the CPU") {
    for (const Number from : {Number::f32, Number::f64}) {
        for (const Number to : {Number::f64, Number::u64}) {
            for (const Do what : {Do::sum, Do::minimum}) {
                for (const int axis : {0, 1}) {
                    const LineJob job{{from, {23, 53}}, to, {pass_of(what, axis, 3, BorderMode::wrap)}};
                    const std::vector<std::byte> source = probe_values(job.source);
                    CAPTURE(static_cast<int>(from), static_cast<int>(to), static_cast<int>(what), axis);
                    CHECK(same_numbers(to, on_gpu(gpu(), job, source), on_cpu(job, source)));
                }
            }
        }
    }
}

TEST_CASE("lines that are too long for one invocation, or too many for a block, are refused") {
    LineJob job{{Number::u8, {70000}}, Number::u8, {pass_of(Do::mean, 0, 3, BorderMode::wrap)}};
    CHECK_FALSE(fits(gpu(), job));
    job.source.shape = {1000};
    CHECK(fits(gpu(), job));
    job.source.shape = {std::int64_t{1} << 20U, 1 << 14};
    CHECK_FALSE(fits(gpu(), job));
}

TEST_CASE("a driver that computes lines wrongly is found out") {
    const ScopedVariable fault("GLPROC_FAULT", "kernel:arrays/lines/taps.comp");
    ContextOptions options = second_context_options();
    options.self_check = true;
    options.debug = false;
    bool found = false;
    with_second_context(options, [&](Context& second) {
        const LineJob job{{Number::f32, {40, 40}}, Number::f32, {pass_of(Do::sum, 0, 5, BorderMode::wrap)}};
        try {
            on_gpu(second, job, probe_values(job.source));
        } catch (const WrongKernel&) {
            found = true;
        }
    });
    CHECK(found);
}
