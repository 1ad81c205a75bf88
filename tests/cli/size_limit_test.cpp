// --max-size and --no-optimize.
#include "cli/glproc_program.hpp"

#include <algorithm>

using namespace glproc;
using namespace glproc::test;

namespace {

namespace fs = std::filesystem;

struct SizeFolder : TempDir {
    SizeFolder() { save(photo_like_image({.width = 301, .height = 211, .channels = 3}), *this / "in.png"); }

    ProgramResult convert(const std::string& out, std::vector<std::string> flags) const {
        flags.insert(flags.begin(), {"convert", "in.png", out, "-q"});
        return run_glproc(path(), std::move(flags));
    }
    std::uintmax_t size(const std::string& name) const { return fs::file_size(*this / name); }
};

} // namespace

TEST_CASE("--max-size takes the highest quality whose file fits") {
    const SizeFolder folder;
    for (const char* extension : {"jpg", "webp"}) {
        const std::string out = std::string("out.") + extension;
        const std::string other = std::string("q.") + extension;
        REQUIRE(folder.convert(other, {"--quality", "60"}).status == 0);
        const std::string exact = std::to_string(folder.size(other));
        REQUIRE(folder.convert(out, {"--max-size", exact}).status == 0);
        CHECK(folder.size(out) <= folder.size(other));
        CHECK(read_text(folder / out) == read_text(folder / other));
        REQUIRE(folder.convert(out, {"--max-size", "100M"}).status == 0);
        REQUIRE(folder.convert(other, {"--quality", "100"}).status == 0);
        CHECK(read_text(folder / out) == read_text(folder / other));
    }
}

TEST_CASE("a size that no quality reaches fails, and leaves no file") {
    const SizeFolder folder;
    const ProgramResult result = folder.convert("out.jpg", {"--max-size", "100"});
    CHECK(result.status == 1);
    CHECK(result.err.find("even at quality 1; --max-size allows 100") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "out.jpg"));
}

TEST_CASE("--max-size that cannot be meant is refused") {
    const SizeFolder folder;
    for (const char* size : {"x", "0", "K", "-3K", "1.2.3K", "3X", "3KK", "nan"}) {
        INFO(size);
        CHECK(folder.convert("out.jpg", {std::string("--max-size=") + size}).status == 2);
    }
    CHECK(folder.convert("out.jpg", {"--max-size", "9K", "--quality", "50"}).status == 2);
    CHECK(folder.convert("out.webp", {"--max-size", "9K", "--lossless"}).status == 2);
    CHECK(folder.convert("out.png", {"--max-size", "9K"}).status == 2);
    CHECK(folder.convert("out.png", {"--no-optimize"}).status == 2);
}

TEST_CASE("--no-optimize writes a larger JPEG with the same pixels") {
    const SizeFolder folder;
    REQUIRE(folder.convert("a.jpg", {}).status == 0);
    REQUIRE(folder.convert("b.jpg", {"--no-optimize"}).status == 0);
    CHECK(folder.size("a.jpg") < folder.size("b.jpg"));
    const auto a = load(folder / "a.jpg");
    const auto b = load(folder / "b.jpg");
    CHECK(std::ranges::equal(a.bytes(), b.bytes()));
}
