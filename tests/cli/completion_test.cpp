// What shells propose, from the program itself and in the shells that people type in.
#include "cli/glproc_program.hpp"
#include "glproc/op/op.hpp"

#include <optional>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::filesystem::path& scripts() {
    static const std::filesystem::path folder =
        std::filesystem::path(GLPROC_SOURCE_DIR) / "tools" / "completions";
    return folder;
}

/// The first words of what `glproc --complete` prints.
std::vector<std::string> candidates(std::vector<std::string> words) {
    words.insert(words.begin(), "--complete");
    const ProgramResult result = run_without_gpu({}, words);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    std::vector<std::string> names;
    for (const std::string& line : lines_of(result.out)) {
        names.push_back(line.substr(0, line.find('\t')));
    }
    return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

using Names = std::vector<std::string>;

/// What a shell prints for `script`, with this build's program first in PATH; nothing where there is no such
/// shell.
std::optional<std::string> in_shell(const std::string& shell, std::vector<std::string> flags,
                                    const std::string& script, const std::filesystem::path& folder) {
    if (run_program({.program = "/bin/sh", .arguments = {"-c", "command -v " + shell}}).status != 0) {
        WARN("skipped: " << shell << " is not installed");
        return std::nullopt;
    }
    flags.insert(flags.end(), {"-c", script});
    ProgramCall call{.program = "/usr/bin/env", .arguments = {shell}, .folder = folder};
    call.arguments.insert(call.arguments.end(), flags.begin(), flags.end());
    call.environment = environment_without_gpu();
    call.environment["PATH"] =
        std::filesystem::path(GLPROC_PROGRAM).parent_path().string() + ":/usr/bin:/bin";
    call.environment["HOME"] = folder.string();
    const ProgramResult result = run_program(call);
    INFO(result.err);
    CHECK(result.status == 0);
    return result.out;
}

} // namespace

TEST_CASE("completion: a pipe goes on with operations, their flags and then") {
    CHECK(candidates({"pipe", "in.png", ""}) == Names{":files"});
    CHECK(has(candidates({"pipe", "in.png", "out.png", ""}), "blur"));
    CHECK_FALSE(has(candidates({"pipe", "in.png", "out.png", ""}), "histogram"));
    CHECK(candidates({"pipe", "in.png", "out.png", "blur", "--sigm"}) == Names{"--sigma"});
    CHECK(candidates({"pipe", "in.png", "out.png", "blur", "--sigma", "2", "t"}) == Names{"then"});
    CHECK(candidates({"pipe", "-q", "in.png", "out.png", "blur", "--sigma", "2", "then", "inv"}) == Names{"invert"});
    CHECK(candidates({"pipe", "in.png", "out.png", "invert", "then", "blur", "--border", "mirr"}) == Names{"mirror"});
    CHECK(candidates({"pipe", "in.png", "out.png", "--recipe", ""}) == Names{":files"});
}

TEST_CASE("completion: a chain in a window begins after the picture, or without one") {
    CHECK(candidates({"view", ""}) == Names{":files"});
    CHECK(has(candidates({"view", "in.png", ""}), "blur"));
    CHECK(candidates({"view", "blur", "--sigm"}) == Names{"--sigma"});
    CHECK(candidates({"view", "in.png", "invert", "then", "inv"}) == Names{"invert"});
    CHECK(candidates({"view", "--rec"}) == Names{"--recipe"});
}

TEST_CASE("completion: commands, operations and files by their place") {
    const Names commands = candidates({""});
    for (const OpInfo* op : operations()) {
        CHECK(has(commands, op->name));
        CHECK(has(candidates({"bench", ""}), op->name) != op->bench.variants.empty());
        CHECK(has(candidates({"help", ""}), op->name));
    }
    for (const char* alias : {"sharpen", "dilate", "grayscale", "identify"}) {
        CHECK(has(commands, alias));
        CHECK(has(candidates({"help", ""}), alias));
    }
    CHECK(candidates({"dilate", "--rad"}) == Names{"--radius"});
    CHECK(candidates({"pipe", "in.png", "out.png", "sharp"}) == Names{"sharpen"});
    CHECK(candidates({"blu"}) == Names{"blur"});
    CHECK(candidates({"-q", "blu"}) == Names{"blur"});
    CHECK(candidates({"--device", "0", "blu"}) == Names{"blur"});
    CHECK(candidates({"blur", ""}) == Names{":files"});
    CHECK(candidates({"blur", "--sigma", "2", "in.png", ""}) == Names{":files"});
    CHECK(candidates({"blur", "a.png", "b.png", "c.png", ""}) == Names{":files"});
    CHECK(candidates({"blur", "--files-from", ""}) == Names{":files"});
    CHECK(candidates({"scan", "in.npy", "out.npy", ""}) == Names{});
    CHECK(candidates({"nosuch", ""}) == commands);
}

TEST_CASE("completion: flags and their values") {
    CHECK(candidates({"blur", "--bor"}) == Names{"--border"});
    CHECK(candidates({"blur", "--border", "m"}) == Names{"mirror"});
    CHECK(candidates({"blur", "a", "b", "--border", ""}) ==
          Names{"clamp", "mirror", "symmetric", "wrap", "constant"});
    CHECK(candidates({"blur", "--border=m"}) == Names{"--border=mirror"});
    CHECK(candidates({"blur", "--border", "=", "m"}) == Names{"mirror"}); // as bash takes words apart
    CHECK(candidates({"blur", "--border", "="}).size() == 5);
    CHECK(candidates({"--timing=j"}) == Names{"--timing=json"});
    CHECK(candidates({"blur", "--timing", ""}) == Names{":files"}); // its value needs the =
    CHECK(candidates({"blur", "--sigma", ""}).empty());
    CHECK(candidates({"--device", ""}) == Names{"auto", "gpu", "cpu", "all"});
    CHECK(candidates({"histogram", "--plot", ""}) == Names{":files"});
    CHECK(candidates({"bench", "blur", "--input", "g"}) == Names{"gradient"});
    CHECK(has(candidates({"--"}), "--device"));
    CHECK_FALSE(has(candidates({"--"}), "--sigma"));
    CHECK(candidates({"blur", "--nosuch="}).empty());
    CHECK(candidates({"="}).empty());
}

TEST_CASE("completion: in bash") {
    const TempDir folder;
    const auto complete = [&](const std::string& words) {
        return in_shell(
            "bash", {"--norc", "--noprofile"},
            "source '" + (scripts() / "glproc.bash").string() +
                "'; complete -p glproc >/dev/null || exit 1; COMP_WORDS=(" + words +
                "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _glproc; printf '%s\\n' \"${COMPREPLY[@]}\"",
            folder.path());
    };
    CHECK(complete("glproc blur a b --border m") == "mirror\n");
    CHECK(complete("glproc blur a b --timing = j") == "json\n");
    CHECK(complete("glproc blu") == "blur\n");
    CHECK(complete("glproc blur a b --sigma ''") == "\n");
}

TEST_CASE("completion: in fish") {
    const TempDir folder;
    write_text(folder / "photo.png", "");
    const auto complete = [&](const std::string& line) {
        return in_shell("fish", {"--no-config"},
                        "source '" + (scripts() / "glproc.fish").string() + "'; complete -C '" + line + "'",
                        folder.path());
    };
    const auto mirror = complete("glproc blur a b --border m");
    if (!mirror) {
        return;
    }
    CHECK(mirror->starts_with("mirror\t"));
    CHECK(lines_of(*mirror).size() == 1);
    CHECK(complete("glproc blur a b --timing=j") == "--timing=json\n");
    CHECK(complete("glproc blur pho") == "photo.png\n");
    CHECK(complete("glproc blur a b --sigma ") == "");
}

TEST_CASE("completion: in zsh, at a terminal") {
    const TempDir folder;
    write_text(folder / "photo.png", "");
    // A second zsh on a terminal of its own gets the line and the Tab key, and must then show `expected`.
    const auto complete =
        [&](const std::string& line, const std::string& expected) {
            return in_shell("zsh", {"-f"},
                            R"zsh(
zmodload zsh/zpty
zpty z zsh -f -i
until_shown() {
    local shown part
    for (( tries = 0; tries < 200; ++tries )); do
        while zpty -r -t z part; do shown+=$part; done
        [[ $shown == *$1* ]] && return
        sleep 0.05
    done
    print -r -- "shows $shown"
    exit 1
}
zpty -w z "fpath=()zsh" + scripts().string() +
                                R"zsh( \$fpath); autoload -U compinit; compinit -D; print REA''DY"
until_shown READY
zpty -w -n z $')zsh" + line + R"zsh(\t'
until_shown ')zsh" + expected + "'",
                            folder.path());
        };
    CHECK(complete("glproc blur a b --border m", "--border mirror").value_or("") == "");
    CHECK(complete("glproc blu", "glproc blur").value_or("") == "");
    CHECK(complete("glproc blur pho", "photo.png").value_or("") == "");
}
