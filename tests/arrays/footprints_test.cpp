// Filters by a footprint, by their definition.
#include "glproc/arrays/footprints/footprints.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"

#include <algorithm>
#include <cstring>

using namespace glproc;
using namespace glproc::test;

namespace {

using Do = FootprintJob::Do;

/// The value at an index, or what stands for it beyond the borders.
double value_at(const std::vector<double>& values, const FootprintJob& job, std::vector<std::int64_t> index) {
    std::int64_t at = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        const std::int64_t place = index_within(job.border, index[axis], job.source.shape[axis]);
        if (place < 0) {
            return job.constant;
        }
        at = at * job.source.shape[axis] + place;
    }
    return values[static_cast<std::size_t>(at)];
}

double naive(const std::vector<double>& values, const FootprintJob& job,
             const std::vector<std::int64_t>& index) {
    std::vector<double> around;
    double sum = 0;
    for (std::size_t i = 0; i < job.neighbours(); ++i) {
        std::vector<std::int64_t> there = index;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            there[axis] += job.offsets[i * index.size() + axis];
        }
        around.push_back(value_at(values, job, there));
        sum += job.what == Do::sum ? around.back() * job.weights[i] : 0;
    }
    std::sort(around.begin(), around.end());
    return job.what == Do::sum       ? sum
           : job.what == Do::minimum ? around.front()
           : job.what == Do::maximum ? around.back()
                                     : around[job.rank];
}

} // namespace

TEST_CASE("footprints are what their definition says") {
    const std::vector<std::vector<std::int64_t>> shapes{
        {1, 1, 1}, {4, 5, 6}, {1, 1, 700}, {300, 3, 2}, {7, 41, 599}};
    const std::vector<BorderMode> borders{BorderMode::reflect, BorderMode::nearest, BorderMode::mirror,
                                          BorderMode::wrap, BorderMode::constant};
    for (const auto& [what, border, shape] : combinations<Do, BorderMode, std::vector<std::int64_t>>(
             {Do::sum, Do::minimum, Do::maximum, Do::rank}, borders, shapes)) {
        FootprintJob job{.source = {Number::f64, shape},
                         .result = Number::f64,
                         .what = what,
                         .border = border,
                         .constant = -2.5,
                         .offsets = {0, 0, 0, -2, 1, 3, 1, -1, 0, 0, 2, -5, 3, 0, 1},
                         .weights = {0.5, -0.25, 2, 1, 0.125},
                         .rank = 3};
        std::vector<double> values;
        for (std::int64_t i = 0; i < job.source.count(); ++i) {
            values.push_back(static_cast<double>((i * 7919 + 11) % 1009) - 400.5);
        }
        std::vector<std::byte> source(values.size() * sizeof(double));
        std::memcpy(source.data(), values.data(), source.size());
        std::vector<std::byte> bytes(source.size());
        job.run_on_cpu(source, bytes);
        std::vector<double> results(values.size());
        std::memcpy(results.data(), bytes.data(), bytes.size());
        CAPTURE(static_cast<int>(what), static_cast<int>(border), shape);
        bool same = true;
        std::size_t i = 0;
        for (std::int64_t z = 0; z < shape[0]; ++z) {
            for (std::int64_t y = 0; y < shape[1]; ++y) {
                for (std::int64_t x = 0; x < shape[2]; ++x, ++i) {
                    same = same && results[i] == naive(values, job, {z, y, x});
                }
            }
        }
        CHECK(same);
    }
}

TEST_CASE("every rank among few neighbours and many is what sorting gives") {
    for (const std::size_t count : {1, 2, 3, 8, 9, 25, 36, 37}) {
        FootprintJob job{.source = {Number::f64, {3, 70}},
                         .what = Do::rank,
                         .border = BorderMode::wrap,
                         .offsets = {},
                         .weights = {}};
        for (std::size_t i = 0; i < count; ++i) {
            job.offsets.push_back(static_cast<std::int64_t>(i % 3));
            job.offsets.push_back(static_cast<std::int64_t>(i) - 9);
        }
        std::vector<double> values;
        for (std::int64_t i = 0; i < job.source.count(); ++i) {
            values.push_back(static_cast<double>((i * 7919 + 11) % 101));
        }
        std::vector<std::byte> source(values.size() * sizeof(double));
        std::memcpy(source.data(), values.data(), source.size());
        std::vector<std::byte> bytes(source.size());
        std::vector<double> results(values.size());
        bool same = true;
        for (job.rank = 0; job.rank < count; ++job.rank) {
            job.run_on_cpu(source, bytes);
            std::memcpy(results.data(), bytes.data(), bytes.size());
            for (std::int64_t i = 0; i < job.source.count(); ++i) {
                same = same && results[static_cast<std::size_t>(i)] == naive(values, job, {i / 70, i % 70});
            }
        }
        CAPTURE(count);
        CHECK(same);
    }
}

TEST_CASE("negative results become unsigned by way of positive ones") {
    const std::vector<double> values{-5.5, -0.5, -1e19, 1e19};
    FootprintJob job{.source = {Number::f64, {4}}, .result = Number::u64, .offsets = {0}, .weights = {1}};
    std::vector<std::byte> source(32);
    std::vector<std::byte> result(32);
    std::memcpy(source.data(), values.data(), 32);
    job.run_on_cpu(source, result);
    std::vector<std::uint64_t> got(4);
    std::memcpy(got.data(), result.data(), 32);
    constexpr std::uint64_t large = 10000000000000000000U;
    CHECK(got == std::vector<std::uint64_t>{std::uint64_t{0} - 5, 0, std::uint64_t{0} - large, large});
}
