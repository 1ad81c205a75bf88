// The examples that users and scripts rely on, character by character.
#include "cli/glproc_program.hpp"

#include <nlohmann/json.hpp>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A folder with the picture of the examples.
struct TinyFolder : TempDir {
    TinyFolder() { write_text(*this / "tiny.pgm", "P2 4 2 255  0 0 64 128  128 128 255 255\n"); }
};

void check_product(const ProgramResult& result, const std::string& expected) {
    CHECK(result.status == 0);
    CHECK(result.out == expected);
    CHECK(without_software_warning(result.err).empty());
}

void check_error(const std::vector<std::string>& arguments, int status, const std::string& expected) {
    const TempDir folder;
    const ProgramResult result = run_without_gpu(folder.path(), arguments);
    CHECK(result.status == status);
    CHECK(result.err == expected);
    CHECK(result.out.empty());
    CHECK(names_in(folder.path()).empty());
}

} // namespace

TEST_CASE("example: histogram as CSV") {
    const TinyFolder folder;
    check_product(run_glproc(folder.path(), {"histogram", "tiny.pgm", "--bins", "4", "--format", "csv"}),
                  "bin,lo,hi,luma\n"
                  "0,0,63.75,2\n"
                  "1,63.75,127.5,1\n"
                  "2,127.5,191.25,3\n"
                  "3,191.25,255,2\n");
}

TEST_CASE("example: histogram as JSON") {
    const TinyFolder folder;
    const std::string expected =
        R"({"schema":"glproc.histogram/2","input":"tiny.pgm","width":4,"height":2,"depth":8,"pixels":8,"bins":4,)"
        R"("range":[0,255],"channels":[{"name":"luma","counts":[2,1,3,2],"min":0,"max":255,"mean":119.75,)"
        R"("stddev":92.586109,"median":128}]})"
        "\n";
    check_product(run_glproc(folder.path(), {"histogram", "tiny.pgm", "--bins", "4", "--json"}), expected);
    check_product(run_glproc(folder.path(), {"histogram", "tiny.pgm", "--bins", "4", "--format", "json"}),
                  expected);
}

TEST_CASE("example: histogram as text") {
    const TinyFolder folder;
    check_product(run_glproc(folder.path(), {"histogram", "tiny.pgm", "--bins", "4"}),
                  "tiny.pgm  4x2  8-bit  luma\n"
                  "[0, 63.75)       2  25.0%  ###########################\n"
                  "[63.75, 127.5)   1  12.5%  #############\n"
                  "[127.5, 191.25)  3  37.5%  ########################################\n"
                  "[191.25, 255]    2  25.0%  ###########################\n"
                  "min 0  max 255  mean 119.750  stddev 92.586  median 128\n");
}

TEST_CASE("example: equalize to stdout") {
    const TinyFolder folder;
    for (const char* name : {"equalize", "equalise"}) {
        check_product(run_glproc(folder.path(), {name, "tiny.pgm", "-", "--to", "pgm"}),
                      std::string("P5\n4 2\n255\n\0\0\x2a\xaa\xaa\xaa\xff\xff", 19));
    }
}

TEST_CASE("example: a missing flag") {
    check_error({"blur", "in.png", "out.png"}, 2,
                "glproc: error: blur needs --sigma\n"
                "  hint: glproc blur in.png out.png --sigma 2\n");
}

TEST_CASE("example: a misspelt command") {
    check_error({"blurr", "in.png", "out.png", "--sigma", "2"}, 2,
                "glproc: error: unknown command 'blurr' (did you mean 'blur'?)\n");
}

TEST_CASE("example: an ambiguous border") {
    check_error({"blur", "in.png", "out.png", "--sigma", "2", "--border", "reflect"}, 2,
                "glproc: error: --border reflect is ambiguous\n"
                "  hint: 'mirror' is dcb|abcd|cba (OpenCV REFLECT_101), 'symmetric' is dcba|abcd|dcba (SciPy "
                "reflect)\n");
}

TEST_CASE("example: a missing input") {
    check_error({"blur", "nosuch.png", "out.png", "--sigma", "2"}, 3,
                "glproc: error: nosuch.png: no such file\n");
}

TEST_CASE("example: an unknown output format") {
    std::string known;
    for (const std::string& extension : writable_extensions()) {
        known += (known.empty() ? "" : ", ") + extension;
    }
    check_error({"blur", "in.png", "o.xyz", "--sigma", "2"}, 2,
                "glproc: error: o.xyz: unknown output format '.xyz' (known: " + known + ")\n");
}

TEST_CASE("example: timing as JSON") {
    const TempDir folder;
    save(photo_like_image({.width = 120, .height = 50, .channels = 3}), folder / "in.png");
    const ProgramResult result =
        run_glproc(folder.path(), {"blur", "in.png", "out.png", "--sigma", "2", "--device", "cpu", "--timing=json", "-q"});
    REQUIRE(result.status == 0);
    CHECK(result.out.empty());
    REQUIRE(lines_of(result.err).size() == 1);

    const auto timing = nlohmann::ordered_json::parse(result.err);
    std::vector<std::string> keys;
    for (const auto& [key, value] : timing.items()) {
        keys.push_back(key);
    }
    CHECK(keys == std::vector<std::string>{"schema", "device", "ms", "megapixels"});
    CHECK(timing["schema"] == "glproc.timing/1");
    CHECK(!timing["device"].get<std::string>().empty());
    CHECK(timing["megapixels"] == 0.006);

    keys.clear();
    double sum = 0;
    for (const auto& [key, value] : timing["ms"].items()) {
        keys.push_back(key);
        CHECK(value.get<double>() > 0);
        // Decoding and the context's start run side by side.
        sum += key == "total" || key == "decode" ? 0 : value.get<double>();
    }
    CHECK(keys == std::vector<std::string>{"start", "context", "compile", "check", "decode", "upload",
                                           "compute", "download", "encode", "exit", "total"});
    CHECK(sum <= timing["ms"]["total"].get<double>());
    CHECK(timing["ms"]["decode"].get<double>() <= timing["ms"]["total"].get<double>());
}
