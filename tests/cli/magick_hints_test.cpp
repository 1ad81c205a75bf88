// Hints for calls of ImageMagick whose meaning depends on the files: sizes, and formats of what is written.
#include "cli/hint_folder.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The hint of such a call does what ImageMagick does.
Image made_by_hint(const HintFolder& folder, const Words& words) {
    const std::string hint = hint_of(folder.path(), words);
    INFO(hint);
    REQUIRE(typed(folder.path(), hint).status == 0);
    return load(folder / words.back());
}

/// -gravity center -extent, which halves both lengths before it subtracts them.
Image extended(const Image& image, int width, int height) {
    Image made(width, height, image.channels(), image.depth());
    const int left = image.width() / 2 - width / 2;
    const int top = image.height() / 2 - height / 2;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool is_inside = x + left >= 0 && y + top >= 0 && x + left < image.width() && y + top < image.height();
            for (int c = 0; c < image.channels(); ++c) {
                const auto i = static_cast<std::size_t>((y * width + x) * image.channels() + c);
                made.values<std::uint8_t>()[i] = is_inside ? static_cast<std::uint8_t>(image.at(x + left, y + top, c)) : 255;
            }
        }
    }
    return made;
}

} // namespace

TEST_CASE("hints: -extent cuts and fills, whatever the image") {
    const HintFolder folder;
    save(photo_like_image({.width = 61, .height = 48, .channels = 3}, 5), folder / "odd.png");
    for (const std::string in : {"odd.png", "in.png"}) {
        const Image image = load(folder / in);
        for (const auto& [width, height] : std::vector<std::pair<int, int>>{{40, 30}, {41, 31}, {400, 301}, {401, 31}, {30, 333}, {61, 48}}) {
            INFO(in << " " << width << "x" << height);
            const std::string box = std::to_string(width) + "x" + std::to_string(height);
            const Image made = made_by_hint(folder, {"convert", in, "-gravity", "center", "-extent", box, "made.png"});
            CHECK_THAT(made, IsBitwise(extended(image, width, height)));
        }
    }
    const Image turned = made_by_hint(folder, {"convert", "odd.png", "-rotate", "90", "-extent", "50x50", "made.png"});
    CHECK(turned.at(0, 0, 0) == load(folder / "odd.png").at(0, 47, 0));
    CHECK(hint_of(folder.path(), {"convert", "in.png", "-resize", "100x100^", "-gravity", "center", "-extent", "100x100", "o.png"}) ==
          "glproc pipe in.png o.png resize '100x100^' then crop 100x100 --gravity center");
    const Image square = made_by_hint(folder, {"convert", "in.png", "-resize", "100x100^", "-gravity", "center", "-extent", "100x100", "made.png"});
    CHECK(square.width() == 100);
    CHECK(square.height() == 100);
}

TEST_CASE("hints: -sample takes the first of two pixels that are equally near") {
    const HintFolder folder;
    const Image image = load(folder / "in.png");
    for (const auto& [value, width, height] : std::vector<std::tuple<std::string, int, int>>{{"50%", 160, 120}, {"96x56!", 96, 56}}) {
        const Image made = made_by_hint(folder, {"convert", "in.png", "-sample", value, "made.png"});
        REQUIRE(made.width() == width);
        REQUIRE(made.height() == height);
        bool is_same = true;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int from_x = ((2 * x + 1) * 320 - 1) / (2 * width);
                const int from_y = ((2 * y + 1) * 240 - 1) / (2 * height);
                is_same = is_same && made.at(x, y, 0) == image.at(from_x, from_y, 0);
            }
        }
        CHECK(is_same);
    }
}

TEST_CASE("hints: -resize with an area has the size of the file") {
    const HintFolder folder;
    CHECK(hint_of(folder.path(), {"convert", "in.png", "-resize", "5000@", "o.png"}) == "glproc resize in.png o.png 81x61");
    check_runs(folder.path(), "glproc resize in.png o.png 81x61");
    CHECK(hint_of(folder.path(), {"convert", "in.png", "-trim", "-resize", "5000@", "o.png"}) ==
          "ImageMagick makes an image of 5000 pixels in all there; resize takes a width, a height or percent");
    CHECK(hint_of(folder.path(), {"convert", "in.png", "-median", "2", "o.png"}) ==
          "ImageMagick takes the median of a window of 2 there; median takes squares of an odd side");
}

TEST_CASE("hints: what is said of a file is said in terms of its format") {
    const HintFolder folder;
    Image deep(2, 2, 3, Depth::u16);
    save(deep, folder / "deep.png");
    const std::vector<Case> cases{
        {{"convert", "in.png", "-quality", "90", "o.png"}, "glproc convert in.png o.png --png-level 9"},
        {{"convert", "in.png", "-quality", "90", "o.webp"}, "glproc convert in.png o.webp --quality 90"},
        {{"convert", "in.png", "-quality", "90", "o.tif"}, "glproc convert in.png o.tif"},
        {{"convert", "in.png", "-compress", "Zip", "o.png"}, "glproc convert in.png o.png"},
        {{"convert", "in.png", "-compress", "Zip", "o.tif"}, "glproc convert in.png o.tif --compression deflate"},
        {{"convert", "in.png", "-interlace", "Plane", "o.webp"}, "glproc convert in.png o.webp"},
        {{"convert", "in.png", "-interlace", "None", "o.jpg"}, "glproc convert in.png o.jpg"},
        {{"convert", "in.png", "-interlace", "Plane", "o.jpg"}, "glproc convert in.png o.jpg --progressive"},
        {{"convert", "in.png", "-interlace", "Plane", "o.png"}, "glproc convert in.png o.png"},
        {{"convert", "deep.png", "-depth", "16", "o.jpg"}, "glproc convert deep.png o.jpg --depth 8"},
        {{"convert", "deep.png", "-depth", "16", "o.png"}, "glproc convert deep.png o.png --depth 16"},
        {{"convert", "deep.png", "-depth", "32", "o.png"}, "glproc convert deep.png o.png --depth 16"},
        {{"convert", "in.png", "-sampling-factor", "4:2:0", "o.png"}, "glproc convert in.png o.png"},
        {{"convert", "in.png", "-colors", "16", "o.jpg"}, "glproc convert in.png o.jpg"},
    };
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
    const auto said = [&](const Words& words) { return run_without_gpu(folder.path(), words).err; };
    CHECK(said({"convert", "in.png", "-interlace", "Plane", "o.png"}).find("hint: PNG is not interlaced here: glproc convert") != std::string::npos);
    CHECK(said({"convert", "in.png", "-colors", "16", "o.jpg"}).find("hint: colours are counted in PNG and GIF alone here: ") != std::string::npos);
    CHECK(hint_of(folder.path(), {"convert", "in.png", "-compress", "JPEG", "o.tif"}) ==
          "there is no TIFF compressed by JPEG here; --compression takes deflate, lzw, packbits and g4");
    for (const std::string flag : {"-equalize", "-despeckle", "-monochrome"}) {
        CHECK(said({"convert", "in.png", flag, "o.png"}).find("hint: ImageMagick") != std::string::npos);
    }
    for (const std::string flag : {"-emboss", "-vignette"}) {
        CHECK(said({"convert", "in.png", flag, "0x2", "o.png"}).find("hint: ImageMagick") != std::string::npos);
    }
}

TEST_CASE("hints: composite of ImageMagick has the image on top first") {
    const HintFolder folder;
    const std::vector<Case> cases{
        {{"composite", "-blend", "30", "other.png", "in.png", "o.png"},
         "glproc blend in.png o.png --with other.png --opacity 30%"},
        {{"composite", "-dissolve", "40", "logo.png", "in.png", "o.png"},
         "glproc blend in.png o.png --with logo.png --opacity 40%"},
        {{"composite", "-gravity", "center", "logo.png", "in.png", "o.png"},
         "glproc blend in.png o.png --with logo.png --gravity center"},
        {{"magick", "composite", "-compose", "Multiply", "other.png", "in.png", "o.png"},
         "glproc blend in.png o.png --with other.png --mode multiply"},
        {{"in.png", "other.png", "mask.png", "-composite", "o.png"},
         "glproc blend in.png o.png --with other.png --mask mask.png"},
        {{"in.png", "other.png", "-compose", "blend", "-define", "compose:args=30", "-composite", "o.png"},
         "glproc blend in.png o.png --with other.png --opacity 30%"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
}

TEST_CASE("hints: a flag of composite without an equal names no file of an example") {
    const HintFolder folder;
    CHECK(hint_of(folder.path(), {"composite", "-watermark", "30", "other.png", "in.png", "o.png"}) ==
          "glproc help blend");
}

TEST_CASE("hints: formats and parts in names of files are none of the names") {
    const HintFolder folder;
    const std::vector<Case> cases{{{"in.png", "png8:o.png"}, "glproc convert in.png o.png --colors 256"},
                                  {{"in.png", "png8:out.png"}, "glproc convert in.png out.png --colors 256"},
                                  {{"in.png", "jpg:o"}, "glproc convert in.png o --to jpg"},
                                  {{"in.png", "info:"}, "glproc info in.png"},
                                  {{"in.png", "-format", "%w %h", "info:"}, "glproc info in.png"},
                                  {{"in.png", "histogram:o.png"}, "glproc help histogram"},
                                  {{"in.png[80x60+10+10]", "o.png"}, "glproc crop in.png o.png 80x60+10+10"},
                                  {{"convert", "in.png[80x60+10+10]", "-negate", "o.png"},
                                   "glproc pipe in.png o.png crop 80x60+10+10 then invert"},
                                  {{"in.png[80x60]", "o.png"}, "glproc resize in.png o.png 80x60 --fit"},
                                  {{"convert", "z.tif[0]", "o.png"}, "glproc convert 'z.tif#1' o.png"},
                                  {{"info", "z.tif[0]"}, "glproc info 'z.tif#1'"},
                                  {{"a.png", "b.png", "o.gif"}, "glproc help video"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
    for (const Words& words : {Words{"a.png", "b.png", "o.pdf"}, {"in.png", "o.pdf"}, {"in.png", "pdf:o"}}) {
        CHECK(hint_of(folder.path(), words) ==
              "glproc writes no PDF files; docs/formats.md lists those that it writes");
    }
    for (const Words& words :
         {Words{"an.gif", "-coalesce", "f_%d.png"}, {"-y", "-i", "an.gif", "f_%d.png"}}) {
        CHECK(hint_of(folder.path(), words) == "glproc video an.gif f_%d.png");
    }
    CHECK(hint_of(folder.path(), {"an.gif", "-resize", "50%", "f_%03d.png"}) ==
          "glproc video an.gif f_%03d.png resize 50%");
}

TEST_CASE("hints: settings of ImageMagick that have an equal") {
    const HintFolder folder;
    const std::vector<Case> cases{
        {{"in.png", "-resize", "x50!", "o.png"}, "glproc resize in.png o.png 320x50"},
        {{"in.png", "-resize", "60x!", "o.png"}, "glproc resize in.png o.png 60x240"},
        {{"in.png", "-resize", "60!", "o.png"}, "glproc resize in.png o.png 60x240"},
        {{"in.png", "-colorspace", "RGB", "-resize", "50%", "-colorspace", "sRGB", "o.png"},
         "glproc resize in.png o.png 50% --linear"},
        {{"in.png", "-define", "jpeg:extent=5kb", "o.jpg"}, "glproc convert in.png o.jpg --max-size 5k"},
        {{"in.png", "-define", "png:compression-level=9", "o.png"},
         "glproc convert in.png o.png --png-level 9"},
        {{"in.png", "-define", "webp:lossless=true", "o.webp"}, "glproc convert in.png o.webp --lossless"},
        {{"mask.png", "-morphology", "Distance", "Euclidean", "o.png"},
         "glproc pipe mask.png o.png distance then levels --white 655.35 --depth 16"},
        {{"mask.png", "-morphology", "Thinning:-1", "Skeleton", "o.png"}, "glproc skeleton mask.png o.png"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
    CHECK(hint_of(folder.path(), {"in.png", "-resize", "0x50", "o.png"}) ==
          "ImageMagick makes one pixel of a width of 0; without it: -resize x50");
    CHECK(hint_of(folder.path(), {"in.png", "-colorspace", "RGB", "-negate", "-colorspace", "sRGB",
                                  "o.png"}) == "-negate in linear light has no equal in glproc");
    CHECK(hint_of(folder.path(), {"in.png", "-colorspace", "RGB", "o.png"}) == "glproc help color");
}

TEST_CASE("hints: posterised values are ImageMagick's") {
    const HintFolder folder;
    Image ramp(256, 1, 1, Depth::u8);
    for (int x = 0; x < 256; ++x) {
        ramp.bytes()[static_cast<std::size_t>(x)] = static_cast<std::byte>(x);
    }
    save(ramp, folder / "ramp.png");
    for (const int count : {2, 3, 4, 5, 6, 7, 8, 20, 129, 255, 256}) {
        const std::string hint =
            hint_of(folder.path(), {"ramp.png", "-posterize", std::to_string(count), "s.png"});
        REQUIRE(hint == "glproc posterize ramp.png s.png --levels " + std::to_string(count));
        REQUIRE(typed(folder.path(), hint).status == 0);
        const Image made = load(folder / "s.png");
        for (int x = 0; x < 256; ++x) {
            const double level = std::floor(x / 255.0 * (count - 1) + 0.5);
            CHECK(made.at(x, 0, 0) == std::floor(255 * level / (count - 1) + 0.5));
        }
    }
    CHECK(hint_of(folder.path(), {"posterize", "ramp.png", "s.png", "4"}) ==
          hint_of(folder.path(), {"convert", "ramp.png", "-posterize", "4", "s.png"}));
}
