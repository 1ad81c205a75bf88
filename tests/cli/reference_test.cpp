// docs/reference.md is what the program derives from its commands.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("reference: docs/reference.md is the program's own") {
    const ProgramResult result = run_without_gpu({}, {"--describe", "reference"});
    REQUIRE(result.status == 0);
    INFO("to bring it up to date: build/release/glproc --describe reference > docs/reference.md");
    CHECK(read_text(std::filesystem::path(GLPROC_SOURCE_DIR) / "docs/reference.md") == result.out);
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
