// .cube files: what is read, and how each fault is reported. No GPU.
#include "glproc/math/cube.hpp"

#include "glproc/base/error.hpp"
#include "glproc/ops/lut/cube_file.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

#include <cstdint>
#include <fstream>
#include <string>

using namespace glproc;
using namespace glproc::test;

namespace {

Cube parse(const std::string& text) {
    return parse_cube(std::as_bytes(std::span(text)), "a.cube");
}

std::string fault(const std::string& text) {
    try {
        parse(text);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::input);
        return error.what();
    }
    return "";
}

const std::string eight = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n";

} // namespace

TEST_CASE("a .cube file with three axes") {
    const Cube cube = parse("# a comment\nTITLE \"two words\"\n\nLUT_3D_SIZE 2\n" + eight);
    CHECK(cube.size == 2);
    CHECK(cube.has_three_axes);
    CHECK(cube.low == std::array{0.0F, 0.0F, 0.0F});
    CHECK(cube.high == std::array{1.0F, 1.0F, 1.0F});
    REQUIRE(cube.values.size() == 24);
    CHECK(cube.values[3] == 1); // red varies fastest
    CHECK(cube.values[14] == 1);
}

TEST_CASE("a .cube file with one axis, a domain, lines of DOS, tabs and a mark of UTF-8") {
    const Cube cube = parse("\xef\xbb\xbfLUT_1D_SIZE\t3\r\nDOMAIN_MIN -1 0 .5\r\nDOMAIN_MAX 2 1e1 +4\r\n"
                            "\t0.5 1e-3 -2 # so\r\n 1 2 3\r\n4 5 6");
    CHECK(cube.size == 3);
    CHECK_FALSE(cube.has_three_axes);
    CHECK(cube.low == std::array{-1.0F, 0.0F, 0.5F});
    CHECK(cube.high == std::array{2.0F, 10.0F, 4.0F});
    CHECK(cube.values == std::vector<float>{0.5F, 1e-3F, -2, 1, 2, 3, 4, 5, 6});
    CHECK(parse("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0.25 3\n0 0 0\n1 1 1\n").high ==
          std::array{3.0F, 3.0F, 3.0F});
}

TEST_CASE("every fault of a .cube file is reported with its line") {
    CHECK(fault("") == "a.cube:1: neither LUT_1D_SIZE nor LUT_3D_SIZE: not a .cube file");
    CHECK(fault("TITLE \"x\"\n# y\n") == "a.cube:2: neither LUT_1D_SIZE nor LUT_3D_SIZE: not a .cube file");
    CHECK(fault("0 0 0\n") == "a.cube:1: numbers before LUT_1D_SIZE or LUT_3D_SIZE");
    CHECK(fault("LUT_3D_SIZE 2\n0 0 0\n") == "a.cube:2: it ends after 1 of 8 entries");
    CHECK(fault("LUT_3D_SIZE 2\n" + eight + "1 1 1\n") == "a.cube:10: more than 8 entries");
    CHECK(fault("LUT_3D_SIZE 2\nLUT_1D_SIZE 2\n") == "a.cube:2: a second size");
    CHECK(fault("LUT_3D_SIZE 1\n") == "a.cube:1: a size of 1; from 2 to 256 are possible");
    CHECK(fault("LUT_3D_SIZE 257\n") == "a.cube:1: a size of 257; from 2 to 256 are possible");
    CHECK(fault("LUT_1D_SIZE 65537\n") == "a.cube:1: a size of 65537; from 2 to 65536 are possible");
    CHECK(fault("LUT_3D_SIZE -2\n") == "a.cube:1: a size of -2; from 2 to 256 are possible");
    CHECK(fault("LUT_3D_SIZE 2.5\n") == "a.cube:1: a size of 2.5; from 2 to 256 are possible");
    CHECK(fault("LUT_3D_SIZE two\n") == "a.cube:1: 'two' is not a number that can be used");
    CHECK(fault("LUT_3D_SIZE\n") == "a.cube:1: a number is missing");
    CHECK(fault("LUT_1D_SIZE 2\n0 0\n") == "a.cube:2: a number is missing");
    CHECK(fault("LUT_1D_SIZE 2\n0 0 0 0\n") == "a.cube:2: '0' is one too many");
    CHECK(fault("LUT_1D_SIZE 2\n0 nan 0\n") == "a.cube:2: 'nan' is not a number that can be used");
    CHECK(fault("LUT_1D_SIZE 2\n0 1e99 0\n") == "a.cube:2: '1e99' is not a number that can be used");
    CHECK(fault("LUT_1D_SIZE 2\n0 1.5x 0\n") == "a.cube:2: '1.5x' is not a number that can be used");
    CHECK(fault("LUT_1D_SIZE 2\n0 \x01\xff 0\n") == "a.cube:2: '?\?' is not a number that can be used");
    CHECK(fault("LUT_2D_SIZE 2\n") == "a.cube:1: unknown keyword 'LUT_2D_SIZE'");
    CHECK(fault("\x89PNG\r\n") == "a.cube:1: not text, so not a .cube file");
    CHECK(fault("LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1\n") ==
          "a.cube:4: the domain goes from 1 to 1");
    CHECK(fault("LUT_1D_SIZE 2\nDOMAIN_MIN 0 0\n") == "a.cube:2: a number is missing");
}

TEST_CASE("a .cube file that is not there, a folder, or too large") {
    const TempDir folder;
    CHECK_THROWS_AS(read_cube(folder.path() / "none.cube"), Error);
    CHECK_THROWS_AS(read_cube(folder.path()), Error);
    const auto large = folder.path() / "large.cube";
    std::ofstream(large).put('#');
    std::filesystem::resize_file(large, (std::uintmax_t{1} << 30) + 1);
    CHECK_THROWS_AS(read_cube(large), Error);
}
