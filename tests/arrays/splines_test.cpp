// Splines through arrays, by their definition. Their bits are compared with SciPy's in tests/python.
#include "glproc/arrays/splines/splines.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<SplineBorder> every_border{SplineBorder::constant,     SplineBorder::nearest, SplineBorder::mirror,
                                             SplineBorder::reflect,      SplineBorder::wrap,    SplineBorder::grid_wrap,
                                             SplineBorder::grid_constant};

/// The B-spline by its recursion (C. de Boor, A Practical Guide to Splines).
double basis(int order, double x) {
    if (order == 0) {
        return x >= -0.5 && x < 0.5 ? 1 : 0;
    }
    const double half = (order + 1) / 2.0;
    return ((half + x) * basis(order - 1, x + 0.5) + (half - x) * basis(order - 1, x - 0.5)) / order;
}

std::vector<double> noise(std::int64_t count) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<double>((i * 7919 + 13) % 101) - 40);
    }
    return values;
}

std::vector<double> interpolated(const SplineJob& job, const std::vector<double>& source) {
    std::vector<double> result(static_cast<std::size_t>(job.result.count()));
    job.run_on_cpu(std::as_bytes(std::span(source)), std::as_writable_bytes(std::span(result)));
    return result;
}

std::vector<double> filtered(const SplineFilterJob& job, const std::vector<double>& source) {
    std::vector<double> result(source.size());
    run_spline_filter(job, std::as_bytes(std::span(source)), std::as_writable_bytes(std::span(result)));
    return result;
}

} // namespace

TEST_CASE("a spline goes through the values that it was made of") {
    for (const auto& [order, border, shape] : combinations<int, SplineBorder, std::vector<std::int64_t>>(
             {2, 3, 4, 5}, every_border, {{1}, {2}, {31}, {5, 9}, {70, 2}, {3, 4, 17}, {33, 41}})) {
        if (border == SplineBorder::nearest || border == SplineBorder::grid_constant) {
            continue; // whose filters want values around the array
        }
        if (border == SplineBorder::reflect && *std::min_element(shape.begin(), shape.end()) < 31) {
            continue; // SciPy's first value counts itself once more, which matters on short lines
        }
        const VolumeForm form{Number::f64, shape};
        const std::vector<double> values = noise(form.count());
        std::vector<int> axes;
        SplineJob job{.source = form, .result = form, .order = order, .border = border};
        for (const std::int64_t length : shape) {
            axes.push_back(static_cast<int>(axes.size()));
            job.along.emplace_back();
            for (std::int64_t i = 0; i < length; ++i) {
                job.along.back().push_back(static_cast<double>(i));
            }
        }
        const std::vector<double> coefficients =
            filtered({.source = form, .axes = axes, .order = order, .border = border}, values);
        const std::vector<double> got = interpolated(job, coefficients);
        CAPTURE(order, static_cast<int>(border), shape.size(), shape.back());
        for (std::size_t i = 0; i < values.size(); ++i) {
            CHECK(got[i] == Approx(values[i]).margin(1e-9));
        }
    }
}

TEST_CASE("values between others are weighted by B-splines") {
    const VolumeForm form{Number::f64, {17, 19}};
    const std::vector<double> values = noise(form.count());
    for (const int order : {1, 2, 3, 4, 5}) {
        // Far enough from the borders, and not half way between values, where the parts of a spline meet.
        std::vector<double> places;
        for (int i = 0; i < 40; ++i) {
            places.push_back(4 + i * 0.2131);
        }
        for (int i = 0; i < 40; ++i) {
            places.push_back(14 - i * 0.2377);
        }
        SplineJob job{.source = form, .result = {Number::f64, {40}}, .order = order};
        job.coordinates = places;
        const std::vector<double> got = interpolated(job, values);
        for (std::size_t i = 0; i < got.size(); ++i) {
            double expected = 0;
            for (int y = 0; y < 17; ++y) {
                for (int x = 0; x < 19; ++x) {
                    expected += values[static_cast<std::size_t>(y * 19 + x)] * basis(order, places[i] - y) *
                                basis(order, places[i + 40] - x);
                }
            }
            CAPTURE(order, i);
            CHECK(got[i] == Approx(expected).margin(1e-10));
        }
    }
}

TEST_CASE("matrices, tables and coordinates say the same places") {
    const VolumeForm form{Number::f64, {11, 13}};
    const std::vector<double> values = noise(form.count());
    for (const SplineBorder border : every_border) {
        SplineJob job{.source = form, .result = {Number::f64, {7, 5}}, .order = 3, .border = border, .constant = 4};
        std::vector<double> places(70);
        job.along = {std::vector<double>(7), std::vector<double>(5)};
        for (std::size_t y = 0; y < 7; ++y) {
            for (std::size_t x = 0; x < 5; ++x) {
                job.along[0][y] = places[y * 5 + x] = double(y) * 2.5 - 3.25;
                job.along[1][x] = places[35 + y * 5 + x] = double(x) * 5.5 - 4.5;
            }
        }
        const std::vector<double> by_tables = interpolated(job, values);
        job.along.clear();
        job.matrix = {2.5, 0, -3.25, 0, 5.5, -4.5};
        CHECK(interpolated(job, values) == by_tables);
        job.matrix.clear();
        job.coordinates = places;
        CHECK(interpolated(job, values) == by_tables);
    }
}

TEST_CASE("integers are rounded and kept within their type") {
    const std::vector<double> values{-3.0, 254.4, 254.5, 300.0, -0.5};
    SplineJob job{.source = {Number::f64, {5}}, .result = {Number::u8, {5}}, .order = 0};
    job.along = {{0, 1, 2, 3, 4}};
    std::vector<std::uint8_t> got(5);
    job.run_on_cpu(std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(got)));
    CHECK(got == std::vector<std::uint8_t>{0, 254, 255, 255, 0});
    job.rounds = false;
    job.run_on_cpu(std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(got)));
    CHECK(got == std::vector<std::uint8_t>{253, 254, 254, 44, 0});
}

TEST_CASE("places far beyond an array are no fault") {
    const std::vector<double> values = noise(9);
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> places{1e300, -1e300, infinity, -infinity, std::nan(""), 9.3e18, -9.3e18};
    for (const SplineBorder border : every_border) {
        for (const int order : {0, 1, 3}) {
            SplineJob job{.source = {Number::f64, {9}}, .result = {Number::f64, {7}}, .order = order, .border = border};
            job.coordinates = places;
            CHECK(interpolated(job, values).size() == 7);
        }
    }
}
