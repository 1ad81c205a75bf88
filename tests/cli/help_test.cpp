// Help is whole, and fits the terminal.
#include "cli/glproc_program.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/op.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

ProgramResult help_of(std::vector<std::string> words, const std::string& columns = "80") {
    ProgramCall call = glproc_call({}, std::move(words));
    call.environment = environment_without_gpu();
    call.environment["COLUMNS"] = columns;
    return run_program(std::move(call));
}

/// Text whose line breaks and indents are single spaces, or nothing after the bar of a long list of choices.
std::string flat(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) {
        result += word + (word.back() == '|' ? "" : " ");
    }
    return result;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// As the program lists them.
std::vector<std::string> all_commands() {
    return lines_of(help_of({"--describe", "commands"}).out);
}

/// The names of a command that are no flags of another.
std::vector<std::string> other_names() {
    std::vector<std::string> names;
    for (const OpInfo* op : operations()) {
        std::copy_if(op->aliases.begin(), op->aliases.end(), std::back_inserter(names),
                     [](const std::string& alias) { return alias.find(' ') == std::string::npos; });
    }
    return names;
}

void check_fits(const std::string& text, std::size_t columns) {
    for (const std::string& line : lines_of(text)) {
        INFO(line);
        CHECK(line.size() <= columns);
        CHECK((line.empty() || line.back() != ' '));
    }
}

} // namespace

TEST_CASE("help: the overview lists every command") {
    const ProgramResult result = help_of({"--help"});
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    check_fits(result.out, 80);
    for (const std::string& name : all_commands()) {
        INFO(name);
        CHECK(contains(result.out, "\n  " + name + " "));
    }
    for (const OpInfo* op : operations()) {
        std::string row = " " + op->name + " " + flat(op->summary);
        row.pop_back(); // other names may follow
        CHECK(contains(flat(result.out), row));
    }
    CHECK(help_of({"-h"}).out == result.out);
    CHECK(help_of({"help"}).out == result.out);
}

TEST_CASE("help: glproc alone says in ten lines where to go on") {
    const ProgramResult result = help_of({});
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(lines_of(result.err).size() == 10);
    check_fits(result.err, 80);
    for (const char* next : {"glproc help ", "--help", "glproc info"}) {
        CHECK(contains(result.err, next));
    }
}

TEST_CASE("help: every command explains itself on one screen") {
    std::vector<std::string> names = all_commands();
    CHECK(names.size() > 34);
    for (const std::string& alias : other_names()) {
        names.push_back(alias);
    }
    for (const std::string& name : names) {
        INFO(name);
        const ProgramResult result = help_of({name, "--help"});
        CHECK(result.status == 0);
        CHECK(result.err.empty());
        check_fits(result.out, 80);
        const std::vector<std::string> lines = lines_of(result.out);
        CHECK(lines.size() <= 40);
        CHECK(lines.front().ends_with("."));
        CHECK(std::isupper(static_cast<unsigned char>(lines.front().front())) != 0);
        CHECK(contains(result.out, "\n\nUsage: glproc "));
        CHECK(contains(result.out, "\nExample: "));
        for (const char* shared :
             {"--device", "--backend", "--require-gpu", "--timing", "--quiet", "--verbose"}) {
            CHECK(contains(flat(result.out), std::string(" ") + shared + " "));
        }
        CHECK(
            help_of({"help", name}).out.starts_with(result.out)); // some words mean something for videos, too
        CHECK(help_of({"--help", name}).out == result.out);
    }
}

TEST_CASE("help: other names of a command stand in its help") {
    CHECK(contains(help_of({"help", "sharpen"}).out, "Other names: sharpen"));
    CHECK(contains(help_of({"help", "dilate"}).out, "dilate (--do dilate)"));
}

TEST_CASE("help: the shared flags of all commands") {
    const ProgramResult result = help_of({"help", "flags"});
    CHECK(result.status == 0);
    check_fits(result.out, 80);
    for (const char* flag :
         {"--quality N", "--jobs N", "--device auto|gpu|cpu|all|N|NAME", "--dtype ", "--max-pixels N"}) {
        INFO(flag);
        CHECK(contains(result.out, flag));
    }
}

TEST_CASE("help: all of it explains the shared flags and what values mean") {
    for (const std::string& name : all_commands()) {
        INFO(name);
        const ProgramResult result = help_of({name, "--help=all"});
        CHECK(result.status == 0);
        check_fits(result.out, 80);
        for (const char* global :
             {"--device auto|gpu|cpu|all|N|NAME", "--backend auto|glfw|egl", "--require-gpu",
              "--timing[=text|json]", "-q, --quiet", "-v, --verbose", "-h, --help[=all]", "--version"}) {
            CHECK(contains(flat(result.out), std::string(" ") + global + " "));
        }
    }
    for (const OpInfo* op : operations()) {
        const std::string text = flat(help_of({op->name, "--help=all"}).out);
        for (const FieldInfo& field : op->fields) {
            for (const Choice& choice : field.choices) {
                INFO(op->name << " --" << field.name << " " << choice.name);
                CHECK(contains(text, " " + choice.name + " " + flat(choice.when)));
            }
        }
    }
    CHECK(contains(help_of({"--help=all"}).out, "--device auto|gpu|cpu|all|N|NAME"));
    const ProgramResult wrong = help_of({"blur", "--help=al"});
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.err, "did you mean 'all'?"));
}

TEST_CASE("help: every field of every operation, with default, range and unit") {
    for (const OpInfo* op : operations()) {
        const std::string brief = flat(help_of({op->name, "--help"}).out);
        const std::size_t also =
            brief.find(" Also --"); // then only names, of a command with more than fits a screen
        const std::string names =
            also == std::string::npos ? "" : brief.substr(also, brief.find(" More flags") - also) + " ";
        const std::string all =
            also == std::string::npos ? brief : flat(help_of({op->name, "--help=all"}).out);
        for (const FieldInfo& field : op->fields) {
            INFO(op->name << " --" << field.name);
            const std::string value = field.implied.empty() ? " " + field.value : "[=" + field.value + "]";
            const std::string& text = contains(names, " --" + field.name + " ") ? all : brief;
            const std::size_t begin = text.find(" --" + field.name + value);
            REQUIRE(begin != std::string::npos);
            const std::string rest = text.substr(begin);
            CHECK(contains(rest, flat(field.help).substr(0, field.help.size())));
            const bool is_file = field.reads_picture || field.names_picture || field.names_array; // whose value says all
            const bool is_any = field.range == print_limit({}); // which goes without saying
            CHECK((is_file || is_any || contains(rest, field.unit.empty() ? field.range : field.range + " " + field.unit)));
            CHECK((field.default_value.empty() || field.required ||
                   contains(rest, "[" + field.default_value + "]")));
            CHECK((!field.required || contains(rest, "[required]")));
        }
        CHECK(contains(brief, " Example: "));
    }
}

TEST_CASE("help: an example of the help works as it stands") {
    const TempDir folder;
    save(photo_like_image({.width = 20, .height = 10, .channels = 3}), folder / "in.png");
    save(photo_like_image({.width = 20, .height = 10, .channels = 3}, 2), folder / "other.png");
    save(photo_like_image({.width = 5, .height = 4, .channels = 4}, 3), folder / "logo.png");
    for (const char* name : {"a.png", "b.png", "c.png"}) {
        save(photo_like_image({.width = 20, .height = 10, .channels = 3}, 3), folder / name);
    }
    for (const char* name : {"red.png", "green.png", "blue.png"}) {
        save(photo_like_image({.width = 20, .height = 10, .channels = 1}, 4), folder / name);
    }
    write_file(folder / "in.npy", format_npy({ArrayType::u32, {2}, std::vector<std::byte>(8)}));
    write_text(folder / "look.cube", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n");
    for (const OpInfo* op : operations()) {
        INFO(op->name);
        std::vector<std::string> words{op->name};
        std::istringstream example(op->example);
        for (std::string word; example >> word;) {
            words.push_back(word);
        }
        const ProgramResult result = run_glproc(folder.path(), words);
        CHECK(result.status == 0);
        CHECK(result.out.empty() == op->has_output());
        const bool has_png = std::filesystem::remove(folder / "out.png");
        const bool has_tif = std::filesystem::remove(folder / "out.tif"); // of floats
        CHECK((has_png || has_tif) == (op->product == Product::image));
        CHECK(std::filesystem::remove(folder / "out.npy") == (op->product == Product::array));
    }
}

TEST_CASE("help: narrow and wide terminals, and nonsense in COLUMNS") {
    check_fits(help_of({"blur", "--help"}, "60").out, 60);
    const std::string wide = help_of({"blur", "--help"}, "110").out;
    check_fits(wide, 110);
    CHECK(wide != help_of({"blur", "--help"}).out);
    for (const char* columns : {"0", "-5", "x", "7", "100000", "99999999999999", ""}) {
        INFO(columns);
        CHECK(help_of({"blur", "--help"}, columns).status == 0);
        check_fits(help_of({"blur", "--help"}, columns).out, 110);
    }
}

TEST_CASE("help: a terminal's own width counts without COLUMNS") {
    ProgramCall call = glproc_call({}, {"blur", "--help"});
    call.out = Stream::terminal;
    call.columns = 60;
    const ProgramResult result = run_program(call);
    CHECK(result.status == 0);
    check_fits(result.out, 60);
    CHECK(result.out == help_of({"blur", "--help"}, "60").out);
}

TEST_CASE("help: the version") {
    const ProgramResult result = help_of({"--version"});
    CHECK(result.status == 0);
    CHECK(result.out == "glproc 0.3.0\n");
    CHECK(result.err.empty());
    CHECK(help_of({"blur", "--version"}).out == result.out);
}

TEST_CASE("help: help asked for wins over what is missing") {
    CHECK(help_of({"blur", "a.png", "--help"}).status == 0);
    CHECK(help_of({"blur", "--sigma", "nonsense", "--help"}).status == 0);
    CHECK(help_of({"blurr", "--help"}).status == 2);
}
