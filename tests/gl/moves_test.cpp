// Rows that move up in an array to make room for the next: some drivers compile that wrongly.
#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr int rows_held = 4;
constexpr int turns = 5;
constexpr std::size_t invocations = 8;
constexpr std::size_t values_given = 64;

/// A way to hold and move rows of one or two parts.
struct Pattern {
    std::string_view name;
    int parts;
    int length;             ///< values of a part
    int step;               ///< rows that make room in a turn
    std::string_view array; ///< its declaration
    std::string_view at;    ///< value j of part h of row i
    std::string_view move;  ///< statements after which row `step` is the first
};

constexpr std::array nested{
    Pattern{"rows", 1, 3, 1, "uint v[4][3]", "v[i][j]", "for (int i = 0; i < 3; ++i) v[i] = v[i + 1];"},
    Pattern{"rows, by constants", 1, 3, 1, "uint v[4][3]", "v[i][j]",
            "v[0] = v[1]; v[1] = v[2]; v[2] = v[3];"},
    Pattern{"vectors", 2, 4, 1, "uvec4 v[4][2]", "v[i][h][j]",
            "for (int i = 0; i < 3; ++i) for (int h = 0; h < 2; ++h) v[i][h] = v[i + 1][h];"},
    Pattern{"vectors, by two rows", 2, 4, 2, "uvec4 v[4][2]", "v[i][h][j]",
            "for (int i = 0; i < 2; ++i) for (int h = 0; h < 2; ++h) v[i][h] = v[i + 2][h];"},
    Pattern{"scalars", 2, 4, 1, "uint v[4][2][4]", "v[i][h][j]",
            "for (int i = 0; i < 3; ++i) for (int h = 0; h < 2; ++h) for (int j = 0; j < 4; ++j) "
            "v[i][h][j] = v[i + 1][h][j];"},
    Pattern{"columns", 2, 4, 1, "uvec4 v[2][4]", "v[h][i][j]",
            "for (int h = 0; h < 2; ++h) for (int i = 0; i < 3; ++i) v[h][i] = v[h][i + 1];"},
};

constexpr std::array flat{
    Pattern{"rows that are vectors", 1, 3, 1, "uvec4 v[4]", "v[i][j]",
            "for (int i = 0; i < 3; ++i) v[i] = v[i + 1];"},
    Pattern{"vectors", 2, 4, 1, "uvec4 v[8]", "v[2 * (i) + (h)][j]",
            "for (int i = 0; i < 3; ++i) for (int h = 0; h < 2; ++h) v[2 * i + h] = v[2 * i + 2 + h];"},
    Pattern{"vectors, by two rows", 2, 4, 2, "uvec4 v[8]", "v[2 * (i) + (h)][j]",
            "for (int q = 0; q < 4; ++q) v[q] = v[q + 4];"},
    Pattern{"scalars", 2, 4, 1, "uint v[32]", "v[8 * (i) + 4 * (h) + (j)]",
            "for (int q = 0; q < 24; ++q) v[q] = v[q + 8];"},
    Pattern{"MOVE_ROWS", 2, 4, 1, "uint v[32]", "v[8 * (i) + 4 * (h) + (j)]",
            "uint last[8]; for (int j = 0; j < 8; ++j) last[j] = 0u; MOVE_ROWS(v, 4, 8, last)"},
};

/// Loads row `from` of all into row `to` of those held. Without a loop more than needed: that can hide the
/// fault.
std::string load_of(const Pattern& pattern, std::string_view to, std::string_view from) {
    return fmt::format("{} for (int j = 0; j < {}; ++j) AT({}, {}, j) = load({} * ({}) + {}j);",
                       pattern.parts == 1 ? "" : "for (int h = 0; h < 2; ++h)", pattern.length, to,
                       pattern.parts == 1 ? "0" : "h", pattern.parts * pattern.length, from,
                       pattern.parts == 1 ? "" : "4 * h + ");
}

std::string kernel_of(const Pattern& pattern, bool is_global) {
    std::string loads;
    for (int n = 0; n < pattern.step; ++n) {
        loads += load_of(pattern, fmt::format("{}", rows_held - pattern.step + n),
                         fmt::format("{} + {} * k", rows_held + n, pattern.step));
    }
    return fmt::format(R"(#version 430 core
#include "lib/moved.glsl"
layout(local_size_x = {}) in;
layout(std430) readonly buffer b_values {{ uint values[]; }};
layout(std430) writeonly buffer b_results {{ uint results[]; }};
uniform int u_turns; // unknown to the compiler
#define AT(i, h, j) {}
{}
uint load(int i) {{
    return values[i + int(gl_LocalInvocationIndex) & {}];
}}
void main() {{
    {}
    for (int i = 0; i < 4; ++i) {}
    uint sum = 0u;
    for (int k = 0; k < u_turns; ++k) {{
        {}
        {}
        sum = sum * 7u + AT(0, 0, 0) + AT(1, {last}, 1) * 2u + AT(2, 0, 2) * 3u + AT(3, {last}, 0) * 5u;
    }}
    results[gl_LocalInvocationIndex] = sum;
}}
)",
                       invocations, pattern.at, is_global ? fmt::format("{};", pattern.array) : "",
                       values_given - 1, is_global ? "" : fmt::format("{};", pattern.array),
                       load_of(pattern, "i", "i"), pattern.move, loads, fmt::arg("last", pattern.parts - 1));
}

std::vector<std::uint32_t> given_values() {
    std::vector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < values_given; ++i) {
        values.push_back(3 * i + 1);
    }
    return values;
}

/// What the kernel of a pattern must give: in turn k row i is row k + 1 of all that are loaded, by `step`
/// rows a turn.
std::vector<std::uint32_t> expected(const Pattern& pattern) {
    const std::vector<std::uint32_t> values = given_values();
    std::vector<std::uint32_t> sums;
    for (std::size_t me = 0; me < invocations; ++me) {
        const auto value = [&](int row, int part, int j) {
            const int place = (row * pattern.parts + part) * pattern.length + j;
            return values[(static_cast<std::size_t>(place) + me) % values_given];
        };
        const int last = pattern.parts - 1;
        std::uint32_t sum = 0;
        for (int k = 0; k < turns; ++k) {
            const int top = (k + 1) * pattern.step;
            sum = sum * 7 + value(top, 0, 0) + value(top + 1, last, 1) * 2 + value(top + 2, 0, 2) * 3 +
                  value(top + 3, last, 0) * 5;
        }
        sums.push_back(sum);
    }
    return sums;
}

std::vector<std::uint32_t> compute(const std::string& kernel) {
    static int made = 0; // programs are kept by their kernel's name
    const std::string name = fmt::format("moves_probe_{}.comp", made++);
    const ScopedKernels kernels(std::map<std::string, std::string>{{name, kernel}});
    const std::vector<std::uint32_t> values = given_values();
    Buffer given = gpu().make_buffer(values.size() * sizeof(std::uint32_t), "values");
    given.write(values);
    Buffer results = gpu().make_buffer(invocations * sizeof(std::uint32_t), "results");
    gpu()
        .pass("moves probe", name)
        .reads("b_values", given)
        .writes("b_results", results)
        .set("u_turns", turns)
        .over(static_cast<std::int64_t>(invocations));
    return results.read<std::uint32_t>(invocations);
}

bool comes_out_right(const Pattern& pattern, bool is_global) {
    return compute(kernel_of(pattern, is_global)) == expected(pattern);
}

} // namespace

TEST_CASE("rows move right in flat arrays, on every driver") {
    for (const Pattern& pattern : flat) {
        for (const bool is_global : {false, true}) {
            INFO(pattern.name << (is_global ? ", global" : ""));
            CHECK(comes_out_right(pattern, is_global));
        }
    }
}

TEST_CASE("a driver that moves rows of arrays of arrays wrongly is known for it") {
    const DeviceInfo& device = gpu().device();
    CHECK(device.has_workaround("array_moves") == (device.version.find("Mesa 25") != std::string::npos));
    std::vector<std::string> wrong;
    for (const Pattern& pattern : nested) {
        for (const bool is_global : {false, true}) {
            if (!comes_out_right(pattern, is_global)) {
                wrong.push_back(fmt::format("{}{}", pattern.name, is_global ? ", global" : ""));
            }
        }
    }
    INFO(device.version << ": " << fmt::format("{}", fmt::join(wrong, "; ")));
    CHECK((wrong.empty() || device.has_workaround("array_moves")));
}
