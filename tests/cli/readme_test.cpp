// README.md keeps the tables that the program derives from the operations.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("readme: the operations are those of the program") {
    const std::string readme = read_text(std::filesystem::path(GLPROC_SOURCE_DIR) / "README.md");
    const std::string begin = "<!-- operations:begin -->\n";
    const std::string end = "<!-- operations:end -->";
    const std::size_t from = readme.find(begin);
    const std::size_t to = readme.find(end);
    REQUIRE(from != std::string::npos);
    REQUIRE(to != std::string::npos);
    const ProgramResult result = run_without_gpu({}, {"--help-markdown"});
    REQUIRE(result.status == 0);
    INFO("to bring README.md up to date, put the output of `glproc --help-markdown` between its two marks");
    CHECK(readme.substr(from + begin.size(), to - from - begin.size()) == result.out);
}
