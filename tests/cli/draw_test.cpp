// draw: texts that differ from file to file, and lists.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"

#include <array>

using namespace glproc;
using namespace glproc::test;

namespace {

struct DrawFolder : TempDir {
    DrawFolder() {
        std::filesystem::create_directory(*this / "in");
        for (const char* name : {"a.png", "b.png"}) {
            save(Image(120, 40, 3, Depth::u8), path() / "in" / name);
        }
    }
    ProgramResult call(std::vector<std::string> words) const { return run_glproc(path(), std::move(words)); }
};

} // namespace

TEST_CASE("a text names each file of a folder") {
    const DrawFolder folder;
    REQUIRE(folder.call({"draw", "in", "named/", "--text", "{stem}"}).status == 0);
    REQUIRE(folder.call({"draw", "in", "same/", "--text", "a"}).status == 0);
    const auto result = [&](const std::string& name) { return load(folder / name); };
    CHECK(same_pixels(result("named/a.png"), result("same/a.png")));
    CHECK_FALSE(same_pixels(result("named/b.png"), result("same/b.png")));
    CHECK(same_pixels(result("same/a.png"), result("same/b.png")));
    REQUIRE(
        folder.call({"pipe", "in/b.png", "chain.png", "gray", "then", "draw", "--text", "{name}"}).status ==
        0);
    REQUIRE(folder.call({"draw", "in/b.png", "one.png", "--text", "b.png"}).status == 0);
    const Image chain = result("chain.png");
    const Image one = result("one.png");
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 120; ++x) {
            CHECK(chain.at(x, y, 0) == one.at(x, y, 0));
        }
    }
}

TEST_CASE("places and lengths in percent are those of the image, in figures, texts, lists and gaps") {
    const TempDir folder;
    save(photo_like_image({.width = 200, .height = 60, .channels = 3}, 7), folder / "in.png");
    const auto made = [&](std::vector<std::string> words) {
        const ProgramResult result = run_glproc(folder.path(), std::move(words));
        INFO(result.err);
        REQUIRE(result.status == 0);
        return load(folder / "out.png");
    };
    const std::vector<std::array<std::string, 3>> cases{
        {"--line", "10%,50%,95%,25%", "20,30,190,15"},
        {"--rect", "5%,10%,50%,75%", "10,6,100,45"},
        {"--circle", "50%,50%,5%", "100,30,10"},
        {"--arrow", "10%,7,150,50%", "20,7,150,30"},
        {"--polygon", "0%,0%,50%,100%,100%,0%", "0,0,100,60,200,0"},
        {"--line", "-10%,0,110%,100%", "-20,0,220,60"},
    };
    for (const auto& [flag, share, pixels] : cases) {
        INFO(flag << " " << share);
        const Image wanted = made({"draw", "in.png", "out.png", flag, pixels, "--color", "red"});
        CHECK(same_pixels(made({"draw", "in.png", "out.png", flag, share, "--color", "red"}), wanted));
        CHECK_FALSE(same_pixels(load(folder / "in.png"), wanted));
    }
    const Image text = made({"draw", "in.png", "out.png", "--text", "x", "--at", "20,30"});
    CHECK(same_pixels(made({"draw", "in.png", "out.png", "--text", "x", "--at", "10%,50%"}), text));
    const Image line = made({"draw", "in.png", "out.png", "--line", "20,30,190,15"});
    write_text(folder / "list.json", R"([{"line": ["10%", "50%", 190, "25%"]}])");
    CHECK(same_pixels(made({"draw", "in.png", "out.png", "--from", "list.json"}), line));
    const Image both = made({"append", "in.png", "in.png", "out.png", "--gap", "5%"});
    CHECK(both.width() == 410);
    CHECK(same_pixels(both, made({"append", "in.png", "in.png", "out.png", "--gap", "10"})));
    CHECK(run_glproc(folder.path(), {"append", "in.png", "in.png", "o.png", "--gap", "-5%"}).status == 2);
    CHECK(run_glproc(folder.path(), {"draw", "in.png", "o.png", "--line", "10%,x%,1,2"}).status == 2);
}

TEST_CASE("a faulty list leaves nothing behind") {
    const DrawFolder folder;
    write_text(folder / "list.json", "[\n{\"text\": 1 2}]");
    const ProgramResult done = folder.call({"draw", "in/a.png", "out.png", "--from", "list.json"});
    CHECK(done.status == 2);
    CHECK_THAT(done.err, Catch::Matchers::Contains("list.json:2: expected a comma or }"));
    CHECK(names_in(folder.path()).count("out.png") == 0);
}
