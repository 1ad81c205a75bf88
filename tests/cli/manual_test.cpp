// The man page: whole, and without a fault that a man program sees.
#include "cli/glproc_program.hpp"
#include "glproc/op/op.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

std::string manual(std::vector<std::string> command = {}) {
    command.insert(command.begin(), {"--describe", "manual"});
    const ProgramResult result = run_without_gpu({}, command);
    REQUIRE(result.status == 0);
    return result.out;
}

std::vector<std::string> all_commands() {
    return lines_of(run_without_gpu({}, {"--describe", "commands"}).out);
}

/// What a shell command says of the pages, glproc.1 and one for each command.
void check_silent(const std::string& tool, const std::string& command) {
    if (run_program({.program = "/bin/sh", .arguments = {"-c", "command -v " + tool}}).status != 0) {
        WARN("skipped: " << tool << " is not installed");
        return;
    }
    const TempDir folder;
    write_text(folder / "glproc.1", manual());
    for (const std::string& name : all_commands()) {
        write_text(folder / ("glproc-" + name + ".1"), manual({name}));
    }
    const ProgramResult result =
        run_program({.program = "/bin/sh", .arguments = {"-c", command}, .folder = folder.path()});
    CHECK(result.status == 0);
    CHECK(result.out == "");
    CHECK(result.err == "");
}

void check_sections(const std::string& text, const std::vector<std::string>& sections) {
    std::size_t at = 0;
    for (const std::string& section : sections) {
        INFO(section);
        at = text.find("\n.SH " + section + "\n", at);
        REQUIRE(at != std::string::npos); // and in this order
    }
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '-' ? "\\-" : std::string(1, c);
    }
    return result;
}

} // namespace

TEST_CASE("manual: the overview names every command and explains every shared flag") {
    const std::string text = manual();
    for (const std::string& name : all_commands()) {
        INFO(name);
        CHECK(text.find("\n.BR glproc\\-" + name + " (1)\n") != std::string::npos);
    }
    for (const char* flag : {"quality", "jobs", "device", "max-pixels"}) {
        CHECK(text.find("\\-\\-" + escaped(flag)) != std::string::npos);
    }
    check_sections(text, {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "SHARED FLAGS", "EXIT STATUS",
                          "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"});
}

TEST_CASE("manual: each command has a page with all of its flags") {
    for (const OpInfo* op : operations()) {
        INFO(op->name);
        const std::string text = manual({op->name});
        check_sections(text, {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "FILES",
                              "EXIT STATUS", "SEE ALSO"});
        CHECK(text.find("\nglproc\\-" + op->name + " \\- " + escaped(op->summary) + "\n") !=
              std::string::npos);
        CHECK(text.find(escaped("glproc " + op->name + " " + op->example)) != std::string::npos);
        CHECK(text.find("\n.BR glproc (1)\n") != std::string::npos);
        CHECK(text.find("\\-\\-device") != std::string::npos);
        for (const FieldInfo& field : op->fields) {
            INFO(field.name);
            CHECK(text.find("\n.B \\-\\-" + escaped(field.name)) != std::string::npos);
        }
    }
    CHECK(run_without_gpu({}, {"--describe", "manual", "nosuch"}).status == 2);
}

TEST_CASE("manual: mandoc has nothing to say") {
    check_silent("mandoc", "mandoc -T lint *.1");
}

TEST_CASE("manual: man has nothing to say") {
    check_silent("man", "for page in *.1; do MANROFFSEQ= LC_ALL=C.UTF-8 MANWIDTH=80 "
                        "man --warnings -E UTF-8 -l $page >/dev/null; done");
}
