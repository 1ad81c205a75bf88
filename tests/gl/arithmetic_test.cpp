// lib/reproducible.glsl: what it promises is what the processor gives, bit for bit.
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::map<std::string, std::string> probe{{"arithmetic_probe.comp", R"(#version 430 core
#include "lib/reproducible.glsl"
layout(local_size_x = 64) in;
layout(std430) readonly buffer b_values { uint values[]; };
layout(std430) writeonly buffer b_results { uint results[]; };
uniform int u_count;
void main() {
    int k = int(gl_GlobalInvocationID.x);
    if (k < u_count) {
        float a = uintBitsToFloat(values[3 * k]);
        float b = uintBitsToFloat(values[3 * k + 1]);
        float c = uintBitsToFloat(values[3 * k + 2]);
        float sum = c;
        for (int turn = 0; turn < 3; ++turn) {
            sum = add_product(sum, a, b);
        }
        results[4 * k] = floatBitsToUint(sum);
        results[4 * k + 1] = floatBitsToUint(product_of(a, b));
        results[4 * k + 2] = floatBitsToUint(reciprocal(a));
        results[4 * k + 3] = floatBitsToUint(float_of(values[3 * k], values[3 * k + 1] & 0xfffffu));
    }
}
)"}};

const std::map<std::string, std::string> quotient_probe{{"quotient_probe.comp", R"(#version 430 core
#include "lib/reproducible.glsl"
layout(local_size_x = 64) in;
layout(std430) readonly buffer b_values { float values[]; };
layout(std430) writeonly buffer b_results { float results[]; };
uniform int u_count;
uniform int u_to_float;
void main() {
    int k = int(gl_GlobalInvocationID.x);
    if (k < u_count) {
        float value = values[2 * k];
        float divisor = values[2 * k + 1];
        results[k] = u_to_float == 1 ? quotient_of(value, divisor, reciprocal(divisor))
                                     : nearest_quotient(value, divisor, 1.0 / divisor);
    }
}
)"}};

constexpr std::size_t results_each = 4;

std::vector<std::uint32_t> compute(const std::vector<std::uint32_t>& values) {
    const ScopedKernels kernels(probe);
    const std::size_t count = values.size() / 3;
    Buffer asked = gpu().make_buffer(values.size() * sizeof(std::uint32_t), "values");
    asked.write(values);
    Buffer results = gpu().make_buffer(results_each * count * sizeof(std::uint32_t), "results");
    gpu()
        .pass("arithmetic probe", "arithmetic_probe.comp")
        .reads("b_values", asked)
        .writes("b_results", results)
        .set("u_count", static_cast<int>(count))
        .over(static_cast<std::int64_t>(count));
    return results.read<std::uint32_t>(results_each * count);
}

/// Two roundings, whatever the compiler does: a double holds the product of two floats exactly.
float rounded_product(float a, float b) {
    return static_cast<float>(double(a) * double(b));
}

float sum_of_products(float sum, float a, float b, int turns) {
    for (int i = 0; i < turns; ++i) {
        sum += rounded_product(a, b);
    }
    return sum;
}

enum class QuotientTo { whole, float_of_few_bits };

/// Of values two by two.
std::vector<float> quotients(const std::vector<float>& values, QuotientTo rounding) {
    const ScopedKernels kernels(quotient_probe);
    const std::size_t count = values.size() / 2;
    Buffer asked = gpu().make_buffer(values.size() * sizeof(float), "values");
    asked.write(values);
    Buffer results = gpu().make_buffer(count * sizeof(float), "results");
    gpu()
        .pass("quotient probe", "quotient_probe.comp")
        .reads("b_values", asked)
        .writes("b_results", results)
        .set("u_count", static_cast<int>(count))
        .set("u_to_float", rounding == QuotientTo::whole ? 0 : 1)
        .over(static_cast<std::int64_t>(count));
    return results.read<float>(count);
}

} // namespace

TEST_CASE("sums, products and reciprocals of kernels are rounded to nearest, and never in one with another") {
    std::vector<std::uint32_t> values;
    int would_differ = 0;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        const auto number = [&](std::uint32_t c) {
            return static_cast<float>(hash_01(7, i, c) * 255 + 1.0 / 3);
        };
        float a = number(0);
        if (i < 4000) { // powers of two, neighbours of them, signs
            a = std::ldexp(i % 4 == 0   ? 1.0F
                           : i % 4 == 1 ? 0x1.fffffep0F
                                        : 0x1.000002p0F,
                           static_cast<int>(i % 180) - 90);
            a = i % 8 < 4 ? a : -a;
        }
        const float b = number(1);
        const float c = i % 2 == 0 ? number(2) : -rounded_product(a, b);
        would_differ += std::fma(a, b, c) != c + rounded_product(a, b) ? 1 : 0;
        for (const float value : {a, b, c}) {
            values.push_back(std::bit_cast<std::uint32_t>(value));
        }
    }
    REQUIRE(would_differ > 5000); // the numbers tell one rounding from two
    const std::vector<std::uint32_t> results = compute(values);
    std::array<int, results_each> wrong{};
    for (std::size_t i = 0; i < values.size() / 3; ++i) {
        const auto a = std::bit_cast<float>(values[3 * i]);
        const auto b = std::bit_cast<float>(values[3 * i + 1]);
        const auto c = std::bit_cast<float>(values[3 * i + 2]);
        const double upper = std::floor(values[3 * i] + double(values[3 * i + 1] & 0xf0000U) / 65536) * 65536;
        const std::array<float, results_each> expected{
            sum_of_products(c, a, b, 3), rounded_product(a, b), static_cast<float>(1 / double(a)),
            static_cast<float>(upper) + static_cast<float>(values[3 * i + 1] & 0xffffU)};
        for (std::size_t k = 0; k < results_each; ++k) {
            wrong[k] += results[results_each * i + k] != std::bit_cast<std::uint32_t>(expected[k]) ? 1 : 0;
        }
    }
    CHECK(wrong == std::array<int, results_each>{});
}

TEST_CASE("quotients are rounded to the nearest whole number, half to even, whatever the driver's division") {
    std::vector<float> values;
    std::vector<float> expected;
    for (std::uint32_t i = 0; i < 30000; ++i) {
        const auto divisor =
            static_cast<float>(std::ldexp(hash_01(8, i, 0) + 0.01, static_cast<int>(i % 40) - 20));
        const auto whole = std::floor(hash_01(8, i, 1) * (i % 2 == 0 ? 256 : 65536));
        const double part = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.5 : hash_01(8, i, 2); // whole, halfway, any
        auto value = rounded_product(static_cast<float>(whole + part), divisor);
        value = i % 5 == 0 ? std::nextafter(value, 0.0F) : i % 5 == 1 ? std::nextafter(value, 1e38F) : value;
        const auto below = static_cast<float>(std::floor(double(value) / double(divisor)));
        const float halfway = rounded_product(below + 0.5F, divisor);
        const bool up = value > halfway || (value == halfway && std::fmod(below, 2.0F) == 1);
        values.insert(values.end(), {value, divisor});
        expected.push_back(up ? below + 1 : below);
    }
    CHECK(quotients(values, QuotientTo::whole) == expected);
}

TEST_CASE("quotients of few bits are exact, and others off by a bit or two") {
    std::vector<float> values;
    std::vector<double> expected;
    for (std::uint32_t i = 0; i < 30000; ++i) {
        const double divisor = std::ceil(hash_01(10, i, 0) * 65535);
        const double halves = std::floor(hash_01(10, i, 1) * 131072) / 2;
        const double value =
            i % 2 == 0 ? std::floor(hash_01(10, i, 2) * 0x1p24) : std::fmod(halves, 128) * divisor;
        values.insert(values.end(),
                      {static_cast<float>(value), static_cast<float>(i % 4 < 2 ? divisor : -divisor)});
        expected.push_back(double(values[2 * i]) / double(values[2 * i + 1]));
    }
    const std::vector<float> results = quotients(values, QuotientTo::float_of_few_bits);
    int inexact = 0;
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        inexact += i % 2 == 1 && double(results[i]) != expected[i] ? 1 : 0;
        largest = std::max(largest, std::abs(double(results[i]) - expected[i]) /
                                        std::abs(expected[i] == 0 ? 1 : expected[i]));
    }
    CHECK(inexact == 0);
    CHECK(largest < 0x1p-22);
}
