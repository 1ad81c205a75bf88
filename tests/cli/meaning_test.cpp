// What the values of a result mean: colours, light, or numbers that no curve applies to.
#include "cli/glproc_program.hpp"
#include "glproc/files/file.hpp"
#include "glproc/math/srgb.hpp"
#include "support/joined.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

Words joined(std::initializer_list<Words> parts) {
    Words all;
    for (const Words& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

struct Folder : TempDir {
    Image made(const Words& words, const std::string& out) const {
        const ProgramResult result = run_glproc(path(), words);
        INFO(result.err);
        REQUIRE(result.status == 0);
        return load(*this / out);
    }
    void save_floats(const std::string& name, const std::vector<float>& values, int channels) const {
        Image image(static_cast<int>(values.size()) / channels, 1, channels, Depth::f32);
        std::copy(values.begin(), values.end(), image.values<float>().begin());
        save(image, *this / name);
    }
};

/// The light of codes.
float light(double code) {
    return static_cast<float>(linear_of_srgb(code));
}

void check_values(const Image& image, const std::vector<double>& wanted, double margin = 1e-4) {
    REQUIRE(image.values<float>().size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO("value " << i);
        CHECK(image.values<float>()[i] == Approx(wanted[i]).margin(margin));
    }
}

/// The same in a PFM, an OpenEXR and a float TIFF.
void check_in_all_formats(const Folder& folder, const Words& words, const Words& flags) {
    std::vector<Image> made;
    for (const std::string out : {"o.pfm", "o.exr", "o.tif"}) {
        made.push_back(folder.made(joined({words, {out}, flags, {"--depth", "f32"}}), out));
    }
    CHECK_THAT(made[1], IsBitwise(made[0]));
    CHECK_THAT(made[2], IsBitwise(made[0]));
    CHECK(made[2].metadata().icc.empty());
}

} // namespace

TEST_CASE("meaning: color takes light for light, and encodes it where a space is one of codes") {
    const Folder folder;
    // A red of half the codes; a grey of lightness 50; and a bright colour.
    folder.save_floats("in.pfm", {light(0.5), 0, 0, 0.18418652F, 0.18418652F, 0.18418652F, light(0.2), light(0.6), light(1)}, 3);
    folder.made({"convert", "in.pfm", "in.exr"}, "in.exr");
    const double grey = srgb_of_linear(0.18418652);
    const std::vector<std::pair<Words, std::vector<double>>> cases{
        {{"hsl"}, {0, 1, 0.25, 0, 0, grey, 210, 1, 0.6}},
        {{"hsv"}, {0, 1, 0.5, 0, 0, grey, 210, 0.8, 1}},
        {{"ycbcr"}, {0.1495, 0.5 - 0.1495 / 1.772, 0.75, grey, 0.5, 0.5, 0.526, 0.5 + 0.474 / 1.772, 0.5 - 0.326 / 1.402}},
        {{"linear"}, {light(0.5), 0, 0, 0.18418652, 0.18418652, 0.18418652, light(0.2), light(0.6), 1}},
        {{"srgb"}, {light(0.5), 0, 0, 0.18418652, 0.18418652, 0.18418652, light(0.2), light(0.6), 1}},
    };
    for (const std::string in : {"in.pfm", "in.exr"}) {
        for (const std::string method : {"auto", "gpu", "cpu"}) {
            for (const auto& [space, wanted] : cases) {
                INFO(in << " by " << method << " to " << space.front());
                const Words flags{"--method", method};
                check_values(folder.made(joined({{"color", in, "o.pfm"}, space, flags}), "o.pfm"), wanted);
                check_values(folder.made(joined({{"pipe", in, "p.pfm", "color"}, space, flags, {"then", "color", "srgb", "--from"}, space}),
                                         "p.pfm"),
                             cases.back().second);
            }
            const Image lab = folder.made({"color", in, "l.tif", "lab", "--method", method}, "l.tif");
            CHECK(lab.values<float>()[3] == Approx(50).margin(1e-4));
            CHECK(lab.values<float>()[4] == Approx(0).margin(1e-2));
        }
    }
    ProgramCall piped = glproc_call(folder.path(), {"color", "-", "-", "hsl", "--to", "pfm"});
    piped.input = read_text(folder / "in.pfm");
    write_text(folder / "piped.pfm", run_program(std::move(piped)).out);
    check_values(load(folder / "piped.pfm"), cases.front().second);
    folder.made({"adjust", "in.pfm", "m.pfm", "--modulate", "50,100,200"}, "m.pfm");
    check_values(folder.made({"color", "m.pfm", "h.pfm", "hsl"}, "h.pfm"), {180, 1, 0.125, 0, 0, grey / 2, 30, 1, 0.3});
    // Codes stay codes, and so do floats of which no file says what they are.
    folder.save_floats("n.tif", {0.5F, 0, 0}, 3);
    check_values(folder.made({"color", "n.tif", "n.pfm", "hsl"}, "n.pfm"), {0, 1, 0.25});
    check_values(folder.made({"color", "n.tif", "n.pfm", "hsl", "--floats", "linear"}, "n.pfm"), {0, 1, srgb_of_linear(0.5) / 2});
    CHECK(folder.made({"color", "in.pfm", "c.pfm", "hsv", "--floats", "srgb"}, "c.pfm").values<float>()[2] == light(0.5));
}

TEST_CASE("meaning: colours that come from numbers are colours again, in every file") {
    const Folder folder;
    folder.save_floats("in.pfm", {light(0.5), light(0.25), light(0.75)}, 3);
    for (const std::string numbers : {"n.pfm", "n.exr", "n.tif"}) {
        for (const std::string space : {"lab", "hsv", "linear", "xyz"}) {
            INFO(numbers << " " << space);
            folder.made({"color", "in.pfm", numbers, space}, numbers);
            check_values(folder.made({"color", numbers, "b.pfm", "srgb", "--from", space}, "b.pfm"), {light(0.5), light(0.25), light(0.75)});
            check_values(folder.made({"color", numbers, "b.tif", "srgb", "--from", space}, "b.tif"), {0.5, 0.25, 0.75});
            CHECK_FALSE(load(folder / "b.tif").metadata().icc.empty());
            CHECK(folder.made({"color", numbers, "b.png", "srgb", "--from", space, "--depth", "8"}, "b.png").at(0, 0, 0) == 128);
        }
    }
}

TEST_CASE("meaning: numbers are written as they are, whatever the file otherwise holds") {
    const Folder folder;
    Image photo(16, 12, 4, Depth::u8);
    for (std::size_t i = 0; i < photo.values<std::uint8_t>().size(); ++i) {
        photo.values<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 37 % 251 + 1);
    }
    save(photo, folder / "a.png");
    folder.made({"convert", "a.png", "c.png", "--alpha", "drop"}, "c.png");
    folder.made({"gray", "c.png", "g.png"}, "g.png");
    folder.made({"invert", "g.png", "h.png"}, "h.png");
    const std::vector<std::pair<std::string, Words>> cases{
        {"sobel", {}},
        {"sobel", {"--output", "x"}},
        {"sobel", {"--output", "angle"}},
        {"laplacian", {}},
        {"laplacian", {"--sigma", "1", "--output", "signed"}},
        {"local", {"--measure", "stddev", "--radius", "1"}},
        {"local", {"--measure", "variance", "--radius", "1"}},
        {"local", {"--measure", "range", "--radius", "1"}},
        {"local", {"--measure", "entropy", "--radius", "1"}},
        {"morphology", {"--do", "gradient", "--radius", "1"}},
        {"color", {"lab"}},
        {"color", {"hsl"}},
        {"color", {"linear"}},
        {"distance", {"--threshold", "50%"}},
        {"components", {"--threshold", "50%", "--output", "labels"}},
        {"watershed", {"--output", "labels"}},
    };
    folder.made({"convert", "c.png", "c.exr"}, "c.exr");
    for (const auto& [operation, flags] : cases) {
        for (const std::string in : {"c.png", "c.exr"}) {
            INFO(operation << " of " << in << ": " << (flags.empty() ? "" : flags.back()));
            check_in_all_formats(folder, {operation, in}, flags);
        }
    }
    for (const std::string by : {"sum", "stddev"}) {
        check_in_all_formats(folder, {"stack", "g.png", "h.png"}, {"--by", by});
    }
    check_in_all_formats(folder, {"channels", "a.png"}, {"--extract", "a"});
    check_in_all_formats(folder, {"pipe", "c.png"}, {"local", "--measure", "stddev", "--radius", "1", "then", "blur", "--sigma", "1"});
    for (const std::string map : {"map.pfm", "map.exr"}) {
        folder.made({"compare", "g.png", "h.png", "--map", map}, map);
        const double shown = std::abs(255 - 2 * load(folder / "g.png").at(3, 2, 0)) / 255;
        CHECK(load(folder / map).at(3, 2, 0) == Approx(shown));
    }
    // And they are the right ones.
    const double alpha = photo.at(3, 2, 3) / 255;
    CHECK(folder.made({"channels", "a.png", "a.pfm", "--extract", "a"}, "a.pfm").at(3, 2, 0) == Approx(alpha));
    const double grey = load(folder / "g.png").at(3, 2, 0);
    CHECK(folder.made({"stack", "g.png", "h.png", "s.pfm", "--by", "stddev"}, "s.pfm").at(3, 2, 0) ==
          Approx(std::abs(255 - 2 * grey) / 2 / 255).epsilon(1e-5));
    // Other results are light in a file of light.
    CHECK(folder.made({"crop", "g.png", "m.pfm", "16x12+0+0"}, "m.pfm").at(3, 2, 0) ==
          Approx(linear_of_srgb(grey / 255)).epsilon(1e-4));
}

TEST_CASE("meaning: further images that hold numbers are not bent") {
    const Folder folder;
    Image photo(2, 1, 1, Depth::u8);
    photo.values<std::uint8_t>()[1] = 255;
    save(photo, folder / "a.png");
    folder.made({"convert", "a.png", "a.pfm"}, "a.pfm");
    // A map that swaps both pixels, in a file of light.
    folder.save_floats("map.pfm", {1, 0, 0, 0, 0, 0}, 3);
    for (const std::string in : {"a.png", "a.pfm"}) {
        const Image swapped = folder.made({"warp", in, "w.png", "--map", "map.pfm", "--filter", "nearest", "--depth", "8"}, "w.png");
        CHECK(swapped.at(0, 0, 0) == 255);
        CHECK(swapped.at(1, 0, 0) == 0);
    }
    folder.save_floats("half.pfm", {0.75F, 0.5F, 0, 0.5F, 0.5F, 0}, 3); // a quarter of a pixel to the right of the first
    CHECK(folder.made({"warp", "a.png", "w.png", "--map", "half.pfm", "--filter", "linear"}, "w.png").at(0, 0, 0) == 64);
    // White of a mask is opaque, and 128 of 255 is about a half, over codes and over light.
    Image mask(2, 1, 1, Depth::u8);
    mask.values<std::uint8_t>()[0] = mask.values<std::uint8_t>()[1] = 128;
    save(mask, folder / "mask.png");
    folder.save_floats("white.pfm", {1, 1}, 1);
    CHECK(folder.made({"blend", "a.pfm", "b.pfm", "--with", "white.pfm", "--mask", "mask.png"}, "b.pfm").at(0, 0, 0) ==
          Approx(128 / 255.0));
    folder.made({"channels", "a.pfm", "alpha.exr", "--set", "a", "--with", "mask.png"}, "alpha.exr");
    CHECK(folder.made({"channels", "alpha.exr", "m.pfm", "--extract", "a"}, "m.pfm").at(0, 0, 0) == Approx(128 / 255.0));
    folder.made({"channels", "a.pfm", "red.exr", "--set", "r", "--with", "mask.png"}, "red.exr"); // which is light
    CHECK(folder.made({"channels", "red.exr", "m.pfm", "--order", "r"}, "m.pfm").at(0, 0, 0) == Approx(linear_of_srgb(128 / 255.0)));
}
