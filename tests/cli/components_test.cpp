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
                                          "    3       4       4       2       4       2    5.50    2.50\n"
                                          "3 components: 8 pixels, 2.67 on average, 25.00% of the image\n");
    CHECK(folder.run({"mask.png", "--min-area", "9"}).out ==
          "mask.png  8x4  0 components\n"
          "label    area    left     top   width  height       x       y\n"
          "       pixels  pixels  pixels  pixels  pixels  pixels  pixels\n");
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
          "glproc: error: mean needs --with, the image whose values are measured");
}

TEST_CASE("components: a filter by measures, for the table and for what is drawn") {
    const Objects folder;
    const std::string round = "solidity > 0.7 and area > 1";
    CHECK(folder
              .run({"mask.png", "--keep", round, "--measure", "area,solidity,median", "--with", "mask.png",
                    "--format", "csv"})
              .out == "label,area,solidity,median\n1,3,1,200\n");
    CHECK(folder.run({"mask.png", "out.png", "--keep", round}).status == 0);
    const Image kept = load(folder / "out.png");
    CHECK(kept.at(1, 1, 0) == 255);
    CHECK(kept.at(6, 3, 0) == 0);
    const ProgramResult wrong = folder.run({"mask.png", "--keep", "solidty > 0.7"});
    CHECK(refusal(wrong, 2) == "glproc: error: --keep: 'solidty' is no measure (did you mean solidity?)");
    CHECK(wrong.err.find("  hint: --keep 'solidity > 0.7'\n") != std::string::npos);
    CHECK(refusal(folder.run({"mask.png", "--keep", "mode > 1"}), 2) ==
          "glproc: error: mode needs --with, the image whose values are measured");
}

TEST_CASE("components: median and mode of large objects fit into --memory, or are refused") {
    const TempDir folder;
    Image white(401, 400, 1, Depth::u8);
    std::ranges::fill(white.values<std::uint8_t>(), std::uint8_t{255});
    save(white, folder / "white.png");
    save(Image(401, 400, 3, Depth::u16), folder / "deep.png");
    const std::vector<std::string> words{"components", "white.png", "--with", "deep.png", "--measure",
                                         "median",     "--format",  "csv",    "--device", "cpu"};
    const auto run = [&](const std::string& memory) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--memory", memory});
        return run_glproc(folder.path(), all);
    };
    const ProgramResult little = run("1M");
    CHECK(refusal(little, 1).find("median and mode of these objects take 2 MB of memory") !=
          std::string::npos);
    CHECK(little.err.find("  hint: --memory 2M\n") != std::string::npos);
    CHECK(run("2M").out == "label,median_r,median_g,median_b\n1,0,0,0\n");
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
