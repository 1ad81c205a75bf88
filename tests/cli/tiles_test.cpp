// Pictures that do not fit the GPU: the results are those of pictures that do.
#include "cli/glproc_program.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

ProgramResult run_within(const std::string& limits, const std::filesystem::path& folder,
                         std::vector<std::string> arguments) {
    ProgramCall call = glproc_call(folder, std::move(arguments));
    call.environment["GLPROC_LIMITS"] = limits;
    return run_program(std::move(call));
}

/// A call with its output, or without.
std::vector<std::string> with_output(std::vector<std::string> call, const std::string& output) {
    if (!output.empty()) {
        call.insert(call.begin() + 2, output);
    }
    return call;
}

} // namespace

TEST_CASE("a method with no room for a radius is refused, whole or in tiles, and writes nothing") {
    const TempDir folder;
    save(photo_like_image({211, 97, 3, Depth::u8}), folder.path() / "in.png");
    for (const std::string limits : {"texture_size:16384", "texture_size:64"}) {
        for (const std::string method : {"tiled", "window", "walk"}) {
            CAPTURE(limits, method);
            const ProgramResult result =
                run_within(limits, folder.path(),
                           {"blur", "in.png", "out.png", "--sigma", "20", "--method", method, "-q"});
            CHECK(result.status == 1);
            CHECK(result.err.find("glproc: error: blur by " + method + " with radius 80,80 ") == 0);
            CHECK(result.err.ends_with("  hint: use --method auto\n"));
            CHECK_FALSE(std::filesystem::exists(folder.path() / "out.png"));
        }
    }
}

TEST_CASE("pictures beyond a texture and beyond --memory give the same files and reports") {
    const TempDir folder;
    save(photo_like_image({523, 389, 3, Depth::u8}), folder.path() / "in.png");
    save(photo_like_image({523, 389, 4, Depth::u8}), folder.path() / "alpha.png");
    save(photo_like_image({523, 389, 1, Depth::f32}), folder.path() / "in.pfm");
    struct Case {
        std::vector<std::string> call;
        std::string extension; ///< of the output; none of reports
    };
    const std::vector<Case> cases{
        {{"blur", "in.png", "--sigma", "3"}, ".png"},
        {{"blur", "in.pfm", "--sigma", "2", "--border", "wrap"}, ".pfm"},
        {{"blur", "in.png", "--sigma", "1", "--depth", "16"}, ".png"},
        {{"box", "in.png", "--radius", "9", "--border", "mirror"}, ".png"},
        {{"box", "in.png", "--radius", "9", "--border", "constant:#f80"}, ".png"},
        {{"blur", "alpha.png", "--sigma", "1", "--flatten", "orange"}, ".ppm"},
        {{"blur", "alpha.png", "--sigma", "1", "--flatten", "white", "--gray"}, ".pgm"},
        {{"equalize", "in.png"}, ".png"},
        {{"integral", "in.png", "--padded"}, ".npy"},
        {{"integral", "in.pfm"}, ".npy"},
        {{"histogram", "in.png", "--channels", "luma,r", "--json"}, ""},
        {{"histogram", "in.pfm", "--bins", "9"}, ""},
    };
    for (const Case& one : cases) {
        const bool writes = !one.extension.empty();
        const std::string whole = writes ? "whole" + one.extension : "";
        const ProgramResult expected = run_glproc(folder.path(), with_output(one.call, whole));
        INFO(one.call.front() << " " << expected.err);
        REQUIRE(expected.status == 0);
        struct Small {
            std::string limits;
            std::string memory;
        };
        for (const Small& small : {Small{"texture_size:150", "8"}, Small{"", "1"}}) {
            const std::string tiled = writes ? "tiled" + one.extension : "";
            std::vector<std::string> call = with_output(one.call, tiled);
            call.insert(call.end(), {"--memory", small.memory});
            const ProgramResult got = run_within(small.limits, folder.path(), call);
            INFO(got.err);
            REQUIRE(got.status == 0);
            CHECK(got.out == expected.out);
            CHECK((!writes || read_text(folder.path() / tiled) == read_text(folder.path() / whole)));
        }
    }
}

TEST_CASE("a picture in tiles is timed and told of as a whole one") {
    const TempDir folder;
    save(photo_like_image({523, 389, 3, Depth::u8}), folder.path() / "in.png");
    const ProgramResult got =
        run_within("texture_size:150", folder.path(),
                   {"blur", "in.png", "out.png", "--sigma", "2", "-v", "--timing=json"});
    CHECK(got.status == 0);
    const std::vector<std::string> lines = lines_of(without_software_warning(got.err));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with("out.png: 523x389, blur, "));
    CHECK(lines[1].starts_with("{\"schema\":\"glproc.timing/1\""));
    CHECK(lines[1].find("\"megapixels\":0.203447") != std::string::npos);
}

TEST_CASE("what leaves no room for a tile fails before the output is touched") {
    const TempDir folder;
    save(photo_like_image({523, 389, 3, Depth::u8}), folder.path() / "in.png");
    write_text(folder.path() / "out.png", "old");
    const ProgramResult got =
        run_within("texture_size:150", folder.path(),
                   {"box", "in.png", "out.png", "--radius", "200", "--method", "direct"});
    CHECK(got.status == 1);
    CHECK(got.err.find("box with radius 200,200 leaves no room for a tile") != std::string::npos);
    CHECK(read_text(folder.path() / "out.png") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png", "out.png"});
}

TEST_CASE("--memory and GLPROC_LIMITS are checked") {
    const TempDir folder;
    save(photo_like_image({53, 39, 3, Depth::u8}), folder.path() / "in.png");
    for (const char* value : {"0", "-1", "1.5", "much", "1X", "G", "1GG", "1Gi", "500K", "1e9G"}) {
        const ProgramResult got =
            run_without_gpu(folder.path(), {"blur", "in.png", "out.png", "--sigma", "2", "--memory", value});
        INFO(value);
        CHECK(got.status == 2);
        CHECK(got.err.find("--memory") != std::string::npos);
    }
    const ProgramResult got =
        run_within("textures:4", folder.path(), {"blur", "in.png", "out.png", "--sigma", "2"});
    CHECK(got.status == 2);
    CHECK(got.err.find("GLPROC_LIMITS: 'textures:4' lowers no limit") != std::string::npos);
}

TEST_CASE("a picture larger than any texture goes from file to file by its rows") {
    const TempDir folder;
    const Image image = photo_like_image({31, 17011, 3, Depth::u8}); // more rows than a texture must have
    for (const std::string extension : {"png", "ppm"}) {
        save(image, folder.path() / ("in." + extension));
        const std::string in = "in." + extension;
        const std::string out = "out." + extension;
        REQUIRE(run_glproc(folder.path(), {"blur", in, out, "--sigma", "0"}).status == 0);
        CHECK(same_pixels(load(folder.path() / out), image));
        REQUIRE(run_glproc(folder.path(), {"blur", in, out, "--sigma", "0", "--depth", "16"}).status == 0);
        CHECK(same_pixels(load(folder.path() / out), with_depth(image, Depth::u16)));
        const ProgramResult piped =
            run_glproc(folder.path(), {"blur", in, "-", "--sigma", "0", "--to", extension});
        CHECK(same_pixels(decode_text(piped.out, out), image));
        // By another format, which is decoded as a whole and cut then.
        REQUIRE(run_glproc(folder.path(), {"box", in, "a.tga", "--radius", "3"}).status == 0);
        REQUIRE(run_glproc(folder.path(), {"box", in, out, "--radius", "3"}).status == 0);
        CHECK(same_pixels(load(folder.path() / "a.tga"), load(folder.path() / out)));
        REQUIRE(run_glproc(folder.path(), {"equalize", in, out}).status == 0);
        REQUIRE(run_glproc(folder.path(), {"integral", in, "a.npy"}).status == 0);
        CHECK(run_glproc(folder.path(), {"histogram", in}).status == 0);
    }
}

TEST_CASE("a large picture that is cut short fails with its name and leaves the output alone") {
    const TempDir folder;
    save(photo_like_image({31, 17011, 3, Depth::u8}), folder.path() / "in.png");
    const std::string bytes = read_text(folder.path() / "in.png");
    write_text(folder.path() / "in.png", bytes.substr(0, bytes.size() / 2));
    write_text(folder.path() / "out.png", "old");
    const ProgramResult got = run_glproc(folder.path(), {"blur", "in.png", "out.png", "--sigma", "2"});
    CHECK(got.status == 3);
    CHECK(got.err.find("in.png: ") != std::string::npos);
    CHECK(read_text(folder.path() / "out.png") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png", "out.png"});
}
