#include "glproc/gl/limits.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <map>
#include <set>
#include <string>

using namespace glproc;
using glproc::test::gpu;

TEST_CASE("every limit is at least what OpenGL 4.3 promises") {
    // Tables 23.57 to 23.69 of the OpenGL 4.3 specification.
    const std::map<std::string, std::int64_t> least{
        {"texture_size", 16384},          {"shared_bytes", 32768},  {"group_invocations", 1024},
        {"group_size_x", 1024},           {"group_size_y", 1024},   {"group_size_z", 64},
        {"group_count_x", 65535},         {"group_count_y", 65535}, {"group_count_z", 65535},
        {"storage_block_bytes", 1 << 24}, {"storage_blocks", 8},    {"image_units", 8},
        {"storage_alignment", 1},         {"texture_units", 16},    {"subgroup_size", 0},
    };
    const auto limits = describe(gpu().limits());
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
    const Limits limits{1, 2, 3, {4, 5, 6}, {7, 8, 9}, 10, 11, 12, 13, 14, 15};
    static_assert(sizeof(Limits) == 15 * sizeof(std::int64_t));
    std::set<std::string> names;
    std::int64_t next = 1;
    for (const auto& [name, value] : describe(limits)) {
        CHECK(names.insert(name).second);
        CHECK(value == next++);
    }
    CHECK(names.size() == 15);
}

TEST_CASE("the size of a subgroup is 0 exactly where there are none") {
    CHECK((gpu().limits().subgroup_size > 0) == gpu().device().has_subgroup);
}
