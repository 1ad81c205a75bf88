// glproc video: what numbered images mean as frames, by their formats and profiles.
#include "glproc/files/file.hpp"
#include "video/video_program.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

const double half = std::pow((128 / 255.0 + 0.055) / 1.055, 2.4); ///< code 128 as light

void write_frames(const TempDir& folder, const std::string& format, float value) {
    Image image(16, 16, 3, Depth::f32);
    std::ranges::fill(image.values<float>(), value);
    for (int i = 1; i <= 2; ++i) {
        save(image, folder / fmt::format("a-{}.{}", i, format));
    }
}

double middle(const TempDir& folder, const std::string& name) {
    return load(folder / name).at(8, 8, 1);
}

} // namespace

TEST_CASE("numbered images of light become codes in a film and in an animation, as in an image of 8 bits") {
    const TempDir folder;
    write_frames(folder, "pfm", static_cast<float>(half));
    must_work(folder, {"a-%d.pfm", "out.mkv", "--codec", "ffv1"});
    must_work(folder, {"out.mkv", "b-%d.png"});
    CHECK(middle(folder, "b-1.png") == 128 * 257); // frames of floats become 16 bits
    must_work(folder, {"a-%d.pfm", "out.gif"});
    CHECK(middle(folder, "out.gif") == 128);
}

TEST_CASE("numbered images of light stay light where they go to such images, and operations know it") {
    const TempDir folder;
    write_frames(folder, "pfm", 0.25F);
    must_work(folder, {"a-%d.pfm", "b-%d.pfm", "adjust", "--exposure", "1"});
    CHECK(middle(folder, "b-2.pfm") == Approx(0.5));
    must_work(folder, {"a-%d.pfm", "b-%d.pfm", "pad", "--margin", "2", "--background", "#808080"});
    CHECK(load(folder / "b-2.pfm").at(0, 0, 1) == Approx(half).epsilon(1e-6));
    must_work(folder, {"b-%d.pfm", "c-%d.tif", "invert", "then", "invert"}); // whose floats are codes
    CHECK(load(folder / "c-1.tif").at(0, 0, 1) == Approx(128 / 255.0).epsilon(1e-6));
    CHECK_FALSE(load(folder / "c-1.tif").metadata().icc.empty());
    must_work(folder, {"c-%d.tif", "d-%d.pfm", "invert", "then", "invert"});
    CHECK(load(folder / "d-1.pfm").at(0, 0, 1) == Approx(half).epsilon(1e-5));
    write_frames(folder, "tif", 0.25F); // numbers
    must_work(folder, {"a-%d.tif", "b-%d.tif", "invert"});
    CHECK(middle(folder, "b-1.tif") == Approx(0.75));
}

TEST_CASE("numbered images with another profile become frames with the colours of sRGB, which is said") {
    const TempDir folder;
    Image red(16, 16, 3, Depth::u8);
    std::ranges::fill(red.bytes(), std::byte{60});
    red.bytes()[0] = std::byte{200};
    save(red, folder / "s.png");
    for (const std::string name : {"a-1.png", "a-2.png"}) {
        REQUIRE(run_glproc(folder.path(), {"profile", "s.png", name, "--to", "display-p3"}).status == 0);
    }
    const ProgramResult result = run_glproc(folder.path(), {"video", "a-%d.png", "b-%d.png", "invert", "then", "invert"});
    CHECK(result.status == 0);
    CHECK(result.err.find("a-1.png: its colours become those of sRGB") != std::string::npos);
    CHECK(result.err.find("a-2.png: its colours") == std::string::npos);
    const Image back = load(folder / "b-2.png");
    CHECK(back.metadata().icc.empty());
    for (int c = 0; c < 3; ++c) {
        CHECK(std::abs(back.at(0, 0, c) - red.at(0, 0, c)) <= 1);
    }
    save(red, folder / "c-1.png");
    CHECK(run_glproc(folder.path(), {"video", "c-%d.png", "d-%d.png", "invert"}).err.find("colours") == std::string::npos);
}

TEST_CASE("grey frames go to formats of colours alone as single pictures do") {
    const TempDir folder;
    for (int i = 1; i <= 2; ++i) {
        Image grey(16, 12, 1, Depth::u8);
        Image colour(16, 12, 3, Depth::u8);
        for (std::size_t at = 0; at < grey.bytes().size(); ++at) {
            grey.bytes()[at] = static_cast<std::byte>(at + 40 * static_cast<std::size_t>(i));
        }
        std::ranges::fill(colour.bytes(), std::byte{90});
        save(grey, folder / fmt::format("g{}.png", i));
        save(colour, folder / fmt::format("k{}.png", i));
    }
    for (const std::string out : {"x.gif", "x.webp", "x%d.ppm", "x%d.gif"}) {
        INFO(out);
        must_work(folder, {"g%d.png", out, "--fps", "5"});
        const std::string end = out.substr(out.rfind('.'));
        const std::string first = out.find('%') == std::string::npos ? out : "x1" + end;
        REQUIRE(run_glproc(folder.path(), {"convert", "g1.png", "right" + end}).status == 0);
        const Image made = load(folder / first);
        const Image right = load(folder / ("right" + end));
        REQUIRE(made.form() == right.form());
        if (end != ".webp") { // whose animations are made by another encoder
            CHECK(std::ranges::equal(made.bytes(), right.bytes()));
        }
        CHECK(made.at(5, 5, 0) == Approx(right.at(5, 5, 0)).margin(3));
        CHECK(made.at(5, 5, 2) == made.at(5, 5, 0));
    }
    for (const std::string out : {"y.gif", "y.webp", "y%d.ppm"}) {
        INFO(out);
        must_work(folder, {"k%d.png", out, "--fps", "5", "gray"});
    }
    Image deep(16, 12, 1, Depth::u16);
    std::ranges::fill(deep.values<std::uint16_t>(), std::uint16_t{128 * 257});
    save(deep, folder / "d1.png");
    must_work(folder, {"d%d.png", "d.gif"});
    CHECK(load(folder / "d.gif").at(3, 3, 1) == 128);
    must_work(folder, {"d%d.png", "d%d.ppm"});
    CHECK(load(folder / "d1.ppm").form() == Form{16, 12, 3, Depth::u16});
    must_work(folder, {"g%d.png", "l%d.pfm"}); // of floats alone
    CHECK(load(folder / "l1.pfm").at(4, 0, 0) ==
          Approx(std::pow((44 / 255.0 + 0.055) / 1.055, 2.4)).epsilon(1e-6));
}

TEST_CASE("a mask of frames of floats is black and white in every format") {
    const TempDir folder;
    Image ramp(16, 12, 1, Depth::f32);
    for (std::size_t i = 0; i < ramp.values<float>().size(); ++i) {
        ramp.values<float>()[i] = static_cast<float>(i) / 1000;
    }
    save(ramp, folder / "a1.tif");
    save(ramp, folder / "e1.exr");
    for (const std::string in : {"a%d.tif", "e%d.exr"}) {
        for (const std::string end : {"png", "jpg", "gif", "ppm"}) {
            INFO(in << " " << end);
            must_work(folder, {in, "m%d." + end, "threshold", "--rule", "otsu"});
            must_work(folder, {in, "s." + end, "--frame", "0", "threshold", "--rule", "otsu"});
            for (const std::string name : {"m1.", "s."}) {
                const Image mask = load(folder / (name + end));
                CHECK(mask.depth() != Depth::f32);
                CHECK(mask.at(0, 0, 0) == 0);
                CHECK(mask.at(15, 11, 0) == (mask.depth() == Depth::u8 ? 255 : 65535));
            }
        }
    }
    const std::string png = folder / "m1.png";
    CHECK(load(png).depth() == [&] {
        REQUIRE(run_glproc(folder.path(), {"threshold", "a1.tif", "right.png", "--rule", "otsu"}).status ==
                0);
        return load(folder / "right.png").depth();
    }());
}

TEST_CASE("frames of floats that no file of codes can be made of at once get a hint that works") {
    const TempDir folder;
    const auto run_line = [&](const std::string& line) {
        const ProgramResult result =
            run_program({.program = "/bin/sh", .arguments = {"-c", line}, .folder = folder.path()});
        INFO(line << result.err);
        REQUIRE(result.status == 0);
    };
    write_frames(folder, "exr", static_cast<float>(half));
    const ProgramResult refused = run_video(folder, {"a-%d.exr", "m %d.png", "invert", "then", "invert"});
    CHECK(refused.status == 2);
    CHECK(refused.err.find("hint: write 'floats-m %d.tif' in its place, then: glproc convert 'floats-m "
                           "'*.tif png/ --to png --depth 16") != std::string::npos);
    must_work(folder, {"a-%d.exr", "floats-m %d.tif", "invert", "then", "invert"});
    run_line(std::string(GLPROC_PROGRAM) + " convert 'floats-m '*.tif png/ --to png --depth 16");
    CHECK(middle(folder, "png/floats-m 2.png") == 128 * 257);
    const ProgramResult still = run_video(folder, {"a-%d.exr", "m.jpg", "--frame", "1"});
    CHECK(still.err.find(
              "hint: write floats-m.tif in its place, then: glproc convert floats-m.tif m.jpg --depth 8") !=
          std::string::npos);
    must_work(folder, {"a-%d.exr", "floats-m.tif", "--frame", "1"});
    run_line(std::string(GLPROC_PROGRAM) + " convert floats-m.tif m.jpg --depth 8");
    CHECK(middle(folder, "m.jpg") == 128);
}

TEST_CASE("frames that Radiance HDR holds no negative values of are told, once") {
    const TempDir folder;
    write_frames(folder, "pfm", -0.25F);
    for (const Words& out : {Words{"h-%d.hdr"}, Words{"h-1.hdr", "--frame", "0"}}) {
        const ProgramResult result = run_glproc(folder.path(), Words{"video", "a-%d.pfm"} + out);
        CHECK(result.status == 0);
        const std::string told = "h-1.hdr: values below 0 are cut";
        CHECK(result.err.find(told) != std::string::npos);
        CHECK(result.err.find("values below 0") == result.err.rfind("values below 0"));
        CHECK(middle(folder, "h-1.hdr") == 0);
    }
}
