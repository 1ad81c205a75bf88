// The words that people know from other tools: taken where they mean the same, and answered with the call
// that does it where they do not.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

struct Answer {
    Words words;
    std::string what;
    std::string hint;
};

void check_answers(const std::vector<Answer>& answers) {
    const TempDir folder;
    for (const auto& [words, what, hint] : answers) {
        std::string shown;
        for (const std::string& word : words) {
            shown += " " + word;
        }
        INFO("glproc" << shown);
        const ProgramResult result = run_without_gpu(folder.path(), words);
        CHECK(result.status == 2);
        CHECK(result.err == "glproc: error: " + what + (hint.empty() ? "" : "\n  hint: " + hint) + "\n");
        CHECK(result.out.empty());
    }
    CHECK(names_in(folder.path()).empty());
}

/// The pixels that a call makes of a small picture.
Image made(const TempDir& folder, const Words& words) {
    const ProgramResult result = run_glproc(folder.path(), words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return load(folder.path() / words.back());
}

} // namespace

TEST_CASE("words: a command of another name is answered with ours and the files of the call") {
    check_answers({{{"brightness", "a.png", "b.png", "20"},
                    "unknown command 'brightness' (did you mean 'adjust'?)",
                    "20 is not used in this example: glproc adjust a.png b.png --brightness 0.1"},
                   {{"sepia"},
                    "unknown command 'sepia' (did you mean 'matrix'?)",
                    "glproc matrix in.png out.png --matrix "
                    "0.393,0.769,0.189,0.349,0.686,0.168,0.272,0.534,0.131"},
                   {{"histo", "a.png"}, "unknown command 'histo' (did you mean 'histogram'?)", ""}});
}

TEST_CASE("words: ImageMagick's flags elsewhere, and flags that nobody has") {
    check_answers({{{"convert", "a.jpg", "-frobnicate", "b.jpg"},
                    "unknown flag '-frobnicate'",
                    "glproc convert --help lists the flags"},
                   {{"invert", "a.jpg", "-resize"},
                    "unknown flag '-resize'",
                    "resize is a command: glproc resize a.jpg out.png 800x"}});
}

TEST_CASE("words: an unknown flag is a slip, a command, or the flag of another command") {
    check_answers(
        {{{"convert", "a.png", "b.png", "--qual", "80"},
          "unknown flag '--qual' (did you mean '--quality'?)",
          ""},
         {{"blur", "a.png", "b.png", "-sigma", "2"}, "unknown flag '-sigma' (did you mean '--sigma'?)", ""},
         {{"convert", "a.png", "b.png", "--resize", "50%"},
          "unknown flag '--resize'",
          "resize is a command: glproc resize a.png b.png 50%"},
         {{"compare", "a.png", "b.png", "--resize", "50%"}, // both are inputs
          "unknown flag '--resize'",
          "resize is a command: glproc resize a.png out.png 50%"},
         {{"resize", "a.png", "b.png", "--resize"}, "unknown flag '--resize'", "resize is a command: glproc resize a.png b.png 800x"},
         {{"stats", "a.png", "b.png", "--blur", "2"}, "unknown flag '--blur'", "blur is a command: glproc blur a.png out.png --sigma 2"},
         {{"convert", "a.png", "b.png", "--sigma", "2"},
          "unknown flag '--sigma'",
          "--sigma is a flag of blur, bilateral, unsharp and others"},
         {{"convert", "a.png", "b.png", "--metric", "psnr"},
          "unknown flag '--metric'",
          "glproc compare a.png b.png"}});
}

TEST_CASE("words: synonyms of commands, flags and values do the same") {
    const TempDir folder;
    save(random_image({31, 22, 3, Depth::u8}, 3), folder.path() / "in.png");
    const auto check_same = [&](Words said, Words meant) {
        said.emplace_back("a.png");
        meant.emplace_back("b.png");
        CHECK(same_pixels(made(folder, said), made(folder, meant)));
    };
    check_same({"dilate", "--radius", "2", "in.png"},
               {"morphology", "--do", "dilate", "--radius", "2", "in.png"});
    check_same({"closing", "--radius", "2", "in.png"},
               {"morphology", "--do", "closing", "--radius", "2", "in.png"});
    check_same({"sharpen", "in.png"}, {"unsharp", "in.png"});
    check_same({"greyscale", "in.png"}, {"gray", "in.png"});
    check_same({"negate", "in.png"}, {"invert", "in.png"});
    check_same({"mirror", "in.png"}, {"flip", "--axis", "x", "in.png"});
    check_same({"flip", "--axis", "vertical", "in.png"}, {"flip", "--axis", "y", "in.png"});
    check_same({"thumbnail", "--size", "10x10", "in.png"}, {"resize", "--size", "10x10", "--fit", "in.png"});
    check_same({"blur", "--std", "2", "--border", "edge", "in.png"}, {"blur", "--sigma", "2", "in.png"});
    check_same({"pad", "--margin", "3", "--border", "white", "in.png"},
               {"pad", "--margin", "3", "--background", "white", "in.png"});
    check_same({"rotate", "--angle", "20", "--border", "constant:white", "in.png"},
               {"rotate", "--angle", "20", "--background", "white", "in.png"});
    check_same({"balance", "--method", "white-patch", "in.png"},
               {"balance", "--rule", "white-patch", "in.png"});
    check_same({"background", "--method", "tophat", "--radius", "5", "in.png"},
               {"background", "--rule", "tophat", "--radius", "5", "in.png"});
    check_same({"skeleton", "--method", "guo-hall", "in.png"}, {"skeleton", "--rule", "guo-hall", "in.png"});
    check_same({"crop", "--size", "9x9", "--gravity", "Bottom-Right", "in.png"},
               {"crop", "--size", "9x9", "--gravity", "southeast", "in.png"});
    check_same({"levels", "--black", "0.1", "--channels", "r,g", "in.png"},
               {"levels", "--black", "0.1", "--channels", "rg", "in.png"});
    check_same({"threshold", "--method", "otsu", "in.png"}, {"threshold", "--rule", "otsu", "in.png"});
    CHECK(run_glproc(folder.path(), {"histogram", "in.png", "--channels", "rgb", "--format", "csv"}).out ==
          run_glproc(folder.path(), {"histogram", "in.png", "--channels", "r,g,b", "--format", "csv"}).out);
    check_answers({{{"dilate", "a.png", "b.png", "--radius", "1", "--do", "erode"},
                    "dilate is morphology --do dilate already",
                    "leave out --do, or call morphology"}});
}

TEST_CASE("words: the one obvious value stands bare") {
    const TempDir folder;
    save(random_image({31, 22, 3, Depth::u8}, 4), folder.path() / "in.png");
    const auto check_same = [&](const Words& bare, const Words& named) {
        INFO(bare.front());
        REQUIRE(run_glproc(folder.path(), bare).status == 0);
        REQUIRE(run_glproc(folder.path(), named).status == 0);
        CHECK(same_pixels(load(folder.path() / bare[2]), load(folder.path() / named[2])));
    };
    check_same({"rotate", "in.png", "a.png", "90"}, {"rotate", "in.png", "b.png", "--angle", "90"});
    check_same({"rotate", "in.png", "a.png", "-90"}, {"rotate", "in.png", "b.png", "--angle", "270"});
    check_same({"flip", "in.png", "a.png", "horizontal"}, {"flip", "in.png", "b.png", "--axis", "x"});
    check_same({"crop", "in.png", "a.png", "9x8+7+6"}, {"crop", "in.png", "b.png", "--rect", "7,6,9,8"});
    check_same({"threshold", "in.png", "a.png", "0.3"}, {"threshold", "in.png", "b.png", "--at", "0.3"});
    check_same({"resize", "in.png", "a.png", "20x20>"}, {"resize", "in.png", "b.png", "--max", "20"});
    // Several inputs, and a folder: nothing is a value.
    const ProgramResult many =
        run_glproc(folder.path(), {"threshold", "a.png", "b.png", "out/", "--rule", "otsu"});
    CHECK(many.status == 0);
    CHECK(names_in(folder.path() / "out") == std::set<std::string>{"a.png", "b.png"});
}

TEST_CASE("words: of three files an input never becomes OUT in a hint") {
    check_answers({{{"composite", "logo.png", "photo.jpg", "out.jpg"},
                    "blend needs --with",
                    "glproc blend photo.jpg out.jpg --with logo.png"},
                   {{"match", "a.png", "b.png", "o.png"}, "match needs --with", "glproc match a.png o.png --with b.png"},
                   {{"blur", "a.png", "b.png", "c.png", "out/"}, "blur needs --sigma", "glproc blur a.png b.png c.png out/ --sigma 2"}});
}

TEST_CASE("words: what stands after the files by mistake is answered with what was meant") {
    check_answers(
        {{{"levels", "a.png", "b.png", "--auto", "1"},
          "--auto takes its value after an equals sign",
          "--auto=1"},
         {{"unsharp", "a.png", "b.png", "0x1+1.5"},
          "unexpected argument '0x1+1.5'",
          "glproc unsharp a.png b.png --sigma 1 --amount 1.5 --threshold 0.025"},
         {{"blur", "a.png", "b.png", "2"}, "unexpected argument '2'", "glproc blur a.png b.png --sigma 2"},
         {{"flip", "a.png", "b.png", "sideways"}, "unknown --axis 'sideways'", "one of: x, y"}});
}
