// The man page: whole, and without a fault that a man program sees.
#include "cli/glproc_program.hpp"
#include "glproc/op/op.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

std::string manual() {
    const ProgramResult result = run_without_gpu({}, {"--describe", "manual"});
    REQUIRE(result.status == 0);
    return result.out;
}

/// What a shell command says of the page.
void check_silent(const std::string& tool, const std::string& command) {
    if (run_program({.program = "/bin/sh", .arguments = {"-c", "command -v " + tool}}).status != 0) {
        WARN("skipped: " << tool << " is not installed");
        return;
    }
    const TempDir folder;
    write_text(folder / "glproc.1", manual());
    const ProgramResult result =
        run_program({.program = "/bin/sh", .arguments = {"-c", command}, .folder = folder.path()});
    CHECK(result.status == 0);
    CHECK(result.out == "");
    CHECK(result.err == "");
}

} // namespace

TEST_CASE("manual: every command and every flag is in it") {
    const std::string text = manual();
    for (const OpInfo* op : operations()) {
        INFO(op->name);
        CHECK(text.find("\n.SS " + op->name) != std::string::npos);
        for (const FieldInfo& field : op->fields) {
            INFO(field.name);
            std::string escaped;
            for (const char c : field.name) {
                escaped += c == '-' ? "\\-" : std::string(1, c);
            }
            CHECK(text.find("\n.B \\-\\-" + escaped) != std::string::npos);
        }
    }
    for (const char* section :
         {"NAME", "SYNOPSIS", "COMMANDS", "SHARED FLAGS", "EXIT STATUS", "ENVIRONMENT"}) {
        CHECK(text.find(std::string("\n.SH ") + section + "\n") != std::string::npos);
    }
}

TEST_CASE("manual: mandoc has nothing to say") {
    check_silent("mandoc", "mandoc -T lint glproc.1");
}

TEST_CASE("manual: man has nothing to say") {
    check_silent("man", "MANROFFSEQ= LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l glproc.1 >/dev/null");
}
