#include "glproc/ops/blur.hpp"

#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// One row of grey float pixels.
Image float_row(const std::vector<double>& values) {
    Image image(static_cast<int>(values.size()), 1, 1, Depth::f32);
    for (std::size_t i = 0; i < values.size(); ++i) {
        set_value(image, static_cast<int>(i), 0, 0, values[i]);
    }
    return image;
}

} // namespace

TEST_CASE("gaussian taps are the golden half kernels") {
    const auto check = [](double sigma, const std::vector<double>& golden) {
        const std::vector<double> taps = gaussian_taps(sigma, gaussian_radius(sigma));
        REQUIRE(taps.size() == golden.size());
        for (std::size_t i = 0; i < golden.size(); ++i) {
            CHECK(taps[i] == Approx(golden[i]).margin(5e-9));
        }
    };
    check(1, {0.39894347, 0.24197145, 0.05399113, 0.00443186, 0.00013383});
    check(0.5, {0.78657073, 0.10645077, 0.00026387});
    check(0, {1});
}

TEST_CASE("gaussian taps add up to one and fall with the distance, for any sigma and radius") {
    for (const double sigma : {1e-3, 0.1, 0.7, 3.0, 50.0, 1000.0}) {
        for (const int radius : {0, 1, 5, 400, 4000}) {
            const std::vector<double> taps = gaussian_taps(sigma, radius);
            double sum = taps[0];
            for (std::size_t i = 1; i < taps.size(); ++i) {
                sum += 2 * taps[i];
                CHECK_FALSE(taps[i] > taps[i - 1]);
            }
            CHECK(sum == Approx(1).epsilon(1e-12));
        }
    }
}

TEST_CASE("a white pixel in a black row is blurred to the golden row") {
    const std::vector<int> golden{0, 1, 14, 62, 102, 62, 14, 1, 0};
    for (const auto& row : enum_rows<FilterMethod>) {
        const GpuImage src = gpu().upload(impulse_image({9, 1, 1, Depth::u8}, 4, 0));
        const Image result = gpu().download(Blur{.sigma = {1, 0}, .method = row.value}(gpu(), src));
        for (int x = 0; x < 9; ++x) {
            INFO("method " << row.name << " x " << x);
            CHECK(result.at(x, 0, 0) == golden[static_cast<std::size_t>(x)]);
        }
    }
}

TEST_CASE("a ramp is blurred to the golden rows of every border") {
    struct Golden {
        BorderMode border;
        std::vector<double> row;
    };
    const std::vector<Golden> goldens{
        {BorderMode::mirror, {36.3785, 56.3123, 100, 143.6877, 163.6215}},
        {BorderMode::symmetric, {21.3520, 53.3911, 100, 146.6089, 178.6480}},
        {BorderMode::clamp, {18.1892, 53.1561, 100, 146.8439, 181.8108}},
        {BorderMode::wrap, {75.1321, 64.6057, 100, 135.3943, 124.8679}},
        {BorderMode::constant, {18.1892, 53.1294, 99.0869, 135.1325, 121.7051}},
    };
    CHECK(goldens.size() == enum_rows<BorderMode>.size());
    for (const Golden& golden : goldens) {
        for (const auto& row : enum_rows<FilterMethod>) {
            const GpuImage src = gpu().upload(float_row({0, 50, 100, 150, 200}));
            const Blur blur{.sigma = {1, 0}, .border = golden.border, .method = row.value};
            const Image result = gpu().download(blur(gpu(), src));
            for (int x = 0; x < 5; ++x) {
                INFO(describe(blur) << " x " << x);
                CHECK(result.at(x, 0, 0) == Approx(golden.row[static_cast<std::size_t>(x)]).margin(6e-5));
            }
        }
    }
}

TEST_CASE("any sigma gives the answer, up to 1000") {
    for (const double sigma : {0.05, 0.3, 1.0, 2.7, 7.9, 33.0, 250.0, 1000.0}) {
        const Blur blur{.sigma = sigma, .border = BorderMode::symmetric};
        check_methods(blur, random_image({37, 23, 1, Depth::u8}, 21));
        check_methods(blur, random_image({37, 23, 4, Depth::f32}, 21));
    }
}

TEST_CASE("Gaussian sums over large radii stay within the tolerance of 16-bit and float images") {
    for (const Depth depth : {Depth::u16, Depth::f32}) {
        for (const double sigma : {100.0, 400.0, 1000.0}) {
            check_methods(Blur{.sigma = sigma}, constant_image({19, 11, 1, depth}, 0.7));
            check_methods(Blur{.sigma = sigma}, two_valued_image({19, 11, 1, depth}, 0.1, 1, 22));
        }
    }
}

TEST_CASE("sigma is one for each axis, and sigma 0 leaves its axis alone") {
    for (const auto& [x, y] : {std::pair{1.0, 3.0}, {3.0, 1.0}, {0.0, 2.0}, {2.0, 0.0}}) {
        check_methods(Blur{.sigma = {x, y}, .border = BorderMode::mirror},
                      random_image({33, 31, 3, Depth::u8}, 23));
    }
}

TEST_CASE("truncate moves the radius, rounded half up") {
    const Image image = random_image({40, 9, 1, Depth::f32}, 24);
    for (const double truncate : {0.0, 1.0, 2.25, 3.0, 6.0}) {
        check_methods(Blur{.sigma = 2, .truncate = truncate}, image);
    }
}

TEST_CASE("a radius is used instead of truncate, one for each axis") {
    const Image image = random_image({40, 21, 1, Depth::f32}, 25);
    check_methods(Blur{.sigma = 2, .truncate = 1, .radius = 7}, image);
    check_methods(Blur{.sigma = 2, .radius = PerAxis<int>{3, 9}}, image);
    check_methods(Blur{.sigma = 2, .radius = PerAxis<int>{0, 4}}, image);
    check_methods(Blur{.sigma = {0, 2}, .radius = 4}, image); // no weight beyond the centre along x
}

TEST_CASE("on a photograph-like picture hardly a value of a blur differs from the rounded answer") {
    const Image image = photo_like_image({240, 160, 3, Depth::u8}, 26);
    for (const double sigma : {0.5, 2.0, 10.0}) {
        const Blur blur{.sigma = sigma, .method = FilterMethod::direct};
        const Image result = gpu().download(blur(gpu(), gpu().upload(image)));
        const Comparison comparison = compare(result, expected(blur, image));
        INFO(comparison.problem);
        CHECK(comparison.problem.empty());
        CHECK(comparison.off * 1000 < comparison.values);
        CHECK(comparison.mean_error < 0.26); // rounding alone gives 0.25
    }
}

TEST_CASE("values out of range are refused by name") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(usage_error(Blur{.sigma = -1}) == "sigma -1 is out of range");
    CHECK(usage_error(Blur{.sigma = {1, 1000.5}}) == "sigma 1000.5 is out of range");
    CHECK(usage_error(Blur{.sigma = nan}) == "sigma nan is out of range");
    CHECK(usage_error(Blur{.sigma = infinity}) == "sigma inf is out of range");
    CHECK(usage_error(Blur{.sigma = 1, .truncate = -0.5}) == "truncate -0.5 is out of range");
    CHECK(usage_error(Blur{.sigma = 1, .truncate = nan}) == "truncate nan is out of range");
    CHECK(usage_error(Blur{.sigma = 1000, .truncate = 100}) == "radius 100000 is out of range");
    CHECK(usage_error(Blur{.sigma = 1, .radius = -1}) == "radius -1 is out of range");
    CHECK(usage_error(Blur{.sigma = 1, .radius = PerAxis<int>{1, 65536}}) == "radius 65536 is out of range");
}
