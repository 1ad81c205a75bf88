// Dispatches: names, limits, barriers, and what a mistake says.
#include "glproc/base/error.hpp"
#include "glproc/gl/context_state.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::Contains;

namespace {

const std::map<std::string, std::string> test_kernels{
    {"uniforms.comp", R"(#version 430 core
layout(local_size_x = 1) in;
layout(std430) writeonly buffer b_out { uint values[]; };
uniform int u_int;
uniform uint u_uint;
uniform float u_float;
uniform ivec2 u_int2;
uniform uvec4 u_uint4;
uniform vec4 u_float4;
uniform int u_unused;
void main() {
    values[0] = uint(u_int);
    values[1] = u_uint;
    values[2] = floatBitsToUint(u_float);
    values[3] = uint(u_int2.x);
    values[4] = uint(u_int2.y);
    values[5] = u_uint4.x;
    values[6] = u_uint4.y;
    values[7] = u_uint4.z;
    values[8] = u_uint4.w;
    uvec4 bits = floatBitsToUint(u_float4);
    values[9] = bits.x;
    values[10] = bits.y;
    values[11] = bits.z;
    values[12] = bits.w;
}
)"},
    {"count_groups.comp", R"(#version 430 core
layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
layout(std430) buffer b_groups { uint groups; };
void main() {
    if (gl_LocalInvocationIndex == 0u) atomicAdd(groups, 1u);
}
)"},
    {"increment.comp", R"(#version 430 core
layout(local_size_x = 64) in;
layout(std430) buffer b_values { uint values[]; };
void main() { values[gl_GlobalInvocationID.x] += 1u; }
)"},
    {"write_image.comp", R"(#version 430 core
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32ui) writeonly uniform uimage2D i_dst;
uniform uint u_value;
void main() { imageStore(i_dst, ivec2(gl_GlobalInvocationID.xy), uvec4(u_value + gl_GlobalInvocationID.x)); }
)"},
    {"sample_image.comp", R"(#version 430 core
layout(local_size_x = 8, local_size_y = 8) in;
uniform usampler2D u_src;
layout(rgba32ui) writeonly uniform uimage2D i_dst;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(i_dst, at, texelFetch(u_src, at, 0) + 1u);
}
)"},
    {"broken.comp", "#version 430 core\nlayout(local_size_x = 1) in;\n\nvoid main() { nonsense = 1; }\n"},
    {"broken_lib.comp",
     "#version 430 core\nlayout(local_size_x = 1) in;\n#include \"lib/broken.glsl\"\nvoid main() {}\n"},
    {"lib/broken.glsl", "// nothing wrong here\nfloat half() { return undefined_name; }\n"},
};

/// The Error of `work` in a context of its own, as "what | hint": a failure leaves messages of the driver
/// behind.
std::string error_in_fresh_context(const std::function<void(Context&)>& work) {
    const ScopedKernels kernels(test_kernels);
    std::string text = "no error";
    with_second_context(second_context_options(), [&](Context& own) {
        try {
            work(own);
        } catch (const Error& error) {
            text = (error.code() == ErrorCode::operation ? "" : "wrong code: ") + std::string(error.what()) +
                   " | " + error.hint();
        }
    });
    return text;
}

std::uint32_t count_groups(const std::function<void(Pass&)>& dispatch) {
    const ScopedKernels kernels(test_kernels);
    Buffer groups = gpu().make_buffer(sizeof(std::uint32_t), "groups");
    groups.fill(0);
    Pass pass = gpu().pass("count", "count_groups.comp");
    pass.updates("b_groups", groups);
    dispatch(pass);
    return groups.read<std::uint32_t>(1)[0];
}

} // namespace

TEST_CASE("uniforms of every type arrive, and one that the kernel does not use may be set") {
    const ScopedKernels kernels(test_kernels);
    Buffer out = gpu().make_buffer(13 * sizeof(std::uint32_t), "out");
    gpu()
        .pass("uniforms", "uniforms.comp")
        .writes("b_out", out)
        .set("u_int", -5)
        .set("u_uint", 4000000000U)
        .set("u_float", 1.5F)
        .set("u_int2", Int2{-1, 7})
        .set("u_uint4", Uint4{1, 2, 3, 4})
        .set("u_float4", Float4{0.5F, -0.25F, 8, 1e-20F})
        .set("u_unused", 1)
        .groups(1);
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    CHECK(out.read<std::uint32_t>(13) ==
          std::vector<std::uint32_t>{static_cast<std::uint32_t>(-5), 4000000000U, bits(1.5F),
                                     static_cast<std::uint32_t>(-1), 7U, 1U, 2U, 3U, 4U, bits(0.5F),
                                     bits(-0.25F), bits(8), bits(1e-20F)});
}

TEST_CASE("a dispatch over items runs the fewest groups that cover them") {
    CHECK(count_groups([](Pass& pass) { pass.over(8, 4, 2); }) == 1);
    CHECK(count_groups([](Pass& pass) { pass.over(9, 4, 2); }) == 2);
    CHECK(count_groups([](Pass& pass) { pass.over(17, 5, 3); }) == 3 * 2 * 2);
    CHECK(count_groups([](Pass& pass) { pass.over(1); }) == 1);
    CHECK(count_groups([](Pass& pass) { pass.over(0); }) == 0);
    CHECK(count_groups([](Pass& pass) { pass.groups(3, 5, 2); }) == 30);
}

TEST_CASE("a pass that supplies a name the kernel lacks, or lacks one of the kernel's, says which") {
    CHECK_THAT(
        error_in_fresh_context([](Context& own) {
            Buffer buffer = own.make_buffer(4, "groups");
            own.pass("demo", "count_groups.comp").updates("b_groups", buffer).set("u_more", 1).groups(1);
        }),
        Contains("pass demo has no u_more"));
    CHECK_THAT(error_in_fresh_context([](Context& own) {
                   Buffer buffer = own.make_buffer(4, "groups");
                   own.pass("demo", "count_groups.comp").updates("b_group", buffer).groups(1);
               }),
               Contains("pass demo"));
    CHECK_THAT(error_in_fresh_context([](Context& own) { own.pass("demo", "count_groups.comp").groups(1); }),
               Contains("pass demo does not supply b_groups"));
    CHECK_THAT(error_in_fresh_context([](Context& own) {
                   Buffer buffer = own.make_buffer(64, "out");
                   own.pass("demo", "uniforms.comp").writes("b_out", buffer).groups(1);
               }),
               Contains("pass demo does not supply u_float"));
}

TEST_CASE("more groups than the device allows are refused with both numbers") {
    const auto most = gpu().limits().group_count;
    const std::string renderer = gpu().device().renderer;
    const auto refusal = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return error_in_fresh_context([&](Context& own) {
            Buffer buffer = own.make_buffer(4, "groups");
            own.pass("demo", "count_groups.comp").updates("b_groups", buffer).groups(x, y, z);
        });
    };
    const auto text = [&](std::size_t axis) {
        return "pass demo wants " + std::to_string(most[axis] + 1) + " groups along " + "xyz"[axis] + ", " +
               renderer + " allows " + std::to_string(most[axis]);
    };
    CHECK_THAT(refusal(most[0] + 1, 1, 1), Contains(text(0)));
    CHECK_THAT(refusal(1, most[1] + 1, 1), Contains(text(1)));
    CHECK_THAT(refusal(1, 1, most[2] + 1), Contains(text(2)));
    CHECK_THAT(refusal(std::int64_t{1} << 40, 1, 1), Contains("wants 1099511627776 groups"));
}

TEST_CASE("a kernel that does not compile says where, by file and line") {
    const std::string direct = error_in_fresh_context([](Context& own) { own.pass("demo", "broken.comp"); });
    CHECK_THAT(direct, Contains("broken.comp does not compile | "));
    CHECK_THAT(direct, Contains("broken.comp:4"));
    const std::string included =
        error_in_fresh_context([](Context& own) { own.pass("demo", "broken_lib.comp"); });
    CHECK_THAT(included, Contains("broken_lib.comp does not compile | "));
    CHECK_THAT(included, Contains("lib/broken.glsl:2"));
    CHECK_THAT(error_in_fresh_context([](Context& own) { own.pass("demo", "missing.comp"); }),
               Contains("missing.comp"));
}

TEST_CASE("a kernel that does not compile is tried again when it is asked for again") {
    CHECK_THAT(error_in_fresh_context([](Context& own) {
                   CHECK_THROWS_AS(own.pass("demo", "broken.comp"), Error);
                   own.pass("demo", "broken.comp");
               }),
               Contains("broken.comp does not compile"));
}

TEST_CASE("a program is compiled once for each set of defines") {
    ProgramCache& programs = gpu().state().programs;
    const Defines small{{"AXIS", "0"},       {"BORDER", "0"},     {"CHANNELS", "1"},
                        {"SRC_DEPTH", "32"}, {"DST_DEPTH", "32"}, {"ALPHA", "0"},
                        {"WHOLE", "0"}};
    Defines other = small;
    other["BORDER"] = "1";
    const Program* first = &programs.get("kinds/separable/direct.comp", small);
    CHECK(first == &programs.get("kinds/separable/direct.comp", Defines(small)));
    CHECK(first != &programs.get("kinds/separable/direct.comp", other));
    CHECK(first != &programs.get("copy.comp", small));
    CHECK(first->group_size() == std::array<int, 3>{16, 16, 1});
}

TEST_CASE("a pass sees what the one before it wrote: storage") {
    const ScopedKernels kernels(test_kernels);
    constexpr std::size_t count = 65536;
    Buffer values = gpu().make_buffer(count * sizeof(std::uint32_t), "values");
    values.fill(5);
    for (int i = 0; i < 50; ++i) {
        gpu().pass("increment", "increment.comp").updates("b_values", values).over(count);
    }
    CHECK(values.read<std::uint32_t>(count) == std::vector<std::uint32_t>(count, 55));
    values.fill(1); // a write from outside waits for shaders too
    gpu().pass("increment", "increment.comp").updates("b_values", values).over(count);
    CHECK(values.read<std::uint32_t>(count) == std::vector<std::uint32_t>(count, 2));
}

TEST_CASE("a pass sees what the one before it wrote: image, then sampler, then transfer") {
    const ScopedKernels kernels(test_kernels);
    GpuImage written = gpu().make_image({40, 24, 4, Depth::f32}, "written");
    GpuImage sampled = gpu().make_image({40, 24, 4, Depth::f32}, "sampled");
    for (std::uint32_t round = 0; round < 20; ++round) {
        gpu()
            .pass("write", "write_image.comp")
            .writes("i_dst", written)
            .set("u_value", 100 * round)
            .over(40, 24);
        gpu()
            .pass("sample", "sample_image.comp")
            .reads("u_src", written)
            .writes("i_dst", sampled)
            .over(40, 24);
        const Image result = gpu().download(gpu().copy(sampled));
        for (const int x : {0, 39}) {
            std::uint32_t got = 0;
            std::memcpy(&got, result.row(23) + static_cast<std::size_t>(x) * 16, sizeof got);
            CHECK(got == 100 * round + static_cast<std::uint32_t>(x) + 1);
        }
    }
}

TEST_CASE("a rehearsal makes programs and runs nothing, and what is wrong shows in the real work") {
    const ScopedKernels kernels({{"fives.comp", R"(#version 430 core
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32ui) writeonly uniform uimage2D i_dst;
void main() {
    imageStore(i_dst, ivec2(gl_GlobalInvocationID.xy), uvec4(0x05050505u));
}
)"},
                                 {"fails.comp", "#version 430 core\nlayout(local_size_x = 1) in;\nvoid main() { nonsense }\n"}});
    const Form form{37, 5, 4, Depth::u8};
    GpuImage result = gpu().upload(Image(form));
    const auto fill = [&] { gpu().pass("fill", "fives.comp").writes("i_dst", result).over(10, 5); };
    bool went_on = false;
    gpu().rehearse(form, [&](const GpuImage& image) {
        CHECK(image.form() == form);
        fill();
        gpu().pass("fails", "fails.comp").over(1);
        went_on = true;
        gpu().download(image);
        FAIL("a rehearsal has nothing to read");
    });
    CHECK(went_on);
    CHECK_THAT(gpu().download(result), IsBitwise(Image(form)));
    CHECK_THROWS_WITH(gpu().pass("fails", "fails.comp").over(1), Contains("fails.comp does not compile"));
    fill();
    CHECK(gpu().download(result).at(36, 4, 2) == 5);
    CHECK(gpu().state().programs.milliseconds() > 0);
}
