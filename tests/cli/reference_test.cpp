// The page of all commands that the program derives from their descriptions.
#include "cli/glproc_program.hpp"
#include "glproc/op/op.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("reference: it has each operation with each of its flags") {
    const ProgramResult result = run_without_gpu({}, {"--describe", "reference"});
    REQUIRE(result.status == 0);
    for (const OpInfo* op : operations()) {
        INFO(op->name);
        const std::size_t begin = result.out.find("\n### `" + op->name + "`\n");
        REQUIRE(begin != std::string::npos);
        const std::string part = result.out.substr(begin, result.out.find("\n### ", begin + 1) - begin);
        CHECK(part.find(op->summary.substr(1)) != std::string::npos); // a sentence there
        for (const FieldInfo& field : op->fields) {
            INFO(field.name);
            CHECK(part.find("--" + field.name) != std::string::npos);
        }
    }
}

TEST_CASE("reference: it explains each shared flag once") {
    const std::string text = run_without_gpu({}, {"--describe", "reference"}).out;
    for (const char* flag : {"| `--depth 8", "| `--png-level N`", "| `--max-pixels N`", "| `--device "}) {
        INFO(flag);
        const std::size_t first = text.find(flag);
        REQUIRE(first != std::string::npos);
        CHECK(text.find(flag, first + 1) == std::string::npos);
    }
}

TEST_CASE("reference: only the exact words ask for it") {
    CHECK(run_without_gpu({}, {"--describe"}).status == 2);
    CHECK(run_without_gpu({}, {"--describe", "reference", "more"}).status == 2);
    CHECK(run_without_gpu({}, {"--complete"}).status == 2);
}
