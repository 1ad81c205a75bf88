// contours: files of each format, as people call for them.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// A square of nine pixels with a hole, and a speck.
struct Square : TempDir {
    Square() {
        Image mask(6, 4, 1, Depth::u8);
        for (const auto& [x, y] :
             {std::pair{1, 1}, {2, 1}, {3, 1}, {1, 2}, {3, 2}, {1, 3}, {2, 3}, {3, 3}, {5, 0}}) {
            mask.values<std::uint8_t>()[static_cast<std::size_t>(y * 6 + x)] = 200;
        }
        save(mask, *this / "mask.png");
    }

    ProgramResult run(std::vector<std::string> words) const {
        words.insert(words.begin(), "contours");
        words.push_back("-q");
        return run_glproc(path(), words);
    }
};

const std::string corners =
    "contour,point,x,y\n0,0,1,1\n0,1,1,3\n0,2,3,3\n0,3,3,1\n1,0,1,2\n1,1,2,1\n1,2,3,2\n1,3,2,3\n2,0,5,0\n";

} // namespace

TEST_CASE("contours: the name of OUT, or --to, chooses the format") {
    const Square folder;
    CHECK(folder.run({"mask.png", "out.csv", "--simplify"}).status == 0);
    CHECK(read_text(folder / "out.csv") == corners);
    CHECK(folder.run({"mask.png", "-", "--to", "csv", "--simplify"}).out == corners);
    CHECK(folder.run({"mask.png", "-"})
              .out.starts_with("{\"schema\":\"glproc.contours/1\",\"width\":6,\"height\":4,\"count\":3,"));
    CHECK(folder.run({"mask.png", "any.name", "--to", "svg"}).status == 0);
    CHECK(read_text(folder / "any.name").starts_with("<svg "));
    CHECK(folder.run({"mask.png", "out.zip"}).status == 0);
    CHECK(read_text(folder / "out.zip").starts_with("PK"));
    const ProgramResult unknown = folder.run({"mask.png", "out.xyz"});
    CHECK(unknown.status == 2);
    CHECK(unknown.err.starts_with(
        "glproc: error: out.xyz: unknown output format '.xyz' (known: json, geojson, svg, csv, roi, zip)\n"));
}

TEST_CASE("contours: a file is whole, or stays as it was") {
    const Square folder;
    CHECK(folder.run({"mask.png", "out.json"}).status == 0);
    const std::string before = read_text(folder / "out.json");
    const ProgramResult kept = folder.run({"mask.png", "out.json", "--simplify", "--no-clobber"});
    CHECK(kept.status == 4);
    CHECK(read_text(folder / "out.json") == before);
    CHECK(folder.run({"mask.png", "out.roi"}).status == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "out.roi"));
    CHECK(folder.run({"mask.png", "nowhere/out.json"}).status == 4);
}

TEST_CASE("contours: several images make a file each") {
    const Square folder;
    std::filesystem::create_directory(folder / "in");
    std::filesystem::copy(folder / "mask.png", folder / "in/a.png");
    std::filesystem::copy(folder / "mask.png", folder / "in/b.png");
    CHECK(folder.run({"in", "out/", "--to", "csv", "--simplify"}).status == 0);
    CHECK(read_text(folder / "out/a.csv") == corners);
    CHECK(read_text(folder / "out/b.csv") == corners);
    CHECK(folder.run({"in/a.png", "in/b.png", "more/"}).status == 0);
    CHECK(read_text(folder / "more/b.json").starts_with("{\"schema\":"));
    CHECK(folder.run({"in", "none/", "--to", "png"}).status == 2);
    CHECK_FALSE(std::filesystem::exists(folder / "none"));
}

TEST_CASE("contours: calls that contradict themselves") {
    const Square folder;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--level", "0.5", "--threshold", "0.5"},
          {"--level", "0.5", "--simplify"},
          {"--level", "0.5", "--connectivity", "4"},
          {"--level", "128"},
          {"--fully-connected", "high"}}) {
        std::vector<std::string> call{"mask.png", "out.json"};
        call.insert(call.end(), words.begin(), words.end());
        INFO(words.front() << " " << words.back());
        CHECK(folder.run(call).status == 2);
        CHECK_FALSE(std::filesystem::exists(folder / "out.json"));
    }
}
