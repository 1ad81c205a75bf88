// distance: metrics, and --indices, an array beside the image.
#include "cli/glproc_program.hpp"
#include "glproc/files/npy.hpp"
#include "support/matchers.hpp"

#include <cstring>

using namespace glproc;
using namespace glproc::test;

namespace {

/// White but for two pixels.
struct Sites : TempDir {
    static constexpr int width = 90;
    static constexpr int height = 70;

    Sites() {
        Image mask(width, height, 1, Depth::u8);
        for (auto& value : mask.values<std::uint8_t>()) {
            value = 255;
        }
        for (const auto& [x, y] : {std::pair{4, 3}, {60, 40}}) {
            mask.values<std::uint8_t>()[static_cast<std::size_t>(y * width + x)] = 0;
        }
        save(mask, *this / "in.png");
    }

    ProgramResult run(std::vector<std::string> words) const {
        words.insert(words.begin(), "distance");
        words.push_back("-q");
        return run_glproc(path(), words);
    }

    std::vector<std::int32_t> indices(const std::string& name) const {
        const std::string file = read_text(*this / name);
        const Array array = parse_npy(std::as_bytes(std::span(file)), name);
        CHECK(array.type == ArrayType::i32);
        CHECK(array.shape == std::vector<std::size_t>{2, height, width});
        std::vector<std::int32_t> values(array.count());
        std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
        return values;
    }
};

std::string refusal(const ProgramResult& result, int status) {
    CHECK(result.status == status);
    return result.err.substr(0, result.err.find('\n'));
}

} // namespace

TEST_CASE("distance: metrics") {
    const Sites folder;
    for (const auto& [metric, distance] :
         {std::pair{"euclidean", 5.0F}, {"taxicab", 7.0F}, {"chessboard", 4.0F}}) {
        REQUIRE(folder.run({"in.png", "out.tif", "--metric", metric}).status == 0);
        CHECK(load(folder / "out.tif").at(8, 6, 0) == distance);
    }
    CHECK(refusal(folder.run({"in.png", "out.tif", "--metric", "chessbord"}), 2).find("chessboard") !=
          std::string::npos);
}

TEST_CASE("distance: distances are numbers, not light, in every file of floats") {
    const Sites sites;
    REQUIRE(sites.run({"in.png", "out.tif"}).status == 0);
    const Image right = load(sites / "out.tif");
    REQUIRE(right.at(4, 5, 0) == 2);
    for (const std::vector<std::string>& call :
         {std::vector<std::string>{"in.png", "out.pfm"}, {"in.png", "out.exr"}, {"in.png", "out.pfm", "--memory", "1M"}}) {
        INFO(call[1]);
        REQUIRE(sites.run(call).status == 0);
        CHECK_THAT(load(sites / call[1]), IsBitwise(right));
    }
    REQUIRE(run_glproc(sites.path(), {"pipe", "in.png", "out.pfm", "distance", "then", "flip", "--axis", "x", "then", "flip",
                                      "--axis", "x", "-q"}).status == 0);
    CHECK_THAT(load(sites / "out.pfm"), IsBitwise(right));
}

TEST_CASE("distance: indices of the nearest pixel, whole and in bands") {
    const Sites folder;
    constexpr std::size_t plane = Sites::width * Sites::height;
    for (const std::string metric : {"euclidean", "taxicab", "chessboard"}) {
        REQUIRE(folder.run({"in.png", "out.tif", "--indices", "near.npy", "--metric", metric}).status == 0);
        const std::vector<std::int32_t> indices = folder.indices("near.npy");
        CHECK(indices.front() == 3);
        CHECK(indices[plane] == 4);
        CHECK(indices[plane - 1] == 40);
        CHECK(indices[2 * plane - 1] == 60);
        for (const std::string method : {"gpu", "cpu"}) {
            REQUIRE(folder
                        .run({"in.png", "bands.tif", "--indices", "bands.npy", "--metric", metric, "--memory",
                              "1M", "--method", method})
                        .status == 0);
            CHECK(read_text(folder / "bands.npy") == read_text(folder / "near.npy"));
            CHECK(read_text(folder / "bands.tif") == read_text(folder / "out.tif"));
        }
    }
    REQUIRE(folder
                .run({"in.png", "out.tif", "--indices", "none.npy", "--nearest", "foreground", "--threshold",
                      "1"})
                .status == 0);
    const std::vector<std::int32_t> none = folder.indices("none.npy");
    CHECK(std::all_of(none.begin(), none.end(), [](std::int32_t index) { return index == -1; }));
}

TEST_CASE("distance: where indices cannot go") {
    const Sites folder;
    const auto refused = [&](std::vector<std::string> words) {
        return refusal(folder.run(std::move(words)), 2);
    };
    CHECK(refused({"in.png", "out.tif", "--indices", "near.png"}) ==
          "glproc: error: --indices near.png: not the name of a .npy file");
    CHECK(refused({"in.png", "out.tif", "--indices", "near.npy", "--signed"}) ==
          "glproc: error: --signed and --indices cannot be given together");
    CHECK(refused({"in.png", "in.png", "out/", "--indices", "near.npy"}) ==
          "glproc: error: --indices writes one array, but there are several inputs");
    CHECK(
        refusal(run_glproc(folder.path(), {"pipe", "in.png", "out.tif", "distance", "--indices", "near.npy"}),
                2) == "glproc: error: --indices writes an array, for which a chain has no place");
    CHECK(refusal(run_glproc(folder.path(), {"bench", "distance", "--indices", "near.npy"}), 2) ==
          "glproc: error: --indices writes an array, for which bench has no place");
    std::filesystem::copy(folder / "in.png", folder / "in.npy");
    CHECK(refused({"in.npy", "out.tif", "--indices", "in.npy"}) ==
          "glproc: error: --indices in.npy would replace the input");
    CHECK(refused({"in.png", "./a.npy", "--indices", "a.npy"}).find("a.npy") != std::string::npos);
    CHECK(refusal(folder.run({"in.png", "out.tif", "--indices", "no/near.npy"}), 4).find("no") !=
          std::string::npos);
    write_text(folder / "old.npy", "old");
    CHECK(refusal(folder.run({"in.png", "out.tif", "--indices", "old.npy", "-n"}), 4) ==
          "glproc: error: old.npy: exists already");
    CHECK(read_text(folder / "old.npy") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png", "in.npy", "old.npy"});
}
