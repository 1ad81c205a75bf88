// How kernels round a result to the depth of an image, which no filter's tolerance may hide.
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/reference.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::map<std::string, std::string> probe{{"round_probe.comp", R"(#version 430 core
#include "lib/pixel.glsl"
layout(local_size_x = 64) in;
layout(std430) readonly buffer b_values { float values[]; };
layout(std430) writeonly buffer b_codes { uint codes[]; };
uniform int u_count;
void main() {
    int k = int(gl_GlobalInvocationID.x);
    if (k < u_count) {
        codes[k] = code_of(values[k]);
    }
}
)"}};

std::vector<std::uint32_t> round_on_gpu(Depth depth, const std::vector<float>& values) {
    const ScopedKernels kernels(probe);
    Buffer asked = gpu().make_buffer(values.size() * sizeof(float), "values");
    asked.write(values);
    Buffer codes = gpu().make_buffer(values.size() * sizeof(std::uint32_t), "codes");
    const std::string bits = std::to_string(static_cast<int>(depth));
    gpu()
        .pass("round probe", "round_probe.comp",
              {{"SRC_DEPTH", bits}, {"DST_DEPTH", bits}, {"CHANNELS", "1"}, {"ALPHA", "0"}})
        .reads("b_values", asked)
        .writes("b_codes", codes)
        .set("u_count", static_cast<int>(values.size()))
        .over(static_cast<std::int64_t>(values.size()));
    return codes.read<std::uint32_t>(values.size());
}

} // namespace

TEST_CASE("a kernel clamps to the codes and rounds ties to even") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const auto top = static_cast<float>(max_code(depth));
        std::vector<float> values{-1e30F, -1, -0.5F, -0.0F, top - 0.5F, top + 0.5F, top + 100, 1e30F};
        for (int code = 0; code < 250; ++code) {
            for (const float part : {0.0F, 0.25F, 0.49999F, 0.5F, 0.50001F, 0.75F}) {
                values.push_back(static_cast<float>(code) + part);
            }
        }
        const std::vector<std::uint32_t> codes = round_on_gpu(depth, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            INFO(values[i]);
            CHECK(codes[i] == round_to_depth(static_cast<double>(values[i]), depth));
        }
    }
}
