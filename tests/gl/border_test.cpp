// The kernels' border_index() against its definition.
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/reference.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::map<std::string, std::string> probe{{"border_probe.comp", R"(#version 430 core
#include "lib/pixel.glsl"
#include "lib/border.glsl"
layout(local_size_x = 64) in;
layout(std430) readonly buffer b_cases { ivec2 cases[]; };
layout(std430) writeonly buffer b_found { int found[]; };
uniform int u_count;
void main() {
    int k = int(gl_GlobalInvocationID.x);
    if (k < u_count) {
        found[k] = border_index(cases[k].x, cases[k].y);
    }
}
)"}};

using Case = std::array<int, 2>; // i, n

std::vector<int> ask_kernel(BorderMode mode, const std::vector<Case>& cases) {
    const ScopedKernels kernels(probe);
    Buffer asked = gpu().make_buffer(cases.size() * sizeof(Case), "cases");
    asked.write(cases);
    Buffer found = gpu().make_buffer(cases.size() * sizeof(int), "found");
    gpu()
        .pass("border probe", "border_probe.comp",
              {{"BORDER", std::to_string(static_cast<int>(mode))},
               {"SRC_DEPTH", "8"},
               {"DST_DEPTH", "8"},
               {"CHANNELS", "1"},
               {"ALPHA", "0"}})
        .reads("b_cases", asked)
        .writes("b_found", found)
        .set("u_count", static_cast<int>(cases.size()))
        .over(static_cast<std::int64_t>(cases.size()));
    return found.read<int>(cases.size());
}

/// Every case of a line of n pixels whose index is a multiple of `step` away from the first, and all those
/// close to the ends, up to the largest radius beyond the image.
void add_cases(std::vector<Case>& cases, int n, int step) {
    constexpr int radius = 65535 + 16; // and the width of a unit
    for (int i = -n - radius; i <= n + radius; i += step) {
        cases.push_back({i, n});
    }
    for (const int near : {-n - radius, -2 * n, -n, 0, n, 2 * n, n + radius}) {
        for (int d = -3; d <= 3; ++d) {
            cases.push_back({std::clamp(near + d, -n - radius, n + radius), n});
        }
    }
}

} // namespace

TEST_CASE("a kernel finds the border's index for any image size and the largest radius") {
    std::vector<Case> cases;
    for (int n = 1; n <= 9; ++n) {
        add_cases(cases, n, 7);
    }
    for (const int n : {31, 997, 1024, 4093, 16384, 65536, 262144}) {
        add_cases(cases, n, 61);
    }
    for (const auto& row : enum_rows<BorderMode>) {
        const std::vector<int> found = ask_kernel(row.value, cases);
        int wrong = 0;
        for (std::size_t k = 0; k < cases.size(); ++k) {
            const auto [i, n] = cases[k];
            const int answer = border_index(row.value, i, n);
            if (found[k] != answer && ++wrong < 5) {
                INFO(row.name << ": i " << i << ", n " << n);
                CHECK(found[k] == answer);
            }
        }
        INFO(row.name << ": of " << cases.size());
        CHECK(wrong == 0);
    }
}
