// What floats stand for: light, encoded values, or numbers, and the range that numbers lie in.
#include "cli/glproc_program.hpp"
#include "files/handmade_tiff.hpp"
#include "glproc/files/file.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<float> lights{0.001F, 0.05F, 0.214F, 1, 1.79F, 5.75F};

Image floats(const std::vector<float>& values, int channels = 1) {
    Image image(static_cast<int>(values.size()), 1, channels, Depth::f32);
    for (std::size_t i = 0; i < image.values<float>().size(); ++i) {
        image.values<float>()[i] = values[i / static_cast<std::size_t>(channels)];
    }
    return image;
}

struct Folder : TempDir {
    ProgramResult run(std::vector<std::string> arguments) const { return run_glproc(path(), std::move(arguments)); }
    Image made(std::vector<std::string> arguments, const std::string& out) const {
        const ProgramResult result = run(std::move(arguments));
        INFO(result.err);
        REQUIRE(result.status == 0);
        return load(*this / out);
    }
    void write(const std::string& name, const Bytes& bytes) const { write_file(*this / name, bytes); }
};

} // namespace

TEST_CASE("light: grey codes become light in a format of colours alone as in others") {
    const Folder folder;
    Image ramp(64, 4, 1, Depth::u8);
    for (int i = 0; i < 256; ++i) {
        ramp.values<std::uint8_t>()[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
    }
    save(ramp, folder / "g.png");
    const Image grey = folder.made({"adjust", "g.png", "o.pfm", "--exposure", "1"}, "o.pfm");
    const Image colours = folder.made({"adjust", "g.png", "o.hdr", "--exposure", "1"}, "o.hdr");
    REQUIRE(colours.channels() == 3);
    for (int i = 0; i < 256; ++i) {
        CHECK(colours.at(i % 64, i / 64, 1) == Approx(grey.at(i % 64, i / 64, 0)).epsilon(0.01).margin(1e-4)); // of 8 bits and an exponent
    }
    CHECK(colours.at(63, 3, 0) > 1.9);
}

TEST_CASE("light: the colour of a flag is one of sRGB, in pictures of linear light, too") {
    const Folder folder;
    Image image(16, 16, 3, Depth::f32);
    std::ranges::fill(image.values<float>(), 0.25F);
    save(image, folder / "a.pfm");
    save(image, folder / "a.tif"); // numbers
    const double half = std::pow((128 / 255.0 + 0.055) / 1.055, 2.4);
    const std::vector<std::vector<std::string>> calls{
        {"pad", "a.pfm", "o.pfm", "--margin", "2"}, {"rotate", "a.pfm", "o.pfm", "45"}, {"warp", "a.pfm", "o.pfm", "--affine", "1,0,30,0,1,0"},
        {"pipe", "a.pfm", "o.pfm", "invert", "then", "pad", "--margin", "2"}, {"montage", "a.pfm", "a.pfm", "o.pfm", "--gap", "4"}};
    for (std::vector<std::string> words : calls) {
        words.insert(words.end(), {"--background", "#808080"});
        INFO(fmt::format("{}", fmt::join(words, " ")));
        CHECK(folder.made(words, "o.pfm").at(0, 0, 1) == Approx(half).epsilon(1e-6));
    }
    CHECK(folder.made({"pad", "a.pfm", "o.pfm", "--margin", "2", "--background", "0.3"}, "o.pfm").at(0, 0, 1) == Approx(0.3)); // a value
    CHECK(folder.made({"pad", "a.tif", "o.tif", "--margin", "2", "--background", "#808080"}, "o.tif").at(0, 0, 1) == Approx(128 / 255.0));
}

TEST_CASE("light: the colour of a border, and that of a list to draw, is one of sRGB, too") {
    const Folder folder;
    Image image(16, 16, 3, Depth::f32);
    const double half = std::pow((128 / 255.0 + 0.055) / 1.055, 2.4);
    std::ranges::fill(image.values<float>(), static_cast<float>(half));
    save(image, folder / "a.pfm");
    save(image, folder / "a.tif");
    const std::vector<std::vector<std::string>> calls{{"blur", "--sigma", "2"}, {"box", "--radius", "3"}, {"median", "--radius", "1"},
                                                      {"erode", "--radius", "1"}, {"pad", "--margin", "2"}, {"rotate", "45"}};
    for (std::vector<std::string> words : calls) {
        words.insert(words.begin() + 1, {"a.pfm", "o.pfm"});
        words.insert(words.end(), {"--border", "constant:#808080"});
        INFO(fmt::format("{}", fmt::join(words, " ")));
        const Image made = folder.made(words, "o.pfm");
        for (const float value : made.values<float>()) {
            CHECK(value == Approx(half).epsilon(1e-6));
        }
    }
    const auto corner = [&](const std::string& format, const std::string& border) {
        const std::string out = "o." + format;
        return folder.made({"pad", "a." + format, out, "--margin", "2", "--border", "constant:" + border}, out).at(0, 0, 1);
    };
    CHECK(corner("tif", "#808080") == Approx(128 / 255.0));
    CHECK(corner("pfm", "0.5") == Approx(0.5)); // a value
    CHECK(corner("pfm", "0.5,0.5,0.5") == Approx(0.5));
    if (std::ranges::count(writable_extensions(), "exr") == 1) {
        save(Image(4, 4, 4, Depth::f32), folder / "clear.exr");
        CHECK(folder.made({"convert", "clear.exr", "o.exr", "--alpha", "flatten:#808080"}, "o.exr").at(1, 1, 1) == Approx(half).epsilon(1e-6));
    }
    REQUIRE(folder.run({"pad", "a.pfm", "p.pfm", "--margin", "3", "--background", "#c04020"}).status == 0);
    CHECK(folder.made({"trim", "p.pfm", "o.pfm", "--background", "#c04020", "--tolerance", "1%"}, "o.pfm").width() == 16);
    const Image found = folder.made({"threshold", "p.pfm", "o.png", "--range", "#b03010,#d05030"}, "o.png");
    CHECK(found.at(0, 0, 0) == 255);
    CHECK(found.at(9, 9, 0) == 0);
    write_text(folder / "marks.json", R"([{"rect": [2, 2, 12, 12], "fill": "#808080"}])");
    CHECK(folder.made({"draw", "a.pfm", "o.pfm", "--from", "marks.json"}, "o.pfm").at(7, 7, 1) == Approx(half).epsilon(1e-6));
    CHECK(folder.made({"draw", "a.tif", "o.tif", "--from", "marks.json"}, "o.tif").at(7, 7, 1) == Approx(128 / 255.0));
}

TEST_CASE("light: two stops are four times as much in every format of linear light") {
    const Folder folder;
    for (const std::string format : {"pfm", "hdr"}) {
        save(floats(lights, 3), folder / ("a." + format));
        const Image before = load(folder / ("a." + format));
        const Image after = folder.made({"adjust", "a." + format, "b." + format, "--exposure", "2"}, "b." + format);
        for (std::size_t i = 0; i < lights.size(); ++i) {
            const double light = before.values<float>()[3 * i];
            CHECK(after.values<float>()[3 * i] == Approx(4 * light).epsilon(format == "pfm" ? 1e-6 : 0.01));
        }
    }
    folder.made({"pipe", "a.pfm", "c.pfm", "adjust", "--exposure", "1", "then", "adjust", "--exposure", "1", "--method",
                 "cpu"},
                "c.pfm");
    CHECK(load(folder / "c.pfm").values<float>()[15] == Approx(4 * 5.75));
    const Image kept = folder.made({"adjust", "a.pfm", "d.tif", "--exposure", "2", "--transfer", "keep"}, "d.tif");
    CHECK(kept.values<float>()[15] == Approx(4 * 5.75));
}

TEST_CASE("light: white balance multiplies light, be it encoded or not") {
    const Folder folder;
    Image image(2, 1, 3, Depth::f32);
    const std::vector<float> values{0.02F, 0.04F, 0.08F, 2, 4, 8};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    save(image, folder / "a.pfm");
    const Image warm = folder.made({"balance", "a.pfm", "b.pfm", "--rule", "temperature:3000"}, "b.pfm");
    for (std::size_t c = 0; c < 3; ++c) {
        CHECK(warm.values<float>()[3 + c] == Approx(100 * warm.values<float>()[c]).epsilon(1e-5));
    }
    const Image grey = folder.made({"balance", "a.pfm", "c.pfm", "--rule", "gray-world"}, "c.pfm");
    CHECK(grey.values<float>()[3] == Approx(grey.values<float>()[5]).epsilon(1e-3));
}

TEST_CASE("light: numbers are never bent unless the call says what they are") {
    const Folder folder;
    save(floats({0.25F, 0.5F, 0.75F}), folder / "n.tif"); // no profile: nobody knows
    for (const std::string out : {"n.pfm", "n2.tif"}) {
        CHECK(folder.made({"convert", "n.tif", out}, out).values<float>()[1] == 0.5F);
    }
    CHECK(folder.made({"convert", "n.tif", "l.pfm", "--transfer", "srgb"}, "l.pfm").values<float>()[1] ==
          Approx(0.21404).epsilon(1e-4));
    const Image exposed = folder.made({"adjust", "n.tif", "e.tif", "--exposure", "1"}, "e.tif");
    CHECK(exposed.values<float>()[2] == 1.5F);
    CHECK(folder.made({"convert", "n.tif", "n.png", "--depth", "8"}, "n.png").at(1, 0, 0) == 128);
    const Image linear = folder.made({"blur", "n.tif", "b.tif", "--sigma", "9", "--linear"}, "b.tif");
    const Image plain = folder.made({"blur", "n.tif", "p.tif", "--sigma", "9"}, "p.tif");
    CHECK(linear.values<float>()[0] == plain.values<float>()[0]);
}

TEST_CASE("light: a photo that is written as a float TIFF says by its profile what it is") {
    const Folder folder;
    Image photo(2, 1, 3, Depth::u8);
    std::fill(photo.values<std::uint8_t>().begin(), photo.values<std::uint8_t>().end(), std::uint8_t{188});
    save(photo, folder / "p.png");
    const Image stored = folder.made({"convert", "p.png", "p.tif", "--depth", "f32"}, "p.tif");
    CHECK(stored.values<float>()[0] == Approx(188 / 255.0));
    CHECK_FALSE(stored.metadata().icc.empty());
    CHECK(folder.made({"convert", "p.tif", "p.pfm"}, "p.pfm").values<float>()[0] == Approx(0.50289).epsilon(1e-4));
    save(floats(lights), folder / "l.pfm");
    folder.made({"convert", "l.pfm", "l.tif"}, "l.tif");
    const Image back = folder.made({"convert", "l.tif", "back.pfm"}, "back.pfm");
    for (std::size_t i = 0; i < lights.size(); ++i) {
        CHECK(back.values<float>()[i] == Approx(lights[i]).epsilon(1e-5));
    }
    const Image twice = folder.made({"adjust", "l.tif", "x.tif", "--exposure", "2"}, "x.tif");
    CHECK(folder.made({"convert", "x.tif", "x.pfm"}, "x.pfm").values<float>()[5] == Approx(23).epsilon(1e-4));
}

TEST_CASE("light: further images come in the light of the first") {
    const Folder folder;
    Image photo(1, 1, 1, Depth::u8);
    photo.values<std::uint8_t>()[0] = 128;
    save(photo, folder / "a.png");
    folder.made({"convert", "a.png", "a.pfm"}, "a.pfm");
    const Image both = folder.made({"append", "a.png", "a.pfm", "o.png", "--depth", "8"}, "o.png");
    CHECK(both.at(0, 0, 0) == 128);
    CHECK(both.at(1, 0, 0) == 128);
    CHECK(folder.run({"compare", "a.png", "a.pfm", "--max-diff", "0.0001"}).status == 0);
    CHECK(folder.run({"compare", "a.pfm", "a.png", "--max-diff", "0.0001"}).status == 0);
}

TEST_CASE("ranges: automatic rules look where the values are") {
    const Folder folder;
    std::vector<float> values;
    for (int i = 0; i < 256; ++i) {
        values.push_back(static_cast<float>((i < 128 ? 300 : 700) + i % 16 - 8));
    }
    Image image(16, 16, 1, Depth::f32);
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    save(image, folder / "f.tif");
    for (const std::string rule : {"otsu", "mean"}) {
        for (const std::string method : {"gpu", "cpu"}) {
            const Image mask = folder.made({"threshold", "f.tif", "m.png", "--rule", rule, "--variant", method}, "m.png");
            CHECK(mask.depth() == Depth::u8); // black and white is the same in every depth
            CHECK(mask.at(0, 0, 0) == 0);
            CHECK(mask.at(15, 7, 0) == 0);
            CHECK(mask.at(0, 8, 0) == 255);
        }
    }
    const Image levels = folder.made({"levels", "f.tif", "l.tif", "--auto=0"}, "l.tif");
    CHECK(levels.values<float>()[0] == Approx(0).margin(1e-4));
    CHECK(levels.values<float>()[255] == Approx(1).margin(1e-4));
    CHECK(levels.values<float>()[15] == Approx(15 / 415.0).margin(1e-4)); // of 292 to 707
    const ProgramResult objects = folder.run({"components", "f.tif", "--threshold", "otsu", "--json"});
    CHECK(objects.out.find("\"area\":128") != std::string::npos);
    const ProgramResult said = folder.run({"threshold", "f.tif", "m.tif", "--rule", "mean", "-v"});
    CHECK(said.err.find("values from 292 to 707") != std::string::npos);
    const Image equal = folder.made({"equalize", "f.tif", "e.png", "--depth", "16"}, "e.png");
    CHECK(equal.at(0, 0, 0) == 0);
    CHECK(equal.at(15, 15, 0) == 65535);
    CHECK(equal.at(0, 8, 0) > equal.at(15, 0, 0));
}

TEST_CASE("ranges: automatic rules look at floats that fill a narrow part of 0 to 1") {
    const Folder folder;
    for (const float unit : {1e-8F, 1e-6F}) {
        Image image(16, 16, 1, Depth::f32);
        for (int i = 0; i < 256; ++i) {
            image.values<float>()[static_cast<std::size_t>(i)] = static_cast<float>((i < 160 ? 300 : 700) + i % 16 - 8) * unit;
        }
        save(image, folder / "f.tif");
        for (const std::string rule : {"otsu", "mean", "triangle"}) {
            for (const std::string method : {"gpu", "cpu"}) {
                INFO(unit << " " << rule << " " << method);
                const Image mask = folder.made({"threshold", "f.tif", "m.png", "--rule", rule, "--variant", method}, "m.png");
                CHECK(std::ranges::count(mask.values<std::uint8_t>(), 255) == 96);
            }
        }
        const Image levels = folder.made({"levels", "f.tif", "l.tif", "--auto=0"}, "l.tif");
        CHECK(levels.values<float>()[0] == Approx(0).margin(1e-4));
        CHECK(levels.values<float>()[255] == Approx(1).margin(1e-4));
        CHECK(levels.values<float>()[15] == Approx(15 / 415.0).margin(1e-4));
        CHECK(folder.run({"components", "f.tif", "--threshold", "otsu", "--json"}).out.find("\"area\":96") != std::string::npos);
        CHECK(folder.run({"threshold", "f.tif", "m.tif", "--rule", "mean", "-v"}).err.find("values from ") != std::string::npos);
        const ProgramResult codes = folder.run({"convert", "f.tif", "c.png", "--depth", "8"});
        CHECK(codes.err.find("become 0 to 255") != std::string::npos);
        CHECK(load(folder / "c.png").at(15, 15, 0) == 255);
    }
    Image even(16, 16, 1, Depth::f32); // one value stays what it is
    std::ranges::fill(even.values<float>(), 0.25F);
    save(even, folder / "e.tif");
    CHECK(folder.made({"convert", "e.tif", "c.png", "--depth", "8"}, "c.png").at(3, 3, 0) == 64);
    CHECK(folder.made({"levels", "e.tif", "l.tif", "--auto"}, "l.tif").at(3, 3, 0) == 0.25F);
}

TEST_CASE("ranges: white balance finds the light of values above 1") {
    const Folder folder;
    Image image(2, 1, 3, Depth::f32);
    const std::vector<float> values{0.5F, 1, 2, 1.5F, 3, 6};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    save(image, folder / "a.pfm");
    const Image grey = folder.made({"balance", "a.pfm", "b.pfm", "--rule", "gray-world"}, "b.pfm");
    for (std::size_t i = 0; i < 6; ++i) { // means are 1, 2 and 4, that of all 7 / 3
        CHECK(grey.values<float>()[i] == Approx(values[i] * 7 / 3 / (1 << i % 3)).epsilon(2e-4));
    }
}

TEST_CASE("ranges: integers of other types become codes by the range of their type") {
    const Folder folder;
    std::vector<std::int16_t> slice;
    std::vector<std::uint32_t> ramp;
    for (int i = 0; i < 64; ++i) {
        slice.push_back(static_cast<std::int16_t>(-1000 + 60 * i));
        ramp.push_back(static_cast<std::uint32_t>(i) * 68174084U);
    }
    folder.write("i16.tif", handmade_tiff({{8, 8, 16, 2, values_as_bytes(slice)}}));
    folder.write("u32.tif", handmade_tiff({{8, 8, 32, 1, values_as_bytes(ramp)}}));
    const Image ct = folder.made({"convert", "i16.tif", "a.png", "--depth", "16"}, "a.png");
    for (int i = 0; i < 64; ++i) { // nothing is lost
        CHECK(ct.at(i % 8, i / 8, 0) == 32768 - 1000 + 60 * i);
    }
    const ProgramResult said = folder.run({"convert", "i16.tif", "b.png", "--depth", "8"});
    CHECK(said.err.find("values from -32768 to 32767, which is all that their type holds, become 0 to 255") != std::string::npos);
    CHECK(load(folder / "b.png").at(0, 0, 0) == 124); // 31768 / 65535
    const ProgramResult kept = folder.run({"convert", "i16.tif", "k.png", "--depth", "8", "--transfer", "keep"});
    CHECK(kept.err.find("all that their type holds, are kept as they are, and clipped below 0 and above 1") != std::string::npos);
    CHECK(load(folder / "k.png").at(0, 0, 0) == 0);
    CHECK(load(folder / "k.png").at(7, 7, 0) == 255);
    const Image ramped = folder.made({"convert", "u32.tif", "c.png", "--depth", "8"}, "c.png");
    for (int i = 0; i < 64; ++i) {
        CHECK(ramped.at(i % 8, i / 8, 0) == Approx(255.0 * i / 63).margin(0.51));
    }
    const Image mask = folder.made({"threshold", "i16.tif", "m.png", "--rule", "otsu"}, "m.png");
    CHECK(mask.at(0, 0, 0) == 0);
    CHECK(mask.at(7, 7, 0) == 255);
    CHECK(folder.made({"convert", "i16.tif", "i.pfm"}, "i.pfm").values<float>()[0] == -1000);
    const Image blurred = folder.made({"blur", "i16.tif", "s.tif", "--sigma", "0.01"}, "s.tif");
    CHECK(blurred.values<float>()[0] == -1000); // floats hold what they held
}

TEST_CASE("ranges: what an operation makes of integers becomes codes by its own range") {
    const Folder folder;
    std::vector<std::int16_t> slice;
    for (int i = 0; i < 64; ++i) { // a CT slice holds a small part of what its type could
        slice.push_back(static_cast<std::int16_t>(-230 + 7 * i));
    }
    folder.write("i16.tif", handmade_tiff({{8, 8, 16, 2, values_as_bytes(slice)}}));
    for (const std::vector<std::string>& call : std::vector<std::vector<std::string>>{
             {"levels", "i16.tif", "a.png", "--auto", "--depth", "8"},
             {"levels", "i16.tif", "a.png", "--black", "-230", "--white", "211", "--depth", "8"},
             {"pipe", "i16.tif", "a.png", "--depth", "8", "levels", "--auto", "then", "invert"},
             {"invert", "i16.tif", "a.png", "--depth", "8"}}) {
        const Image made = folder.made(call, "a.png");
        const bool is_inverted = call.back() == "invert" || call.front() == "invert";
        CHECK(made.at(0, 0, 0) == (is_inverted ? 255 : 0));
        CHECK(made.at(7, 7, 0) == (is_inverted ? 0 : 255));
        CHECK(std::abs(made.at(0, 4, 0) - 255 * (is_inverted ? 31 : 32) / 63.0) < 1);
    }
    for (const char* name : {"m.webp", "m.gif", "m.ppm", "m.png"}) { // those of colours alone, too
        const Image mask = folder.made({"threshold", "i16.tif", name, "--rule", "otsu"}, name);
        CHECK(mask.at(0, 0, 0) == 0);
        CHECK(mask.at(7, 7, 0) == 255);
    }
}

TEST_CASE("ranges: floats beyond 0 to 1 become codes by their own range, and light does not") {
    const Folder folder;
    save(floats({-2, 0, 6}), folder / "n.tif");
    const ProgramResult said = folder.run({"convert", "n.tif", "n.png", "--depth", "8"});
    CHECK(said.err.find("values from -2 to 6 become 0 to 255") != std::string::npos);
    CHECK(load(folder / "n.png").at(1, 0, 0) == 64);
    save(floats({0.5F, 4}), folder / "l.pfm");
    const Image photo = folder.made({"convert", "l.pfm", "l.png", "--depth", "8"}, "l.png");
    CHECK(photo.at(0, 0, 0) == 188);
    CHECK(photo.at(1, 0, 0) == 255);
}

TEST_CASE("ranges: values that codes cut are told on every road, and others are not") {
    const Folder folder;
    save(floats({0.5F, 4}), folder / "bright.pfm");
    save(floats({0, 1}), folder / "white.pfm");
    save(floats({0.25F, -2}), folder / "below.tif");
    const auto is_told = [&](std::vector<std::string> words) {
        const ProgramResult result = folder.run(words);
        INFO(result.err);
        CHECK(result.status == 0);
        return result.err.find("values below 0 or above 1 are cut") != std::string::npos;
    };
    CHECK(is_told({"convert", "bright.pfm", "o.png", "--depth", "8"}));
    CHECK(is_told({"convert", "bright.pfm", "o.jpg", "--depth", "8"}));
    CHECK(is_told({"convert", "bright.pfm", "o.png", "--depth", "16", "--memory", "1M"})); // in rows
    CHECK(is_told({"clahe", "bright.pfm", "o.png", "--depth", "8"}));                      // which takes codes
    CHECK(is_told({"clahe", "bright.pfm", "o.png", "--depth", "8", "--memory", "1M"}));
    CHECK(is_told({"adjust", "white.pfm", "o.png", "--depth", "8", "--exposure", "1"}));
    CHECK(is_told({"convert", "below.tif", "o.png", "--depth", "8", "--transfer", "srgb"}));
    CHECK(is_told({"split", "bright.pfm", "c_{channel}.png", "--depth", "8"}));
    CHECK_FALSE(is_told({"adjust", "bright.pfm", "o.png", "--depth", "8", "--exposure", "-2"}));
    CHECK_FALSE(is_told({"convert", "white.pfm", "o.png", "--depth", "8"}));
    CHECK_FALSE(is_told({"convert", "white.pfm", "o.png", "--depth", "16", "--memory", "1M"}));
    CHECK_FALSE(is_told({"convert", "bright.pfm", "o.exr"}));
    CHECK_FALSE(is_told({"convert", "below.tif", "o.png", "--depth", "8"})); // stretched, and told so
}

TEST_CASE("ranges: a format that keeps numbers inexactly says so") {
    const Folder folder;
    save(floats({0.25F, 7}), folder / "n.tif");
    save(floats({0.25F, 7}), folder / "l.pfm");
    const auto warnings = [&](const std::string& in, const std::string& out) { return folder.run({"convert", in, out}).err; };
    CHECK(warnings("n.tif", "n.jxl").find("numbers, which JPEG XL keeps inexactly") != std::string::npos);
    CHECK(warnings("n.tif", "n.hdr").find("numbers, which Radiance HDR keeps inexactly") != std::string::npos);
    for (const std::string out : {"l.jxl", "l.hdr"}) { // light, which is what these are for
        CHECK(warnings("l.pfm", out).empty());
    }
    for (const std::string out : {"n.pfm", "n.exr", "m.tif"}) {
        CHECK(warnings("n.tif", out).empty());
    }
}

TEST_CASE("light: Radiance HDR has 0 where a filter made negative values, which is said") {
    const TempDir folder;
    Image edge(40, 30, 3, Depth::f32);
    for (std::size_t i = 0; i < edge.values<float>().size(); ++i) {
        edge.values<float>()[i] = i / 3 % 40 < 20 ? 0.0F : 8.0F;
    }
    save(edge, folder / "h.hdr");
    const ProgramResult turned =
        run_glproc(folder.path(), {"rotate", "h.hdr", "o.hdr", "30", "--border", "#c04020"});
    CHECK(turned.status == 0);
    CHECK(turned.err.find("o.hdr: values below 0 are cut, as Radiance HDR cannot hold them") !=
          std::string::npos);
    CHECK(std::ranges::min(load(folder / "o.hdr").values<float>()) == 0);
}
