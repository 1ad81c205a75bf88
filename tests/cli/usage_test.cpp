// Wrong calls: each is reported before anything is read, written or asked of a GPU.
#include "cli/glproc_program.hpp"
#include "glproc/op/op.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

struct WrongCall {
    Words words;
    std::string error; ///< what stderr gets, without "glproc: error: " and the last line end
};

std::string blur_hint() {
    return "\n  hint: glproc blur in.png out.png --sigma 2";
}

void check_all(const std::vector<WrongCall>& calls) {
    const TempDir folder;
    for (const WrongCall& call : calls) {
        std::string shown = "glproc";
        for (const std::string& word : call.words) {
            shown += " " + word;
        }
        INFO(shown);
        const ProgramResult result = run_without_gpu(folder.path(), call.words);
        CHECK(result.status == 2);
        CHECK(result.err == "glproc: error: " + call.error + "\n");
        CHECK(result.out.empty());
    }
    CHECK(names_in(folder.path()).empty());
}

} // namespace

namespace {

/// As they are listed: with their aliases.
std::string measured_operations() {
    std::string names;
    for (const OpInfo* op : operations()) {
        if (op->bench.variants.empty()) {
            continue; // there is nothing to measure
        }
        names += op->name + ", ";
        for (const std::string& alias : op->aliases) {
            names += alias.find(' ') == std::string::npos ? alias + ", " : "";
        }
    }
    return names + "copy, transfer, pipe";
}

} // namespace

TEST_CASE("usage: unknown commands") {
    check_all({{{"blru", "a.png", "b.png"}, "unknown command 'blru' (did you mean 'blur'?)"},
               {{"histgram", "a.png"}, "unknown command 'histgram' (did you mean 'histogram'?)"},
               {{"inf"}, "unknown command 'inf' (did you mean 'info'?)"},
               {{"help", "bench", "scn"},
                "unknown operation 'scn' (did you mean 'scan'?)\n  hint: one of: " + measured_operations()},
               {{"frobnicate", "a.png", "b.png", "--frob"},
                "unknown command 'frobnicate'\n  hint: glproc --help lists the commands"}});
}

TEST_CASE("usage: unknown flags") {
    check_all(
        {{{"blur", "a.png", "b.png", "--sigmma", "2"}, "unknown flag '--sigmma' (did you mean '--sigma'?)"},
         {{"blur", "a.png", "b.png", "--sgma=2"}, "unknown flag '--sgma' (did you mean '--sigma'?)"},
         {{"blur", "a.png", "b.png", "-sigma", "2"}, "unknown flag '-sigma' (did you mean '--sigma'?)"},
         {{"blur", "a.png", "b.png", "--sigma", "2", "--devise", "0"},
          "unknown flag '--devise' (did you mean '--device'?)"},
         {{"--quite", "info"}, "unknown flag '--quite' (did you mean '--quiet'?)"},
         {{"info", "--jsn"}, "unknown flag '--jsn' (did you mean '--json'?)"},
         {{"blur", "a.png", "b.png", "--sigma", "2", "-x"},
          "unknown flag '-x'\n  hint: glproc blur --help lists the flags"},
         {{"blur", "a.png", "b.png", "--sigma", "2", "--frobnicate"},
          "unknown flag '--frobnicate'\n  hint: glproc blur --help lists the flags"}});
}

TEST_CASE("usage: flags that come too early or too late") {
    check_all({{{"--sigma", "2", "blur", "a.png", "b.png"},
                "--sigma must come after the command blur\n  hint: glproc blur a.png b.png --sigma 2"},
               {{"blur", "--", "-a.png", "b.png", "--sigma", "2"},
                "--sigma comes after --, where every word is a file name\n"
                "  hint: put -- and the files last: glproc blur [flags] -- FILES"},
               {{"blur", "--", "a.png", "b.png", "--sigma=2"},
                "--sigma=2 comes after --, where every word is a file name\n"
                "  hint: put -- and the files last: glproc blur [flags] -- FILES"}});
}

TEST_CASE("usage: flags of one product are not there for the other") {
    check_all({{{"blur", "a.png", "b.png", "--sigma", "2", "--json"},
                "unknown flag '--json'\n  hint: --json is a flag of trim, components, maxima and others"},
               {{"histogram", "a.png", "--to", "png"},
                "unknown flag '--to'\n  hint: --to is a flag of blur, box, median and others"}});
}

TEST_CASE("usage: missing and superfluous files") {
    check_all(
        {{{"blur"}, "blur needs IN and OUT" + blur_hint()},
         {{"blur", "a.png"}, "blur needs OUT\n  hint: glproc blur a.png out.png --sigma 2"},
         {{"blur", "--sigma", "2", "a.png"}, "blur needs OUT\n  hint: glproc blur a.png out.png --sigma 2"},
         {{"blur", "a.png", "b.png", "c.png", "--sigma", "2"},
          "c.png: no such folder, which several inputs need\n  hint: c.png/ creates it"},
         {{"scan", "a.npy", "b.npy", "c.npy"},
          "unexpected argument 'c.npy'\n  hint: glproc scan in.npy out.npy --exclusive"}});
}

TEST_CASE("usage: required flags") {
    check_all({{{"blur", "a.png", "b.png", "--border", "wrap"},
                "blur needs --sigma\n  hint: glproc blur a.png b.png --sigma 2"},
               {{"box", "a.png", "b.png"}, "box needs --radius\n  hint: glproc box a.png b.png --radius 5"},
               {{"morphology", "a.png", "b.png", "open"}, // OUT is where it was typed
                "morphology needs --do\n  hint: glproc morphology a.png b.png --do open --radius 3"},
               {{"lut", "a.png", "b.png", "warm.cube"}, "lut needs --cube\n  hint: glproc lut a.png b.png --cube warm.cube"}});
}

TEST_CASE("usage: missing values") {
    const std::string error = "--sigma needs a value";
    check_all({{{"blur", "a.png", "b.png", "--sigma"}, error},
               {{"blur", "a.png", "b.png", "--sigma="}, error},
               {{"blur", "--sigma=", "a.png", "b.png"}, error},
               {{"blur", "a.png", "b.png", "--sigma", "--border", "wrap"}, error},
               {{"blur", "a.png", "b.png", "--sigma", ""}, error},
               {{"info", "--device"}, "--device needs a value"},
               {{"info", "--quiet=yes"}, "--quiet takes no value"}});
}

TEST_CASE("usage: values out of range and values that are no numbers") {
    const std::string hint = "\n  hint: --sigma takes 0 to 1000 pixels";
    check_all({{{"blur", "a.png", "b.png", "--sigma", "-1"}, "--sigma -1 is out of range" + hint},
               {{"blur", "a.png", "b.png", "--sigma=-1"}, "--sigma -1 is out of range" + hint},
               {{"blur", "a.png", "b.png", "--sigma", "2,-1"}, "--sigma -1 is out of range" + hint},
               {{"blur", "a.png", "b.png", "--sigma", "1001"}, "--sigma 1001 is out of range" + hint},
               {{"blur", "a.png", "b.png", "--sigma", "nan"}, "--sigma nan is not a finite number" + hint},
               {{"blur", "a.png", "b.png", "--sigma", "2px"}, "--sigma 2px is not a number" + hint},
               {{"blur", "a.png", "b.png", "--sigma", "2,"},
                "--sigma 2, lacks a value beside the comma\n  hint: --sigma V for both axes, or --sigma X,Y"},
               {{"blur", "a.png", "b.png", "--sigma", "1,2,3"},
                "--sigma 1,2,3 has more than two values\n  hint: --sigma V for both axes, or --sigma X,Y"}});
}

TEST_CASE("usage: the last of repeated flags counts") {
    check_all({{{"blur", "a.png", "b.png", "--sigma", "2", "--sigma", "-7"},
                "--sigma -7 is out of range\n  hint: --sigma takes 0 to 1000 pixels"}});
}

TEST_CASE("usage: unknown choices") {
    const std::string borders = "\n  hint: one of: clamp, mirror, symmetric, wrap, constant";
    check_all({{{"blur", "a.png", "b.png", "--sigma", "2", "--border", "mirrror"},
                "unknown --border 'mirrror' (did you mean 'mirror'?)" + borders},
               {{"info", "--backend", "gflw"},
                "unknown --backend 'gflw' (did you mean 'glfw'?)\n  hint: one of: auto, glfw, egl"},
               {{"info", "--timing=xml"}, "unknown --timing 'xml'\n  hint: one of: text, json"},
               {{"histogram", "a.png", "--format", "jsn"},
                "unknown --format 'jsn' (did you mean 'json'?)\n  hint: one of: text, json, csv"},
               {{"histogram", "a.png", "--json", "--format", "csv"},
                "--json and --format csv cannot be given together"}});
}

TEST_CASE("usage: borders") {
    const std::string hint =
        "\n  hint: --border constant:V takes a number, a percentage such as 50%, a value such as 128/255, or "
        "a CSS name, #rrggbb, or R,G,B from 0 to 1";
    const auto border = [](const std::string& text) {
        return Words{"blur", "a.png", "b.png", "--sigma", "2", "--border", text};
    };
    for (const std::string text :
         {"constant:", "constant:x", "constant:1/0", "constant:#12", "constant:1,2,3",
          "constant:0.1,0.2", "constant:nan", "constant:0.5x"}) {
        check_all({{border(text), "--border " + text + " has no value that can be read" + hint}});
    }
    check_all({{border("wrap:0.5"),
                "--border wrap takes no value\n  hint: only constant does: --border constant:0.5"},
               {{"blur", "a.png", "b.png", "--sigma", "2", "--radius", "3", "--truncate", "2"},
                "--truncate and --radius cannot be given together"}});
}

TEST_CASE("usage: unknown output formats") {
    const ProgramResult to = run_without_gpu({}, {"blur", "a.png", "-", "--sigma", "2", "--to", "jgp"});
    CHECK(to.status == 2);
    CHECK(lines_of(to.err).front() == "glproc: error: unknown --to 'jgp' (did you mean 'jpg'?)");
    const ProgramResult none = run_without_gpu({}, {"blur", "a.png", "/tmp/picture", "--sigma", "2"});
    CHECK(none.status == 2);
    CHECK(none.err.starts_with(
        "glproc: error: /tmp/picture: no extension tells the output format (known: png, "));
}

TEST_CASE("usage: a bad default in the environment is named") {
    ProgramCall call = glproc_call({}, {"info"});
    call.environment["GLPROC_BACKEND"] = "elg";
    const ProgramResult result = run_program(call);
    CHECK(result.status == 2);
    CHECK(result.err == "glproc: error: GLPROC_BACKEND: unknown --backend 'elg' (did you mean 'egl'?)\n"
                        "  hint: one of: auto, glfw, egl\n");
}

TEST_CASE("usage: no command") {
    for (const Words& words : {Words{}, Words{"-q"}, Words{"--"}}) {
        const ProgramResult result = run_without_gpu({}, words);
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        CHECK(result.err.starts_with("glproc: error: no command\n\nglproc "));
        CHECK(result.err.find("\nUsage: glproc COMMAND ") != std::string::npos);
    }
}

TEST_CASE("usage: files called like commands, flags and lists are files") {
    const TempDir folder;
    const auto missing = [&](const Words& words, const std::string& name) {
        const ProgramResult result = run_without_gpu(folder.path(), words);
        CHECK(result.status == 3);
        CHECK(result.err == "glproc: error: " + name + ": no such file\n");
    };
    missing({"blur", "box", "out.png", "--sigma", "2"}, "box");
    missing({"blur", "help", "out.png", "--sigma", "2"}, "help");
    missing({"blur", "[a,b]", "out.png", "--sigma", "2"}, "[a,b]");
    missing({"blur", "--sigma", "2", "--", "-a.png", "--b.png"}, "-a.png");
    missing({"histogram", "--", "--json"}, "--json");
    missing({"histogram", ""}, "");
}

TEST_CASE("usage: control characters of a file name do not reach the terminal") {
    const ProgramResult result = run_without_gpu({}, {"histogram", "a\x1b[31mb\rc.png"});
    CHECK(result.status == 3);
    CHECK(result.err == "glproc: error: a?[31mb?c.png: no such file\n");
    // C1 codes as UTF-8 and as plain bytes, a text direction, a line end; letters of all lengths stay.
    const ProgramResult others =
        run_without_gpu({}, {"histogram", "\xC2\x9B"
                                          "a\x9B"
                                          "b\xE2\x80\xAE"
                                          "c\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xA8.png"});
    CHECK(others.err == "glproc: error: ?a?b?c\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xA8.png: no such file\n");
}

TEST_CASE("usage: control characters of a file name do not reach the terminal by what info prints") {
    const TempDir folder;
    const std::string name = "\x1b]0;owned\a\nx.png: PNG, 1x1\x9b.png";
    save(Image(3, 2, 3, Depth::u8), folder / name);
    const ProgramResult result = run_without_gpu(folder.path(), {"info", name});
    CHECK(result.status == 0);
    CHECK(result.out.starts_with("?]0;owned??x.png: PNG, 1x1?.png: PNG, 3x2, 8-bit RGB\n"));
}

TEST_CASE("usage: on a terminal a name of two lines is no row of its own in CSV") {
    const TempDir folder;
    const std::string name = "a\nb.png,1,2.png";
    save(Image(3, 2, 3, Depth::u8), folder / name);
    save(Image(3, 2, 3, Depth::u8), folder / "c.png");
    ProgramCall call = glproc_call(folder.path(), {"stats", name, "c.png", "--format", "csv", "-q"});
    CHECK(run_program(call).out.find("\"" + name + "\"") != std::string::npos);
    call.out = Stream::terminal;
    const std::string shown = run_program(call).out;
    CHECK(shown.find("a?b.png") != std::string::npos);
    CHECK(shown.find("\nb.png") == std::string::npos);
    CHECK(run_program(glproc_call({}, {"help", "blur\nzz"})).out.starts_with("Found for 'blur?zz'"));
}

TEST_CASE("usage: control characters of a file name are escaped in JSON") {
    const TempDir folder;
    save(Image(3, 2, 3, Depth::u8), folder / "\x1b[m\xC2\x9B\xC2\xA0\xC3\xA9.png");
    const ProgramResult result = run_without_gpu(folder.path(), {"info", "\x1b[m\xC2\x9B\xC2\xA0\xC3\xA9.png", "--json"});
    CHECK(result.status == 0);
    CHECK(result.out.find("\"\\u001b[m\\u009b\xC2\xA0\xC3\xA9.png\"") != std::string::npos);
}
