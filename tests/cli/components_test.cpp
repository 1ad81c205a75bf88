// components: tables, masks, labels and outlines, as people call for them.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// Objects of 3, 1 and 4 pixels; the last encloses a hole at the lower edge.
struct Objects : TempDir {
    Objects() {
        Image mask(8, 4, 1, Depth::u8);
        for (const auto& [x, y] :
             {std::pair{0, 0}, {1, 0}, {1, 1}, {4, 0}, {5, 2}, {6, 3}, {4, 3}, {5, 2}, {7, 2}}) {
            mask.values<std::uint8_t>()[static_cast<std::size_t>(y * 8 + x)] = 200;
        }
        save(mask, *this / "mask.png");
    }

    ProgramResult run(std::vector<std::string> words) const {
        words.insert(words.begin(), "components");
        words.push_back("-q");
        return run_glproc(path(), words);
    }
};

std::string refusal(const ProgramResult& result, int status) {
    CHECK(result.status == status);
    CHECK(result.out.empty());
    return result.err.substr(0, result.err.find('\n'));
}

} // namespace

TEST_CASE("components: the table as text, CSV and JSON") {
    const Objects folder;
    CHECK(folder.run({"mask.png"}).out == "mask.png  8x4  3 components\n"
                                          "label    area    left     top   width  height       x       y\n"
                                          "       pixels  pixels  pixels  pixels  pixels  pixels  pixels\n"
                                          "    1       3       0       0       2       2    0.67    0.33\n"
                                          "    2       1       4       0       1       1    4.00    0.00\n"
                                          "    3       4       4       2       4       2    5.50    2.50\n");
    CHECK(folder.run({"mask.png", "--format", "csv", "--measure", "area,holes", "--connectivity", "4"}).out ==
          "label,area,holes\n1,3,0\n2,1,0\n3,1,0\n4,1,0\n5,1,0\n6,1,0\n");
    CHECK(folder.run({"mask.png", "--json", "--measure", "area", "--min-area", "2"}).out ==
          R"({"schema":"glproc.components/1","input":"mask.png","width":8,"height":4,"count":2,)"
          R"("components":[{"label":1,"area":3},{"label":2,"area":4}]})"
          "\n");
    CHECK(folder.run({"mask.png", "--json", "--measure", "area", "--clear-border"})
              .out.find(R"("components":[])") != std::string::npos);
}

TEST_CASE(
    "components: OUT is a mask, labels or outlines, and the table comes with it where it is asked for") {
    const Objects folder;
    const ProgramResult mask = folder.run({"mask.png", "big.png", "--min-area", "2"});
    CHECK(mask.status == 0);
    CHECK(mask.out.empty());
    const Image big = load(folder / "big.png");
    CHECK(big.form() == Form{8, 4, 1, Depth::u8});
    CHECK(big.at(0, 0, 0) == 255);
    CHECK(big.at(4, 0, 0) == 0);
    CHECK(folder.run({"mask.png", "labels.png", "--output", "labels"}).status == 0);
    const Image labels = load(folder / "labels.png");
    CHECK(labels.depth() == Depth::u16);
    CHECK(labels.at(7, 2, 0) == 3);
    const ProgramResult both =
        folder.run({"mask.png", "labels.npy", "--format", "csv", "--measure", "area", "--largest", "1"});
    CHECK(both.out == "label,area\n1,4\n");
    const std::string npy = read_text(folder / "labels.npy");
    CHECK(npy.find("'<u4'") != std::string::npos);
    CHECK(npy.find("(4, 8)") != std::string::npos);
    CHECK(npy.ends_with(std::string("\1\0\0\0\0\0\0\0", 8))); // of 6,3 and the background
    CHECK(folder.run({"mask.png", "seen.png", "--overlay", "mask.png", "--outline", "red"}).status == 0);
    const Image seen = load(folder / "seen.png");
    CHECK(seen.channels() == 3);
    CHECK(seen.at(0, 0, 0) == 255);
    CHECK(seen.at(0, 0, 1) == 0);
    CHECK(seen.at(3, 3, 2) == 0);
}

TEST_CASE("components: the values of a second image") {
    const Objects folder;
    CHECK(folder.run({"mask.png", "--with", "mask.png", "--measure", "mean,sum", "--format", "csv"}).out ==
          "label,mean,sum\n1,200,600\n2,200,200\n3,200,800\n");
    CHECK(refusal(folder.run({"mask.png", "--measure", "mean"}), 2) ==
          "glproc: error: --measure mean, min, max and sum need --with, the image whose values are measured");
}

TEST_CASE("components: several images give one table, or one output each") {
    const Objects folder;
    std::filesystem::create_directory(folder / "in");
    std::filesystem::copy(folder / "mask.png", folder / "in/a.png");
    std::filesystem::copy(folder / "mask.png", folder / "in/b.png");
    CHECK(folder.run({"in", "--format", "csv", "--measure", "area", "--largest", "1"}).out ==
          "file,label,area\nin/a.png,1,4\nin/b.png,1,4\n");
    CHECK(folder.run({"in", "out/"}).status == 0);
    CHECK(load(folder / "out/b.png").at(0, 0, 0) == 255);
    CHECK(folder.run({"in/a.png", "in/b.png", "arrays/", "--to", "npy"}).status == 0);
    CHECK(read_text(folder / "arrays/b.npy").find("'<u4'") != std::string::npos);
    CHECK(folder.run({"in/a.png", "in/b.png", "mask.png", "--json", "--measure", "area"})
              .out.find("mask.png") != std::string::npos);
}

TEST_CASE("components: calls that contradict themselves") {
    const Objects folder;
    CHECK(refusal(folder.run({"mask.png", "-", "--json"}), 2) ==
          "glproc: error: the result and the report cannot both go to stdout");
    CHECK(refusal(folder.run({"mask.png", "--overlay", "mask.png"}), 2) ==
          "glproc: error: --overlay needs OUT, the image to write");
    CHECK(refusal(folder.run({"mask.png", "x.npy", "--output", "mask"}), 2) ==
          "glproc: error: a .npy file holds labels");
    CHECK(refusal(folder.run({"mask.png", "--threshold", "128"}), 2).find("out of range") !=
          std::string::npos);
    CHECK(refusal(folder.run({"mask.png", "--threshold", "otso"}), 2).find("otsu") != std::string::npos);
}
