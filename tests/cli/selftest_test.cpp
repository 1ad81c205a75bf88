// `selftest`: what it prints of kernels that are right and of one that is not.
#include "cli/glproc_program.hpp"

#include <nlohmann/json.hpp>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::Contains;

namespace {

ProgramResult selftest(const std::vector<std::string>& arguments, const std::string& fault = "") {
    ProgramCall call = glproc_call({}, {"selftest"});
    call.arguments.insert(call.arguments.end(), arguments.begin(), arguments.end());
    if (!fault.empty()) {
        call.environment["GLPROC_FAULT"] = fault;
    }
    return run_program(std::move(call));
}

} // namespace

TEST_CASE("selftest finds every kind of picture right by every method") {
    const ProgramResult result = selftest({"invert", "histogram", "-q"});
    INFO(result.out << result.err);
    CHECK(result.status == 0);
    CHECK_THAT(result.out, Contains("invert       gpu") && Contains("histogram    fused") && Contains(" right, 0 wrong\n"));
    CHECK_THAT(result.out, !Contains("blur") && !Contains("wrong:"));
}

TEST_CASE("selftest names what a kernel has wrong, and exits with 1") {
    const ProgramResult result = selftest({"invert", "sobel", "--quick", "-q"}, "kernel:kinds/point.comp");
    INFO(result.out << result.err);
    CHECK(result.status == 1);
    CHECK_THAT(result.out, Contains("  wrong: 8 bits, 3 channels: channel 0 of pixel 0,0 is 0") &&
                               Contains("1 right, 1 wrong\n"));
}

TEST_CASE("selftest prints one line of JSON") {
    const ProgramResult result = selftest({"invert", "--quick", "--json", "-q"});
    REQUIRE(result.status == 0);
    REQUIRE(lines_of(result.out).size() == 1);
    const auto json = nlohmann::json::parse(result.out);
    CHECK(json["wrong"] == 0);
    CHECK(json["right"] == 1);
    CHECK(json["rows"][0]["operation"] == "invert");
}

TEST_CASE("selftest refuses an operation that there is not") {
    const ProgramResult result = selftest({"morfology"});
    CHECK(result.status == 2);
    CHECK_THAT(result.err, Contains("unknown operation 'morfology' (did you mean 'morphology'?)"));
}
