// --colors and --compression: what they write, and where they are refused.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

struct ColoursFolder : TempDir {
    ColoursFolder() {
        const Image photo = photo_like_image({.width = 61, .height = 37, .channels = 3});
        save(photo, *this / "in.png");
        save(with_depth(photo, Depth::u16), *this / "deep.png");
        save(photo_like_image({.width = 61, .height = 37, .channels = 1}), *this / "grey.png");
        save(photo_like_image({.width = 61, .height = 37, .channels = 4}), *this / "clear.png");
    }

    std::string info(const std::string& file) const { return run_without_gpu(path(), {"info", file}).out; }

    ProgramResult run(const Words& words) const { return run_without_gpu(path(), words); }

    std::string refusal(const std::string& in, const std::string& out, const Words& flags) const {
        Words words{"convert", in, out};
        words.insert(words.end(), flags.begin(), flags.end());
        const ProgramResult done = run(words);
        CHECK(done.status == 2);
        CHECK_FALSE(std::filesystem::exists(*this / out));
        return done.err;
    }
};

} // namespace

TEST_CASE("few colours: --colors writes palettes, and 1 bit for black and white") {
    const ColoursFolder folder;
    for (const std::string flag : {"--colors", "--colours"}) {
        REQUIRE(run_glproc(folder.path(), {"convert", "in.png", "out.png", flag, "16", "-q"}).status == 0);
        CHECK(folder.info("out.png").find("palette of 4 bits") != std::string::npos);
    }
    REQUIRE(run_glproc(folder.path(), {"convert", "in.png", "rows.png", "--colors", "16", "--memory", "1", "-q"}).status == 0);
    CHECK(read_text(folder / "rows.png") == read_text(folder / "out.png"));
    REQUIRE(run_glproc(folder.path(), {"threshold", "grey.png", "page.png", "50%", "--colors", "2", "-q"}).status == 0);
    const std::string page = read_text(folder / "page.png");
    CHECK(page.at(24) == 1); // bits
    CHECK(page.at(25) == 0); // grey
}

TEST_CASE("few colours: --compression of a TIFF") {
    const ColoursFolder folder;
    const Image in = load(folder / "in.png");
    for (const std::string name : {"none", "deflate", "lzw", "packbits"}) {
        REQUIRE(run_glproc(folder.path(), {"convert", "in.png", "out.tif", "--compression", name, "-q"}).status == 0);
        CHECK(same_pixels(load(folder / "out.tif"), in));
    }
    REQUIRE(run_glproc(folder.path(),
                       {"threshold", "grey.png", "page.tif", "50%", "--compression", "g4", "-q"}).status == 0);
    REQUIRE(run_glproc(folder.path(), {"threshold", "grey.png", "page.png", "50%", "-q"}).status == 0);
    CHECK(same_pixels(load(folder / "page.tif"), load(folder / "page.png")));
    CHECK(folder.info("page.tif").find("1-bit grey") != std::string::npos);
}

TEST_CASE("few colours: what cannot be is refused, with what to do") {
    const ColoursFolder folder;
    CHECK(folder.refusal("in.png", "out.jpg", {"--colors", "9"})
              .starts_with("glproc: error: --colors is for PNG and GIF, which out.jpg is not\n"));
    CHECK(folder.refusal("in.png", "out.png", {"--compression", "lzw"})
              .starts_with("glproc: error: --compression is for TIFF, which out.png is not\n"));
    for (const std::string value : {"1", "257", "-5", "99999999999999999999", "many"})
        CHECK(folder.refusal("in.png", "out.png", {"--colors", value}).starts_with("glproc: error: --colors " + value));
    CHECK(folder.refusal("in.png", "out.tif", {"--compression", "jpeg"})
              .starts_with("glproc: error: unknown --compression 'jpeg'"));
    CHECK(folder.refusal("deep.png", "out.png", {"--colors", "9"}) ==
          "glproc: error: out.png: --colors is for 8-bit values, not 16-bit ones\n  hint: add --depth 8\n");
    CHECK(folder.refusal("in.png", "out.tif", {"--compression", "g4"}) ==
          "glproc: error: out.tif: --compression g4 is for black and white, not for colour\n  hint: add --gray\n");
    CHECK(folder.refusal("clear.png", "out.tif", {"--compression", "g4"}) ==
          "glproc: error: out.tif: --compression g4 is for black and white, not for an alpha channel\n"
          "  hint: add --background white --gray\n");
    const ProgramResult done =
        run_glproc(folder.path(), {"convert", "grey.png", "out.tif", "--compression", "g4", "-q"});
    CHECK(done.status == 2);
    CHECK_FALSE(std::filesystem::exists(folder / "out.tif"));
    const std::string& grey = done.err;
    CHECK(grey.starts_with("glproc: error: out.tif: Group 4 holds black and white only, but a pixel has the value "));
    CHECK(grey.find("hint: make it black and white first: glproc threshold") != std::string::npos);
}
