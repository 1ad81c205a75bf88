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
