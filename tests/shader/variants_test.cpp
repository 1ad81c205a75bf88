#include "glproc/shader/variants.hpp"

#include "glproc/base/error.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using glproc::all_variants;
using glproc::covering_pairs;
using glproc::declared_defines;
using glproc::DefineRange;
using glproc::Defines;
using glproc::Error;
using glproc::ErrorCode;
using glproc::twin_rules;
using glproc::TwinRules;

namespace {

/// The text of the Error that enumerating throws, or "" if it throws none.
std::string variants_error(const std::string& source) {
    try {
        all_variants(source, "a.comp");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        return error.what();
    }
    return {};
}

/// Declares `count` defines D0, D1, ... of ten values each.
std::string ten_valued_defines(int count) {
    std::string source;
    for (int i = 0; i < count; ++i) {
        source += "// @define D" + std::to_string(i) + " 0|1|2|3|4|5|6|7|8|9\n";
    }
    return source;
}

} // namespace

TEST_CASE("defines are declared in the header comment, in order") {
    const std::vector<DefineRange> ranges = declared_defines("#version 430 core\n"
                                                             "// Blurs.\n"
                                                             "// @define AXIS 1|0   which | way\n"
                                                             "  //@define FORMAT rgba8|r32f\r\n"
                                                             "// @define ONE -0.5\n"
                                                             "// mail@define NOT 0|1\n"
                                                             "int x; // @define NOT 0|1\n");
    REQUIRE(ranges.size() == 3);
    CHECK(ranges[0].name == "AXIS");
    CHECK(ranges[0].values == std::vector<std::string>{"1", "0"});
    CHECK(ranges[1].name == "FORMAT");
    CHECK(ranges[1].values == std::vector<std::string>{"rgba8", "r32f"});
    CHECK(ranges[2].name == "ONE");
    CHECK(ranges[2].values == std::vector<std::string>{"-0.5"});
}

TEST_CASE("variants are the cross product, the last define varying fastest") {
    CHECK(all_variants("// @define B 0|1\n// @define A x|y|z\n") ==
          std::vector<Defines>{{{"A", "x"}, {"B", "0"}},
                               {{"A", "y"}, {"B", "0"}},
                               {{"A", "z"}, {"B", "0"}},
                               {{"A", "x"}, {"B", "1"}},
                               {{"A", "y"}, {"B", "1"}},
                               {{"A", "z"}, {"B", "1"}}});
}

TEST_CASE("a kernel that declares nothing has one variant") {
    CHECK(all_variants("#version 430\nvoid main() {}\n") == std::vector<Defines>{{}});
}

TEST_CASE("a skip removes the variants that agree with all of it") {
    CHECK(all_variants("// @skip A=1 B=2\n// @define A 0|1\n// @define B 1|2\n") ==
          std::vector<Defines>{{{"A", "0"}, {"B", "1"}}, {{"A", "0"}, {"B", "2"}}, {{"A", "1"}, {"B", "1"}}});
    CHECK(all_variants("// @define A 0|1\n// @define B 1|2\n// @skip B=2\r\n// @skip A=0 B=1\n") ==
          std::vector<Defines>{{{"A", "1"}, {"B", "1"}}});
}

TEST_CASE("a malformed annotation is an error at its line") {
    using Case = std::pair<std::string, std::string>;
    const auto [line, message] = GENERATE(values<Case>({
        {"// @define", "\"\" is not an identifier"},
        {"// @define 1A 0|1", "\"1A\" is not an identifier"},
        {"// @define B", "B has no values"},
        {"// @define B |", "\"\" in \"|\" is not a value"},
        {"// @define B 0||1", "\"\" in \"0||1\" is not a value"},
        {"// @define B 0|1|", "\"\" in \"0|1|\" is not a value"},
        {"// @define B 0|a/b", "\"a/b\" in \"0|a/b\" is not a value"},
        {"// @define B 0 | 1", "there is a blank in the list of the values of B"},
        {"// @define B 0|1|0", "value 0 is listed twice"},
        {"// @define A 0|1", "A is declared twice"},
        {"// @defines B 0|1", "unknown annotation @defines"},
        {"// @ define B 0|1", "unknown annotation @"},
        {"// @skip", "@skip names no combination"},
        {"// @skip A", "\"A\" is not NAME=VALUE"},
        {"// @skip B=0", "B is not declared"},
        {"// @skip A=2", "\"2\" is no declared value of A"},
        {"// @skip A=", "\"\" is no declared value of A"},
        {"// @skip A=0 A=1", "A occurs twice"},
    }));
    CAPTURE(line);
    CHECK(variants_error("#version 430\n// @define A 0|1\n" + line + "\n") == "a.comp:3: " + message);
}

TEST_CASE("declared_defines refuses malformed lines too") {
    CHECK_THROWS_AS(declared_defines("// @define A 0|\n"), Error);
    CHECK_THROWS_AS(declared_defines("// @defined A 0|1\n"), Error);
}

TEST_CASE("a kernel with every variant skipped is an error") {
    CHECK(variants_error("// @define A 0|1\n// @skip A=0\n// @skip A=1\n") ==
          "a.comp: every variant is skipped");
}

TEST_CASE("a kernel may have as many variants as the limit, and no more") {
    std::string source = "// @define A 1";
    for (std::size_t value = 2; value <= glproc::max_variants; ++value) {
        source += '|';
        source += std::to_string(value);
    }
    const auto variants = all_variants(source);
    CHECK(variants.size() == glproc::max_variants);
    CHECK(std::set<Defines>(variants.begin(), variants.end()).size() == glproc::max_variants);
    CHECK(variants_error(source + "|0") == "a.comp: more than 5000 variants");
}

TEST_CASE("skipped combinations do not count towards the limit") {
    const std::string source = ten_valued_defines(3) + "// @define E 0|1|2|3|4|5\n";
    CHECK(variants_error(source) == "a.comp: more than 5000 variants");
    CHECK(all_variants(source + "// @skip E=5\n").size() == 5000);
}

TEST_CASE("a cross product beyond all memory is refused at once") {
    CHECK(variants_error(ten_valued_defines(30)) == "a.comp: more than 5000 variants");
}

TEST_CASE("the variants that cover pairs are few, and every two values that may meet do") {
    const std::vector<Defines> all =
        all_variants("// @define A 0|1|2|3\n// @define B 0|1|2\n// @define C 0|1|2\n"
                     "// @define D 0|1\n// @skip A=1 B=2\n");
    const std::vector<Defines> some = covering_pairs(all);
    CHECK(some.size() < all.size() / 3);
    CHECK(some.size() >= 11);
    const auto meet = [](const std::vector<Defines>& variants, const Defines& pair) {
        return std::any_of(variants.begin(), variants.end(), [&](const Defines& variant) {
            return std::includes(variant.begin(), variant.end(), pair.begin(), pair.end());
        });
    };
    int pairs = 0;
    for (const Defines& variant : all) {
        for (const auto& one : variant) {
            for (const auto& other : variant) {
                CHECK(meet(some, {one, other}));
                ++pairs;
            }
        }
    }
    CHECK(pairs > 1000);
    CHECK_FALSE(meet(some, {{"A", "1"}, {"B", "2"}}));
    CHECK(covering_pairs(all_variants("// @define A 0|1|2\n")).size() == 3);
    CHECK(covering_pairs({Defines{}}).size() == 1);
    CHECK(covering_pairs({}).empty());
}

TEST_CASE("what twins have of the defines") {
    const TwinRules rules = twin_rules("// @define A 0|1\n// @twin A=1 MODE\n// @twin B=2\n");
    CHECK(rules.fixed == Defines{{"A", "1"}, {"B", "2"}});
    CHECK(rules.numbers == std::vector<std::string>{"MODE"});
    CHECK_THROWS_AS(twin_rules("// @twin 3\n"), Error);
}
