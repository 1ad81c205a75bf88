#include "glproc/gl/limits.hpp"

#include "glproc/base/error.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("every limit is at least what OpenGL 4.3 promises") {
    // Tables 23.57 to 23.69 of the OpenGL 4.3 specification.
    const std::map<std::string, std::int64_t> least{
        {"texture_size", 16384},          {"shared_bytes", 32768},  {"group_invocations", 1024},
        {"group_size_x", 1024},           {"group_size_y", 1024},   {"group_size_z", 64},
        {"group_count_x", 65535},         {"group_count_y", 65535}, {"group_count_z", 65535},
        {"storage_block_bytes", 1 << 24}, {"storage_blocks", 8},    {"image_units", 8},
        {"storage_alignment", 1},         {"texture_units", 16},    {"subgroup_size", 0},
        {"array_buffer_bytes", 0},
    };
    const auto limits = glproc::describe(gpu().limits());
    CHECK(limits.size() == least.size());
    for (const auto& [name, value] : limits) {
        INFO(name);
        REQUIRE(least.count(name) == 1);
        CHECK(value >= least.at(name));
    }
    CHECK(gpu().limits().storage_alignment <= 256); // the one where less is better
}

TEST_CASE("the description covers every number of the struct, each under its own name") {
    // Numbers that tell the members apart.
    const Limits limits{1, 2, 3, {4, 5, 6}, {7, 8, 9}, 10, 11, 12, 13, 14, 15, 16};
    static_assert(sizeof(Limits) == 16 * sizeof(std::int64_t));
    std::set<std::string> names;
    std::int64_t next = 1;
    for (const auto& [name, value] : glproc::describe(limits)) {
        CHECK(names.insert(name).second);
        CHECK(value == next++);
    }
    CHECK(names.size() == 16);
}

TEST_CASE("the size of a subgroup is 0 exactly where there are none") {
    CHECK((gpu().limits().subgroup_size > 0) == gpu().device().has_subgroup);
}

TEST_CASE("limits can be lowered by name, and by nothing else") {
    const auto lowered = [](const std::string& text) {
        Limits limits = gpu().limits();
        lower_limits(limits, text);
        return limits;
    };
    const Limits few = lowered("texture_size:256,storage_block_bytes:65536,group_count_z:3");
    CHECK(few.texture_size == 256);
    CHECK(few.storage_block_bytes == 65536);
    CHECK(few.group_count[2] == 3);
    CHECK(few.shared_bytes == gpu().limits().shared_bytes);
    CHECK(glproc::describe(lowered("")) == glproc::describe(gpu().limits()));
    CHECK(lowered("texture_size:9000000000000").texture_size == gpu().limits().texture_size);
    // Where any array lies in a buffer this one is absent, which any number lowers.
    CHECK(lowered("array_buffer_bytes:4096").array_buffer_bytes == 4096);
    CHECK(lowered("array_buffer_bytes:4096,array_buffer_bytes:8192").array_buffer_bytes == 4096);
    for (const char* text : {"texture_size", "texture_size:", "texture_size:0", "texture_size:-1",
                             "texture_size:1k", "texture:256", ":256", "texture_size:256;",
                             "storage_alignment:4", "subgroup_size:8", "texture_size:99999999999999999999"}) {
        INFO(text);
        try {
            lowered(text);
            FAIL("not refused");
        } catch (const Error& error) {
            CHECK(error.code() == ErrorCode::usage);
            CHECK(error.hint().find("storage_block_bytes") != std::string::npos);
        }
    }
}

TEST_CASE("a context has the limits and the memory that it is given, and refuses what is larger") {
    ContextOptions options = second_context_options();
    options.lower_limits = "texture_size:128";
    options.memory_bytes = 7U << 20U;
    std::optional<ErrorCode> code;
    std::string hint;
    std::uint64_t memory = 0;
    with_second_context(options, [&](Context& context) {
        memory = context.memory_bytes();
        context.make_image({128, 128, 4, Depth::f32}, "fits");
        try {
            context.make_image({129, 1, 4, Depth::f32}, "wide");
        } catch (const Error& error) {
            code = error.code();
            hint = error.hint();
        }
    });
    CHECK(memory == 7U << 20U);
    CHECK(code == ErrorCode::operation);
    CHECK(hint.find("RowSource") != std::string::npos);
    CHECK(gpu().memory_bytes() >= std::uint64_t{64} << 20U);
}
