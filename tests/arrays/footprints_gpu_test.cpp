// Filters by a footprint on the GPU have the bits of the CPU.
#include "glproc/arrays/footprints/footprints.hpp"

#include "glproc/op/proof.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"

#include <algorithm>
#include <cstring>

using namespace glproc;
using namespace glproc::test;

namespace {

using Do = FootprintJob::Do;

const std::vector<BorderMode> every_border{BorderMode::reflect, BorderMode::nearest, BorderMode::mirror,
                                           BorderMode::wrap, BorderMode::constant};

/// `count` neighbours, also far beyond the borders of small arrays.
FootprintJob made(Do what, BorderMode border, const std::vector<std::int64_t>& shape, Number from, Number to,
                  std::size_t count) {
    FootprintJob job{.source = {from, shape}, .result = to, .what = what, .border = border, .constant = 200.25, .offsets = {},
                     .weights = {}, .rank = 0};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            job.offsets.push_back(static_cast<std::int64_t>((i * 7 + axis * 11 + i * i) % 9) - 4);
        }
        job.weights.push_back(0.61 - 0.17 * static_cast<double>(i));
    }
    job.rank = count * 2 / 3;
    return job;
}

/// Noise with infinities, subnormals and, where a rank would not tell them apart, zeros of one sign.
std::vector<std::byte> values_for(const FootprintJob& job) {
    std::vector<std::byte> bytes = probe_values(job.source);
    if (job.what == Do::rank && (job.source.type == Number::f32 || job.source.type == Number::f64)) {
        const std::size_t size = bytes_of(job.source.type);
        for (std::size_t i = 0; i < bytes.size(); i += size) {
            const bool is_zero = std::all_of(&bytes[i], &bytes[i] + size - 1, [](std::byte byte) { return byte == std::byte{0}; }) &&
                                 (bytes[i + size - 1] & std::byte{0x7f}) == std::byte{0};
            bytes[i + size - 1] = is_zero ? std::byte{0} : bytes[i + size - 1];
        }
    }
    return bytes;
}

void compare(const FootprintJob& job) {
    REQUIRE(fits(gpu(), job));
    const std::vector<std::byte> source = values_for(job);
    std::vector<std::byte> expected(job.result_form().bytes());
    std::vector<std::byte> got(expected.size());
    job.run_on_cpu(source, expected);
    CHECK(run_job(gpu(), job, source, got));
    CHECK(same_numbers(job.result, expected, got));
}

} // namespace

TEST_CASE("footprints on the GPU have the bits of the CPU") {
    const std::vector<std::vector<std::int64_t>> shapes{{1}, {701}, {13, 17}, {2, 31}, {5, 1, 9}, {3, 4, 5, 6}};
    for (const auto& [what, border, shape] : combinations<Do, BorderMode, std::vector<std::int64_t>>(
             {Do::sum, Do::minimum, Do::maximum, Do::rank}, every_border, shapes)) {
        for (const std::size_t count : {1, 9, 10, 27, 28, 60}) {
            CAPTURE(static_cast<int>(what), static_cast<int>(border), shape, count);
            compare(made(what, border, shape, Number::f64, Number::f64, count));
        }
    }
}

TEST_CASE("footprints of every type on the GPU have the bits of the CPU") {
    const std::vector<Number> types{Number::u8,  Number::i8,  Number::u16, Number::i16, Number::u32,
                                    Number::i32, Number::u64, Number::i64, Number::f32, Number::f64};
    // All pairs are hundreds of programs, which take minutes.
    for (const Number from : types) {
        const Number to = from == Number::u64 ? Number::i64 : from;
        CAPTURE(static_cast<int>(from));
        compare(made(Do::rank, BorderMode::constant, {11, 23}, from, to, 25));
        compare(made(Do::rank, BorderMode::constant, {11, 23}, from, Number::f64, 33));
        compare(made(Do::maximum, BorderMode::constant, {11, 23}, from, to, 33));
        compare(made(Do::sum, BorderMode::wrap, {7, 9, 11}, Number::f64, to, 5));
    }
}

TEST_CASE("every rank is found, among values that are alike, too") {
    for (const auto& [count, type] : combinations<std::size_t, Number>({8, 40}, {Number::u8, Number::f32, Number::f64})) {
        FootprintJob job = made(Do::rank, BorderMode::reflect, {20, 21}, type, type, count);
        for (job.rank = 0; job.rank < count; ++job.rank) {
            CAPTURE(job.rank, count, static_cast<int>(type));
            compare(job);
        }
    }
    FootprintJob job = made(Do::rank, BorderMode::reflect, {20, 21}, Number::u8, Number::u8, 25);
    const std::vector<std::byte> alike(420, std::byte{7});
    std::vector<std::byte> got(420);
    CHECK(run_job(gpu(), job, alike, got));
    CHECK(got == alike);
}

TEST_CASE("medians of 9, 25 and 27 neighbours are sorted by exchanges") {
    const std::vector<Number> types{Number::u8, Number::i8, Number::u16, Number::i16, Number::u32, Number::i32, Number::f32, Number::f64};
    for (const auto& [count, type, border] :
         combinations<std::size_t, Number, BorderMode>({9, 25, 27}, types, every_border)) {
        // As long as neighbours are far, and shorter, so that they are found by bits.
        for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{23, 31}, {5, 6, 7}, {4, 40}, {3, 5}}) {
            FootprintJob job = made(Do::rank, border, shape, type, type, count);
            job.rank = count / 2;
            CAPTURE(count, static_cast<int>(type), static_cast<int>(border), shape);
            compare(job);
        }
    }
}

TEST_CASE("what the GPU has no footprint program for does not fit") {
    FootprintJob job = made(Do::sum, BorderMode::reflect, {3, 4}, Number::f64, Number::f64, 5);
    CHECK(fits(gpu(), job));
    job.result = Number::u64;
    CHECK_FALSE(fits(gpu(), job));
    job = made(Do::sum, BorderMode::reflect, {2, 3, 4, 5, 6}, Number::f64, Number::f64, 5);
    CHECK_FALSE(fits(gpu(), job));
    job = made(Do::sum, BorderMode::reflect, {3, 4}, Number::f64, Number::f64, 0);
    CHECK_FALSE(fits(gpu(), job));
    job = made(Do::sum, BorderMode::reflect, {3, 4}, Number::f64, Number::f64, 5);
    job.offsets[3] = std::int64_t{1} << 40;
    CHECK_FALSE(fits(gpu(), job));
}

TEST_CASE("a driver that computes footprints wrongly is found out") {
    const ScopedVariable fault("GLPROC_FAULT", "kernel:arrays/footprints/values.comp");
    ContextOptions options = second_context_options();
    options.self_check = true;
    options.debug = false;
    bool found = false;
    with_second_context(options, [&](Context& second) {
        const FootprintJob job = made(Do::rank, BorderMode::reflect, {40, 40}, Number::f32, Number::f32, 9);
        std::vector<std::byte> result(1600 * sizeof(float));
        try {
            run_job(second, job, values_for(job), result);
        } catch (const WrongKernel&) {
            found = true;
        }
    });
    CHECK(found);
}
