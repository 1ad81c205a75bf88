// A number means what it says: 128 is no value of a picture of integers, but 128/255 and 50% are.
#include "glproc/base/error.hpp"
#include "glproc/op/level.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/levels.hpp"
#include "glproc/ops/threshold.hpp"
#include "support/catch.hpp"
#include "support/matchers.hpp"

#include <fmt/format.h>

using namespace glproc;

namespace {

constexpr Form bytes{4, 4, 3, Depth::u8};
constexpr Form words{4, 4, 3, Depth::u16};
constexpr Form floats{4, 4, 3, Depth::f32};

/// The hint of an operation with these texts, planned for a picture; empty where it is taken.
std::string refusal(std::string_view name, const std::vector<std::pair<std::string, std::string>>& settings,
                    const Form& form) {
    const std::unique_ptr<Operation> operation = find_operation(name)->make();
    try {
        for (const auto& [field, text] : settings) {
            operation->set(field, text);
        }
        static_cast<void>(operation->result_form(form));
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::usage);
        return error.hint();
    }
    return "";
}

} // namespace

TEST_CASE("values: a bare number beyond black and white is refused for integers, with the right spelling") {
    struct Case {
        std::string_view op;
        std::string field;
        std::string before;
        std::string after = "";
    };
    const std::vector<Case> cases{
        {"threshold", "at", ""},       {"levels", "out-black", ""},
        {"levels", "out-white", ""},   {"levels", "white", ""},
        {"adjust", "brightness", ""},  {"unsharp", "threshold", ""},
        {"curve", "points", "0,0,1,"}, {"matrix", "matrix", "1,0,0,", ",0,1,0,0,0,0,1,0"}};
    for (const Case& c : cases) {
        INFO(c.op << " --" << c.field);
        const auto answer = [&](const std::string& value, const Form& form) {
            return refusal(c.op, {{c.field, c.before + value + c.after}}, form);
        };
        const auto check = [&](const std::string& value, const Form& form, const std::string& code, const std::string& percent) {
            const std::string of_list = c.op == "curve" ? fmt::format("write --points {}{}", c.before, code) : "";
            const std::string of_one = c.op == "matrix" ? fmt::format("write {} or {}", code, percent)
                                                        : fmt::format("write --{0} {1} or --{0} {2}", c.field, code, percent);
            CHECK(answer(value, form) == (of_list.empty() ? of_one : of_list));
        };
        check("128", bytes, "128/255", "50%");
        check("20", bytes, "20/255", "20%");
        check("1000", words, "1000/65535", "2%");
        for (const char* value : {"0.5", "1", "50%", "128/255", "300/255", "120%"}) {
            CHECK(answer(value, bytes).empty());
            CHECK(answer(value, words).empty());
        }
        CHECK(answer("128", floats).empty());
        CHECK_FALSE(answer("128/", floats).empty());
    }
}

TEST_CASE("values: what C++ sets is held to the same") {
    CHECK_THROWS_AS(plan(Threshold{.at = 128}, bytes), Error);
    CHECK_THROWS_AS(plan(Threshold{.at = -0.1}, words), Error);
    CHECK_NOTHROW(plan(Threshold{.at = 128}, floats));
    CHECK_NOTHROW(plan(Levels{.white = Level(1.2, true)}, bytes));
    CHECK_THROWS_AS(plan(Levels{.white = 1.2}, bytes), Error);
}

TEST_CASE("values: every spelling is the same number") {
    for (const char* text : {"0.2", "20%", "51/255"}) {
        CHECK(FieldText<Level>::parse({"at", "", {}}, text).value == 0.2);
    }
    CHECK(spelling_of("--at ", 1.5, Depth::u8) == "0 is black and 1 white; if it is meant, write --at 150%");
    CHECK(spelling_of("--at ", 1e6, Depth::u8) ==
          "0 is black and 1 white; if it is meant, write --at 1e+08%");
    CHECK(spelling_of("", 128, Depth::u16) == "write 128/65535 or 0.2%");
    CHECK(spelling_of("", -20, Depth::u8) == "write -20/255 or -20%");
}
