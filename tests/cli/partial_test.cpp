// --keep-partial: pictures that are cut short.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// A folder with pictures of 90x80 pixels, whole and without their second half.
struct PartialFolder : TempDir {
    PartialFolder() {
        for (const std::string extension : {"png", "jpg", "ppm"}) {
            const std::string name = "whole." + extension;
            save(photo_like_image({.width = 90, .height = 80, .channels = 3}), *this / name);
            const std::string bytes = read_text(*this / name);
            write_text(*this / ("cut." + extension), bytes.substr(0, bytes.size() / 2));
        }
    }
    ProgramResult run(const std::vector<std::string>& words) const { return run_glproc(path(), words); }
};

} // namespace

TEST_CASE("partial: without the flag a truncated picture is refused, and the flag is named") {
    const PartialFolder folder;
    for (const std::string extension : {"png", "jpg", "ppm"}) {
        std::string title = extension == "jpg" ? "JPEG" : extension == "png" ? "PNG" : "PNM";
        const ProgramResult result =
            run_without_gpu(folder.path(), {"invert", "cut." + extension, "o.png"});
        CHECK(result.status == 3);
        CHECK(result.err == "glproc: error: cut." + extension + ": truncated " + title +
                                "\n  hint: --keep-partial keeps the rows that can be read\n");
    }
    CHECK_FALSE(fs::exists(folder / "o.png"));
    CHECK(run_without_gpu(folder.path(), {"info", "cut.png", "--keep-partial"}).status == 2);
}

TEST_CASE("partial: with it the sound rows come out, with one warning, confined or not") {
    const PartialFolder folder;
    for (const std::string extension : {"png", "jpg", "ppm"}) {
        const Image whole = load(folder / ("whole." + extension));
        for (const std::vector<std::string>& flags :
             {std::vector<std::string>{}, {"--untrusted"}, {"--memory", "1"}}) {
            std::vector<std::string> words{"crop", "cut." + extension, "o.png", "90x20+0+0", "--keep-partial"};
            words.insert(words.end(), flags.begin(), flags.end());
            const ProgramResult result = folder.run(words);
            INFO(result.err);
            CHECK(result.status == 0);
            CHECK(result.err.starts_with("glproc: warning: cut." + extension + ": truncated "));
            CHECK(result.err.ends_with(" of 80 rows were read\n"));
            CHECK(lines_of(result.err).size() == 1);
            const Image part = load(folder / "o.png");
            REQUIRE(part.height() == 20);
            CHECK(std::equal(part.bytes().begin(), part.bytes().end(), whole.bytes().begin()));
        }
        CHECK(folder.run({"invert", "whole." + extension, "o.png", "--keep-partial"}).err.empty());
    }
}

TEST_CASE("partial: in a batch, and of pictures that come in rows") {
    const PartialFolder folder;
    const std::vector<std::string> batch{"invert", "whole.png", "cut.jpg", "out/", "--to", "png"};
    const ProgramResult refused = folder.run(batch);
    CHECK(refused.status == 3);
    CHECK(refused.err.find("hint: --keep-partial") != std::string::npos);
    std::vector<std::string> words = batch;
    words.emplace_back("--keep-partial");
    const ProgramResult kept = folder.run(words);
    INFO(kept.err);
    CHECK(kept.status == 0);
    CHECK(kept.err.find("cut.jpg: truncated JPEG; the first ") != std::string::npos);
    CHECK(load(folder / "out" / "cut.png").height() == 80);

    write_text(folder / "large.ppm", "P6 5000 3000 255\n" + std::string(std::size_t{30'000'000}, 'x'));
    const std::vector<std::string> corner{"crop", "large.ppm", "o.png", "10x10+0+0"};
    const ProgramResult large = folder.run(corner);
    CHECK(large.status == 3);
    CHECK(large.err.ends_with("  hint: --keep-partial keeps the rows that can be read\n"));
    words = corner;
    words.emplace_back("--keep-partial");
    CHECK(folder.run(words).err ==
          "glproc: warning: large.ppm: truncated PNM; the first 2000 of 3000 rows were read\n");
}
