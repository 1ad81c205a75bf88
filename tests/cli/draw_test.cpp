// draw: texts that differ from file to file, and lists.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"

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

TEST_CASE("a faulty list leaves nothing behind") {
    const DrawFolder folder;
    write_text(folder / "list.json", "[\n{\"text\": 1 2}]");
    const ProgramResult done = folder.call({"draw", "in/a.png", "out.png", "--from", "list.json"});
    CHECK(done.status == 2);
    CHECK_THAT(done.err, Catch::Matchers::Contains("list.json:2: expected a comma or }"));
    CHECK(names_in(folder.path()).count("out.png") == 0);
}
