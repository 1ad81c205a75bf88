// The chain as a person edits it, without a window.
#include "view/document.hpp"

#include "cli/commands.hpp"
#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/plan.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

using Words = std::vector<std::string>;

const OpInfo& op(const std::string& name) {
    return *find_operation(name);
}

const FieldInfo& field(const std::string& of, const std::string& name) {
    const auto& fields = op(of).fields;
    return *std::find_if(fields.begin(), fields.end(),
                         [&](const FieldInfo& info) { return info.name == name; });
}

/// What the command line makes of these words.
Steps typed(const Words& words) {
    Words call{"view"};
    call.insert(call.end(), words.begin(), words.end());
    return steps_from(cli::parse_arguments(call));
}

Words names_of(const Steps& steps) {
    Words names;
    std::transform(steps.begin(), steps.end(), std::back_inserter(names),
                   [](const Step& step) { return step.op->name; });
    return names;
}

std::string read_file_text(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

TEST_CASE("document: every operation of the registry can be added, and runs or says which file it needs") {
    Document document;
    for (const cli::Command& command : cli::pipe_steps()) {
        INFO(command.name);
        document.add(*command.op);
        const Step& step = document.steps().back();
        CHECK(step.on);
        const std::string fault = fault_of(step);
        if (missing_file(step) != nullptr) {
            CHECK(fault == "needs a file: " + missing_file(step)->name);
        } else {
            CHECK(fault.empty());
            CHECK_NOTHROW(operation_of(step)->plan({300, 200, 4, Depth::u8}));
        }
    }
    CHECK(document.steps().size() == cli::pipe_steps().size());
    CHECK(document.steps().size() > 20);
}

TEST_CASE("document: words of steps are those that were typed") {
    for (const Words& words :
         {Words{"blur", "--sigma", "2"},
          {"blur", "--sigma", "2,3", "--border", "constant:#f80", "--linear", "then", "invert"},
          {"levels", "--auto=0.5", "--per-channel", "then", "resize", "--size", "800x"},
          {"convolve", "--kernel", "1 2 1; 2 4 2; 1 2 1"},
          {"threshold", "--rule", "otsu", "then", "crop", "--rect", "1,2,3,4"}}) {
        const Steps steps = typed(words);
        INFO(words.front());
        CHECK(words_of(steps) == words);
        CHECK(typed(words_of(steps)) == steps);
        for (const Step& step : steps) {
            CHECK(fault_of(step).empty());
        }
    }
    CHECK(words_of(typed({"photo.png", "resize", "800x"})) == Words{"resize", "--size", "800x"});
    CHECK(typed({"photo.png"}).empty());
}

TEST_CASE("document: what is switched off is not in the command line") {
    Document document;
    document.replace(typed({"blur", "--sigma", "2", "then", "invert", "then", "unsharp"}));
    document.switch_step(1, false);
    CHECK(words_of(document.steps()) == Words{"blur", "--sigma", "2", "then", "unsharp"});
    CHECK(command_line({"glproc", "pipe", "a b.png", "it's.png"}, {}, document.steps()) ==
          "glproc pipe 'a b.png' 'it'\\''s.png' blur --sigma 2 then unsharp");
}

TEST_CASE("document: a command line means the same to a shell") {
    const TempDir folder;
    const Steps steps = typed({"convolve", "--kernel", "1 2 1; 2 4 2", "--border", "constant:#f80"});
    const std::string out = (folder / "words").string();
    std::string line = command_line({"glproc", "pipe", "$HOME `x` \"y\"\\.png", ""}, {}, steps);
    line.replace(0, 6, "printf '%s\\n'");
    REQUIRE(std::system((line + " > '" + out + "'").c_str()) == 0); // NOLINT(concurrency-mt-unsafe)
    CHECK(read_file_text(out) ==
          "pipe\n$HOME `x` \"y\"\\.png\n\nconvolve\n--kernel\n1 2 1; 2 4 2\n--border\nconstant:#f80\n");
}

TEST_CASE("document: a part of the picture is at first all of it") {
    Document document;
    document.add(op("crop")); // nothing is open
    CHECK(document.steps()[0].value_of(field("crop", "rect")) == "4,2,12,8");
    document.remove(0);
    document.set_source({6000, 4500, 3, Depth::u8});
    document.add(op("resize"));
    document.set(0, field("resize", "size"), "50%");
    document.add(op("crop"));
    CHECK(document.steps()[1].value_of(field("crop", "rect")) == "0,0,3000,2250");
    document.set(1, field("crop", "rect"), "1,2,3,4");
    document.reset(1, field("crop", "rect"));
    CHECK(document.steps()[1].value_of(field("crop", "rect")) == "0,0,3000,2250");
    document.move(1, 0);
    document.reset(0, field("crop", "rect"));
    CHECK(document.steps()[0].value_of(field("crop", "rect")) == "0,0,6000,4500");
    // Which no picture of 4096x4096 has room for.
    CHECK(fault_of(document.steps()[0], document.form_before(0).value()).empty());
}

TEST_CASE("document: a new curve is straight and an amount 0, which nothing but the window begins with") {
    CHECK(words_of(new_step(op("curve"))) == Words{"curve", "--points", "0,0,1,1"});
    CHECK(words_of(new_step(op("vignette"))) == Words{"vignette", "--amount", "0"});
    CHECK(words_of(new_step(op("unsharp"))) == Words{"unsharp", "--amount", "0"});
    CHECK(field("unsharp", "amount").default_value == "1");
    CHECK(field("vignette", "amount").default_value == "0.5");
    CHECK(words_of(typed({"unsharp"})) == Words{"unsharp"});
}

TEST_CASE("document: operations that came with the call are no change to take back") {
    Document document;
    document.begin_with(typed({"blur", "--sigma", "2"}));
    CHECK_FALSE(document.can_undo());
    CHECK(document.steps().size() == 1);
    CHECK(document.version() == 2);
    document.add(op("invert"));
    document.undo();
    CHECK(document.steps().size() == 1);
    CHECK_FALSE(document.can_undo());
}

TEST_CASE("document: undo and redo go through every change") {
    Document document;
    document.add(op("blur"));
    document.add(op("invert"));
    document.move(0, 1);
    CHECK(names_of(document.steps()) == Words{"invert", "blur"});
    document.remove(0);
    CHECK(names_of(document.steps()) == Words{"blur"});
    document.undo();
    CHECK(names_of(document.steps()) == Words{"invert", "blur"});
    document.undo();
    CHECK(names_of(document.steps()) == Words{"blur", "invert"});
    document.redo();
    document.redo();
    CHECK(names_of(document.steps()) == Words{"blur"});
    CHECK_FALSE(document.can_redo());
    document.redo();
    document.undo();
    document.add(op("gray"));
    CHECK_FALSE(document.can_redo());
    while (document.can_undo()) {
        document.undo();
    }
    CHECK(document.steps().empty());
}

TEST_CASE("document: one pull of a slider is one change") {
    Document document;
    document.add(op("blur"));
    const std::string before = document.steps()[0].value_of(field("blur", "sigma"));
    for (const char* value : {"3", "4", "5"}) {
        document.set(0, field("blur", "sigma"), value);
    }
    document.settle();
    document.set(0, field("blur", "sigma"), "9");
    document.undo();
    CHECK(document.steps()[0].value_of(field("blur", "sigma")) == "5");
    document.undo();
    CHECK(document.steps()[0].value_of(field("blur", "sigma")) == before);
    const std::uint64_t version = document.version();
    document.set(0, field("blur", "sigma"), before); // as it is
    CHECK(document.version() == version);
}

TEST_CASE("document: a default comes back, and what contradicts gives way") {
    Document document;
    document.add(op("blur"));
    document.set(0, field("blur", "truncate"), "5");
    document.set(0, field("blur", "radius"), "7");
    CHECK(words_of(document.steps()) == Words{"blur", "--sigma", "2", "--radius", "7"});
    document.reset(0, field("blur", "radius"));
    document.set(0, field("blur", "sigma"), "20");
    document.reset(0, field("blur", "sigma"));
    CHECK(words_of(document.steps()) == Words{"blur", "--sigma", "2"});
    document.undo();
    CHECK(words_of(document.steps()) == Words{"blur", "--sigma", "20"});
}

TEST_CASE("document: a step that cannot be says why") {
    Document document;
    document.add(op("blur"));
    document.set(0, field("blur", "sigma"), "-1");
    CHECK(fault_of(document.steps()[0]) == "--sigma -1 is out of range");
    document.set(0, field("blur", "sigma"), "");
    CHECK_FALSE(fault_of(document.steps()[0]).empty());
}

TEST_CASE("document: messages speak of fields, not of flags") {
    CHECK(without_dashes("crop needs one of --rect, --size and --aspect") == "crop needs one of rect, size and aspect");
    CHECK(without_dashes("none") == "none");
}

TEST_CASE("document: a part is said in one way, and its aspect outlives the rectangle") {
    Document document;
    document.replace(typed({"crop", "--rect", "1,2,30,40"}));
    const OpInfo& crop = *document.steps()[0].op;
    const FieldInfo& aspect = *field_called(crop, "aspect");
    const FieldInfo& rect = *field_called(crop, "rect");
    document.set(0, aspect, "3:2");
    CHECK(words_of(document.steps()) == Words{"crop", "--aspect", "3:2"});
    CHECK(document.steps()[0].aspect == "3:2");
    document.set(0, rect, "0,0,30,20");
    CHECK(words_of(document.steps()) == Words{"crop", "--rect", "0,0,30,20"});
    CHECK(document.steps()[0].aspect == "3:2");
    document.set(0, *field_called(crop, "size"), "10x10");
    CHECK(words_of(document.steps()) == Words{"crop", "--size", "10x10"});
    document.reset(0, aspect);
    CHECK(document.steps()[0].aspect.empty());
}

TEST_CASE("document: an aspect that was typed is that of the step, whatever is dragged then") {
    for (const Words& words : {Words{"crop", "--aspect", "3:2"}, Words{"crop", "--aspect=3:2", "--gravity", "north"}}) {
        Document document;
        document.replace(typed(words));
        CHECK(document.steps()[0].aspect == "3:2"); // which the panel shows
        document.set(0, *field_called(*document.steps()[0].op, "rect"), "0,0,30,20");
        CHECK(document.steps()[0].aspect == "3:2");
    }
}

TEST_CASE("document: recipes keep every word") {
    const TempDir folder;
    const std::string path = (folder / "r.txt").string();
    Steps steps = typed({"convolve", "--kernel", "1 2 1; 2 4 2; 1 2 1", "--border", "constant:#f80", "then",
                         "levels", "--auto=2", "then", "invert"});
    write_steps(steps, path);
    CHECK(read_steps(path) == steps);
    steps[2].on = false;
    write_steps(steps, path);
    steps.pop_back();
    CHECK(read_steps(path) == steps);
    CHECK(read_file_text(path).find("# off: invert\n") != std::string::npos);
    CHECK_THROWS_AS(read_steps((folder / "nosuch").string()), Error);
    CHECK_THROWS_AS(write_steps(steps, (folder / "nosuch" / "r.txt").string()), Error);
}
