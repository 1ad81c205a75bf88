// What kernels that must give the same bits on every driver rely on.
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

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
layout(local_size_x = 64) in;
layout(std430) readonly buffer b_values { float values[]; };
layout(std430) writeonly buffer b_results { float results[]; };
uniform int u_count;
uniform int u_turns;
void main() {
    int k = int(gl_GlobalInvocationID.x);
    if (k < u_count) {
        float a = values[3 * k];
        float b = values[3 * k + 1];
        float c = values[3 * k + 2];
        precise float fused = fma(a, b, c);
        float loose = fma(a, b, c);
        precise float product = a * b;
        precise float sum = product + c;
        precise float quotient = a / b;
        precise float root = sqrt(abs(a));
        precise float turns = c;
        for (int i = 0; i < u_turns; ++i) {
            turns = fma(a, values[3 * k + 1], turns);
        }
        precise float inv = 1.0 / b;
        results[8 * k] = fused;
        results[8 * k + 1] = loose;
        results[8 * k + 2] = sum;
        results[8 * k + 3] = quotient;
        results[8 * k + 4] = root;
        results[8 * k + 5] = turns;
        results[8 * k + 6] = inv;
        results[8 * k + 7] = a * b + c;
    }
}
)"}};

} // namespace

TEST_CASE("FACTS") {
    const ScopedKernels kernels(probe);
    const int count = 20000;
    std::vector<float> values;
    for (int i = 0; i < count; ++i) {
        const auto v = [&](unsigned c) { return static_cast<float>(hash_01(7, static_cast<unsigned>(i), c) * 255 + 1.0 / 3); };
        const float a = v(0), b = v(1);
        values.push_back(a);
        values.push_back(b);
        values.push_back(i % 2 ? -a * b : v(2) * 100);
    }
    Buffer asked = gpu().make_buffer(values.size() * sizeof(float), "values");
    asked.write(values);
    Buffer results = gpu().make_buffer(8 * count * sizeof(float), "results");
    gpu().pass("probe", "arithmetic_probe.comp").reads("b_values", asked).writes("b_results", results)
        .set("u_count", count).set("u_turns", 3).over(count);
    const auto r = results.read<float>(8 * count);
    int off[8] = {}, unfused[8] = {};
    for (int i = 0; i < count; ++i) {
        const float a = values[3 * i], b = values[3 * i + 1], c = values[3 * i + 2];
        const float f = std::fma(a, b, c);
        volatile float p = a * b;
        volatile float s = p + c;
        float t = c;
        for (int k = 0; k < 3; ++k) t = std::fma(a, b, t);
        const float want[8] = {f, f, s, a / b, std::sqrt(a), t, 1 / b, s};
        const float alt[8] = {s, s, f, a / b, std::sqrt(a), t, 1 / b, f};
        for (int k = 0; k < 8; ++k) {
            off[k] += r[8 * i + k] != want[k];
            unfused[k] += r[8 * i + k] != alt[k];
        }
    }
    const char* names[] = {"precise fma fused", "fma fused", "precise mul, add", "quotient", "sqrt", "loop fma", "1/b", "a*b+c"};
    for (int k = 0; k < 8; ++k) printf("%-20s off %d  (alternative off %d)\n", names[k], off[k], unfused[k]);
}
