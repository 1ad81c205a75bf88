// glproc pipe: chains as they are typed and as recipes have them.
#include "cli/glproc_program.hpp"

#include "glproc/op/op.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// The operations of a chain one after another, through files of `extension`; returns the last one's name.
std::string run_steps(const TempDir& folder, const std::string& in, const std::vector<Words>& steps,
                      const std::string& extension, const Words& flags = {}) {
    std::string last = in;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string next = "step" + std::to_string(i) + extension;
        Words call{steps[i].front(), last, next};
        call = call + Words(steps[i].begin() + 1, steps[i].end()) + flags;
        const ProgramResult result = run_glproc(folder.path(), call);
        INFO(result.err);
        REQUIRE(result.status == 0);
        last = next;
    }
    return last;
}

Words typed(const std::vector<Words>& steps) {
    Words words;
    for (const Words& step : steps) {
        words = words + (words.empty() ? Words{} : Words{"then"}) + step;
    }
    return words;
}

struct Folder : TempDir {
    Folder() {
        save(photo_like_image({311, 217, 3, Depth::u8}), path() / "in.png");
        save(photo_like_image({311, 217, 4, Depth::u16}), path() / "alpha.png");
    }
    bool same(const std::string& a, const std::string& b) const {
        return same_pixels(load(path() / a), load(path() / b));
    }
};

/// The first line of the error and the hint of a call that must fail before any GPU work.
void check_refused(const TempDir& folder, const Words& call, int status, const std::string& expected) {
    INFO(call.back());
    const std::set<std::string> before = names_in(folder.path());
    const ProgramResult result = run_without_gpu(folder.path(), call);
    CHECK(result.status == status);
    CHECK(result.err == expected);
    CHECK(names_in(folder.path()) == before);
}

const std::string pipe_hint =
    "  hint: glproc pipe in.png out.png blur --sigma 2 then resize 800x then unsharp\n";

const std::vector<std::vector<Words>> chains{
    {{"blur", "--sigma", "2"}, {"resize", "200x"}, {"unsharp"}},
    {{"levels", "--auto"}, {"invert"}, {"curve", "--points", "0,0,0.4,0.6,1,1"}, {"gray"}},
    {{"equalize"},
     {"rotate", "--angle", "7"},
     {"box", "--radius", "2", "--border", "wrap"},
     {"threshold", "--method", "otsu"}},
    {{"convert", "--gray"}, {"matrix", "--matrix", "1,0,0,0,0.5,0,0,0,0.25"}},
};

} // namespace

TEST_CASE("pipe: equals its operations one after another, whole and in tiles") {
    const Folder folder;
    for (const std::vector<Words>& steps : chains) {
        for (const std::string in : {"in.png", "alpha.png"}) {
            const std::string expected = run_steps(folder, in, steps, ".png");
            REQUIRE(run_glproc(folder.path(), Words{"pipe", in, "out.png"} + typed(steps)).status == 0);
            CHECK(folder.same("out.png", expected));
            ProgramCall call = glproc_call(folder.path(), Words{"pipe", in, "tiles.png"} + typed(steps) +
                                                              Words{"--memory", "8"});
            call.environment["GLPROC_LIMITS"] = "texture_size:120";
            const ProgramResult tiled = run_program(std::move(call));
            INFO(tiled.err);
            REQUIRE(tiled.status == 0);
            CHECK(read_text(folder / "tiles.png") == read_text(folder / "out.png"));
        }
    }
}

TEST_CASE("pipe: --depth decides what is kept in between") {
    const Folder folder;
    const std::vector<Words> steps{
        {"adjust", "--brightness", "0.5"}, {"adjust", "--brightness", "-0.5"}, {"blur", "--sigma", "1"}};
    const std::string floats = run_steps(folder, "in.png", steps, ".pfm", {"--depth", "f32", "--transfer", "keep"});
    REQUIRE(
        run_glproc(folder.path(), Words{"pipe", "in.png", "out.pfm"} + typed(steps) + Words{"--depth", "f32", "--transfer", "keep"})
            .status == 0);
    CHECK(folder.same("out.pfm", floats));
    const std::string codes = run_steps(folder, "in.png", steps, ".png");
    REQUIRE(run_glproc(folder.path(), Words{"pipe", "in.png", "out.png"} + typed(steps)).status == 0);
    CHECK(folder.same("out.png", codes));
    CHECK_FALSE(same_pixels(load(folder / "out.png"), with_depth(load(folder / "out.pfm"), Depth::u8)));
    // equalize takes no floats, here as alone.
    REQUIRE(run_glproc(folder.path(),
                       {"pipe", "in.png", "out.pfm", "--depth", "f32", "invert", "then", "equalize"})
                .status == 0);
    CHECK(load(folder / "out.pfm").depth() == Depth::f32);
}

TEST_CASE("pipe: a recipe has the same words") {
    const Folder folder;
    write_text(folder / "soft.txt", "# soft and small\n\n  blur --sigma 2   # the first\n"
                                    "convolve --kernel \"1 2 1; 2 4 2; 1 2 1\" --border 'constant:#f80'\r\n"
                                    "resize 100x then invert");
    REQUIRE(run_glproc(folder.path(), {"pipe", "in.png", "out.png", "--recipe", "soft.txt"}).status == 0);
    REQUIRE(run_glproc(folder.path(), {"pipe", "in.png", "typed.png", "blur", "--sigma", "2", "then",
                                       "convolve", "--kernel", "1 2 1; 2 4 2; 1 2 1", "--border",
                                       "constant:#f80", "then", "resize", "100x", "then", "invert"})
                .status == 0);
    CHECK(read_text(folder / "out.png") == read_text(folder / "typed.png"));
}

TEST_CASE("pipe: operations may follow a recipe") {
    const Folder folder;
    write_text(folder / "soft.txt", "blur --sigma 2\n");
    REQUIRE(
        run_glproc(folder.path(), {"pipe", "in.png", "typed.png", "blur", "--sigma", "2", "then", "invert"})
            .status == 0);
    for (const Words& rest : {Words{"then", "invert"}, {"invert"}}) {
        Words call{"pipe", "in.png", "out.png", "--recipe", "soft.txt"};
        call.insert(call.end(), rest.begin(), rest.end());
        REQUIRE(run_glproc(folder.path(), call).status == 0);
        CHECK(read_text(folder / "out.png") == read_text(folder / "typed.png"));
    }
}

TEST_CASE("pipe: flags of the output and of every command may stand anywhere") {
    const Folder folder;
    const std::vector<Words> calls{
        {"pipe", "--to", "jpg", "--quality=40", "-q", "in.png", "a.jpg", "invert", "then", "flip", "--axis",
         "x"},
        {"-q", "pipe", "in.png", "b.jpg", "--quality", "40", "invert", "then", "flip", "--axis", "x", "--to",
         "jpg"},
        {"pipe", "in.png", "c.jpg", "invert", "--quality", "40", "then", "flip", "--to=jpg", "--axis", "x",
         "-q"},
    };
    for (const Words& call : calls) {
        const ProgramResult result = run_glproc(folder.path(), call);
        INFO(result.err);
        CHECK(result.status == 0);
    }
    CHECK(read_text(folder / "a.jpg") == read_text(folder / "b.jpg"));
    CHECK(read_text(folder / "a.jpg") == read_text(folder / "c.jpg"));
    // convert has a --gray of its own, and here it comes before the inversion.
    REQUIRE(run_glproc(folder.path(), {"pipe", "in.png", "grey.png", "convert", "--gray", "then", "invert"})
                .status == 0);
    CHECK(load(folder / "grey.png").channels() == 1);
}

TEST_CASE("pipe: files may be named as operations are") {
    const Folder folder;
    std::filesystem::copy_file(folder / "in.png", folder / "blur");
    REQUIRE(run_glproc(folder.path(), {"pipe", "blur", "then.png", "invert", "then", "flip", "--axis", "y"})
                .status == 0);
    REQUIRE(run_glproc(folder.path(),
                       {"pipe", "--to", "png", "blur", "invert", "invert", "then", "flip", "--axis", "y"})
                .status == 0);
    CHECK(read_text(folder / "then.png") == read_text(folder / "invert"));
}

TEST_CASE("pipe: stdin, stdout and timing") {
    const Folder folder;
    ProgramCall call = glproc_call(
        folder.path(), {"pipe", "-", "-", "invert", "then", "flip", "--axis", "x", "--timing=json", "-v"});
    call.input = read_text(folder / "in.png");
    const ProgramResult result = run_program(std::move(call));
    REQUIRE(result.status == 0);
    CHECK(decode_text(result.out, "out").width() == 311);
    const std::vector<std::string> lines = lines_of(without_software_warning(result.err));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("stdout: 311x217, pipe, "));
    CHECK(lines[1].starts_with("{\"schema\":\"glproc.timing/1\""));
}

TEST_CASE("pipe: what is missing or misspelt") {
    const Folder folder;
    const Words call{"pipe", "in.png", "out.png"};
    const auto refused = [&](const Words& words, const std::string& expected) {
        check_refused(folder, call + words, 2, expected);
    };
    refused({}, "glproc: error: pipe needs an operation\n" + pipe_hint);
    refused({"blur"},
            "glproc: error: blur needs --sigma\n  hint: glproc pipe in.png out.png blur --sigma 2\n");
    refused({"invert", "then", "resize"},
            "glproc: error: resize needs --size\n  hint: glproc pipe in.png out.png invert then resize 800x\n");
    refused({"blurr", "--sigma", "2"}, "glproc: error: unknown operation 'blurr' (did you mean 'blur'?)\n");
    refused({"blurr"}, "glproc: error: unknown operation 'blurr' (did you mean 'blur'?)\n");
    refused({"invert", "then", "blurr"}, "glproc: error: unknown operation 'blurr' (did you mean 'blur'?)\n");
    refused({"invert", "then", "xyzzy"},
            "glproc: error: unknown operation 'xyzzy'\n  hint: glproc --help lists the operations\n");
    refused({"blur", "--sigm", "2"}, "glproc: error: unknown flag '--sigm' (did you mean '--sigma'?)\n");
    refused({"blur", "--sigma", "2", "resize", "50%"},
            "glproc: error: 'then' is missing before 'resize'\n  hint: glproc pipe in.png out.png blur … "
            "then resize …\n");
    for (const Words& words :
         {Words{"then", "invert"}, {"invert", "then"}, {"invert", "then", "then", "flip", "--axis", "x"}}) {
        refused(words, "glproc: error: 'then' stands between two operations\n" + pipe_hint);
    }
    refused({"blur", "--sigma", "then", "invert"}, "glproc: error: --sigma needs a value\n");
    refused({"invert", "then", "blur", "--sigma", "-1"},
            "glproc: error: --sigma -1 is out of range\n  hint: --sigma takes 0 to 1000 pixels\n");
    refused({"invert", "then", "histogram"},
            "glproc: error: histogram does not turn an image into an image, as every operation of a pipe must\n"
            "  hint: write the image to a file first: glproc histogram --help\n");
    check_refused(folder, {"pipe", "in.png", "invert", "then", "blur", "--sigma", "2"}, 2,
                  "glproc: error: pipe needs IN and OUT before the operation 'invert'\n" + pipe_hint);
    check_refused(folder, {"pipe"}, 2,
                  "glproc: error: pipe needs IN and OUT\n"
                  "  hint: glproc pipe in.jpg out.png blur --sigma 2 then resize 800x then unsharp\n");
    check_refused(folder, {"pipe", "nosuch.png", "out.png", "invert"}, 3,
                  "glproc: error: nosuch.png: no such file\n");
}

TEST_CASE("pipe: many pictures, and one log, as of any operation") {
    const Folder folder;
    const Words call{"pipe", "in.png", "alpha.png", "small/", "resize",
                     "50%",  "then",   "invert",    "--log",  "log.jsonl"};
    REQUIRE(run_glproc(folder.path(), call).status == 0);
    for (const std::string name : {"in.png", "alpha.png"}) {
        REQUIRE(
            run_glproc(folder.path(), {"pipe", name, "one.png", "resize", "50%", "then", "invert"}).status ==
            0);
        CHECK(folder.same("small/" + name, "one.png"));
    }
    REQUIRE(run_glproc(folder.path(), call + Words{"--resume"}).status == 0);
    check_refused(folder, {"pipe", "in.png", "alpha.png", "small/"}, 2,
                  "glproc: error: pipe needs an operation\n"
                  "  hint: glproc pipe in.png small/ blur --sigma 2 then resize 800x then unsharp\n");
}

TEST_CASE("pipe: what an operation makes must be what the next one takes, and the format, too") {
    const Folder folder;
    const ProgramResult crop =
        run_without_gpu(folder.path(), {"pipe", "in.png", "out.png", "resize", "100x100", "then", "crop",
                                        "--rect", "90,90,20,20"});
    CHECK(crop.status == 2);
    CHECK(crop.err.find("crop to 90,90,20,20 does not lie within an image of 100x100") != std::string::npos);
    const ProgramResult sobel = run_without_gpu(
        folder.path(), {"pipe", "in.png", "out.png", "sobel", "--output", "x", "then", "invert"});
    CHECK(sobel.status == 2);
    CHECK(names_in(folder.path()) == std::set<std::string>{"alpha.png", "in.png"});
}

TEST_CASE("pipe: a bad recipe is told of by its line") {
    const Folder folder;
    const Words call{"pipe", "in.png", "out.png", "--recipe", "r.txt"};
    const auto refused = [&](const std::string& recipe, const std::string& expected, int status = 2) {
        write_text(folder / "r.txt", recipe);
        check_refused(folder, call, status, "glproc: error: " + expected);
    };
    refused("invert\n\nblurr --sigma 2\n", "r.txt:3: unknown operation 'blurr' (did you mean 'blur'?)\n");
    refused("invert\n# blur\nblur --sigma x\n",
            "r.txt:3: --sigma x is not a number\n  hint: --sigma takes 0 to 1000 pixels\n");
    refused("blur\n", "r.txt:1: blur needs --sigma\n  hint: glproc pipe in.png out.png blur --sigma 2\n");
    refused("invert\nconvolve --kernel \"1 2 1\n", "r.txt:2: a quote that is never closed\n");
    refused("invert\nthen flip\n", "r.txt:2: 'then' stands between two operations\n" + pipe_hint);
    refused("invert\nblur --sigma 2 --depth 16\n",
            "r.txt:2: unknown flag '--depth'\n  hint: --depth is a flag of blur, box, median and others\n");
    for (const char* empty : {"", "\n\n", "# nothing\n"}) {
        refused(empty, "r.txt: no operation in the recipe\n  hint: one operation per line: blur --sigma 2\n");
    }
    refused(std::string(std::size_t{2} << 20U, '\n'), "r.txt: too large for a recipe: 2097152 bytes\n", 3);
    std::string many;
    for (int i = 0; i < 257; ++i) {
        many += "invert\n";
    }
    refused(many, "257 operations are too many: pipe takes at most 256\n  hint: write an image in between\n");
    std::filesystem::remove(folder / "r.txt");
    check_refused(folder, call, 3, "glproc: error: r.txt: no such file\n");
    std::filesystem::create_directory(folder / "r.txt");
    check_refused(folder, call, 3, "glproc: error: r.txt: is a directory\n");
}

TEST_CASE("pipe: every operation that makes a picture of a picture has a place in it") {
    const Folder folder;
    for (const OpInfo* op : operations()) {
        const bool is_one = op->input == Input::image && making(*op, Product::image).product == Product::image &&
                            !op->joins;
        const ProgramResult result = run_without_gpu(
            folder.path(), {"pipe", "in.png", "out.png", "invert", "then", op->name, "--bogus"});
        INFO(op->name);
        CHECK(result.status == 2);
        CHECK((result.err.find("unknown flag '--bogus'") != std::string::npos) == is_one);
    }
}

TEST_CASE("pipe: the summary names the size of what it wrote") {
    const TempDir folder;
    save(random_image({40, 20, 3, Depth::u8}, 3), folder / "in.png");
    const ProgramResult result = run_glproc(
        folder.path(), {"pipe", "in.png", "out.png", "-v", "resize", "10x", "then", "pad", "--margin", "1"});
    CHECK(result.status == 0);
    CHECK(without_software_warning(result.err).starts_with("out.png: 12x7, pipe, "));
}
