// Hints are typed as they stand: each must run, and do what it says.
#include "cli/hint_folder.hpp"
#include "cli/words/magick_flags.hpp"
#include "glproc/files/file.hpp"
#include "glproc/op/op.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string_view>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The commands that turn an image into one, or measure it.
Words image_commands() {
    Words names;
    for (const OpInfo* op : operations()) {
        if (op->input == Input::image && !op->joins) {
            names.push_back(op->name);
        }
    }
    return names;
}

} // namespace

TEST_CASE("hints: each word of other tools is answered with a call that runs") {
    const HintFolder folder;
    std::size_t count = 0;
    for (const std::string& line : lines_of(run_without_gpu({}, {"--describe", "words"}).out)) {
        const std::string call = line.substr(line.find('\t') + 1);
        if (call.starts_with("glproc ")) {
            check_runs(folder.path(), call);
            ++count;
        }
    }
    CHECK(count > 95);
}

TEST_CASE("hints: ImageMagick's flags, each with a call that runs") {
    const std::map<std::string, std::string> values{{"resize", "50%"},
                                                    {"scale", "100x80"},
                                                    {"thumbnail", "100x80>"},
                                                    {"adaptive-resize", "100x80!"},
                                                    {"interpolative-resize", "200%"},
                                                    {"sample", "50%"},
                                                    {"geometry", "50%"},
                                                    {"filter", "Point"},
                                                    {"blur", "5"},
                                                    {"gaussian-blur", "0x2"},
                                                    {"sharpen", "0x1"},
                                                    {"unsharp", "0x1+1.5+0.02"},
                                                    {"median", "3"},
                                                    {"statistic", "Gradient 3x3"},
                                                    {"noise", "2"},
                                                    {"+noise", "Gaussian"},
                                                    {"canny", "0x1+10%+30%"},
                                                    {"lat", "15x15+5%"},
                                                    {"morphology", "Open Octagon:3"},
                                                    {"emboss", "0x1"},
                                                    {"vignette", "0x5"},
                                                    {"edge", "1"},
                                                    {"convolve", "1,2,1,2,4,2,1,2,1"},
                                                    {"rotate", "20"},
                                                    {"posterize", "4"},
                                                    {"solarize", "50%"},
                                                    {"evaluate", "multiply 1.5"},
                                                    {"sepia-tone", "80%"},
                                                    {"colorize", "30"},
                                                    {"color-matrix", "0 0 1 0 1 0 1 0 0"},
                                                    {"recolor", "0,0,1,0,1,0,1,0,0"},
                                                    {"level-colors", "black,white"},
                                                    {"sigmoidal-contrast", "3x50%"},
                                                    {"crop", "50%x50%+0+0"},
                                                    {"extent", "400x300"},
                                                    {"distort", "Perspective 0,0 9,9 9,0 8,5 9,9 7,7 0,9 2,8"},
                                                    {"virtual-pixel", "mirror"},
                                                    {"define", "png:compression-level=9"},
                                                    {"border", "3x2"},
                                                    {"frame", "3x2+1+1"},
                                                    {"shave", "3x2"},
                                                    {"chop", "3x2"},
                                                    {"splice", "3x2"},
                                                    {"roll", "+3-2"},
                                                    {"repage", "10x10+0+0"},
                                                    {"threshold", "50%"},
                                                    {"auto-threshold", "otsu"},
                                                    {"contrast-stretch", "1%"},
                                                    {"linear-stretch", "2%x1%"},
                                                    {"level", "10%,90%,1.2"},
                                                    {"gamma", "1.2"},
                                                    {"modulate", "120,150,50"},
                                                    {"brightness-contrast", "10x20"},
                                                    {"colorspace", "Gray"},
                                                    {"grayscale", "Rec601Luma"},
                                                    {"type", "TrueColorAlpha"},
                                                    {"channel", "RGB"},
                                                    {"profile", "srgb"},
                                                    {"+profile", "*"},
                                                    {"evaluate-sequence", "max"},
                                                    {"compose", "Multiply"},
                                                    {"metric", "PSNR"},
                                                    {"annotate", "+10+20 hello"},
                                                    {"draw", "rectangle 10,10 50,40"},
                                                    {"quality", "80"},
                                                    {"colors", "16"},
                                                    {"compress", "Zip"},
                                                    {"depth", "8"},
                                                    {"alpha", "off"},
                                                    {"interlace", "Plane"},
                                                    {"sampling-factor", "4:2:0"},
                                                    {"format", "png"},
                                                    {"background", "red"},
                                                    {"bordercolor", "#fff"},
                                                    {"mattecolor", "gray50"},
                                                    {"fill", "none"},
                                                    {"stroke", "red"},
                                                    {"strokewidth", "2"},
                                                    {"undercolor", "black"},
                                                    {"interpolate", "nearest"},
                                                    {"page", "+5+5"},
                                                    {"scene", "1"},
                                                    {"pointsize", "20"},
                                                    {"font", "DejaVu-Sans"},
                                                    {"fuzz", "5%"},
                                                    {"path", "small"},
                                                    {"dither", "None"},
                                                    {"limit", "memory 1GiB"},
                                                    {"gravity", "Center"}};
    const std::map<std::string, std::string> outputs{{"quality", "out.jpg"},
                                                     {"interlace", "out.jpg"},
                                                     {"sampling-factor", "out.jpg"},
                                                     {"compress", "out.tif"},
                                                     {"format", "-"}};
    const std::map<std::string, Words> others{
        {"append", {"b.png"}},           {"average", {"b.png"}}, {"evaluate-sequence", {"b.png"}},
        {"combine", {"b.png", "c.png"}}, {"compare", {"b.png"}}, {"metric", {"b.png"}},
        {"composite", {"logo.png"}}};
    const HintFolder folder;
    for (const cli::MagickFlag& flag : cli::magick_flags()) {
        const std::string name(flag.name);
        const bool is_plus = name.starts_with('+');
        INFO(name);
        Words words{"convert", "a.png"};
        if (others.contains(name)) {
            words.insert(words.end(), others.at(name).begin(), others.at(name).end());
        }
        words.push_back((is_plus ? "" : "-") + name);
        if (flag.values > 0) {
            REQUIRE((flag.convert == nullptr || values.contains(name)));
            const std::string value = flag.convert == nullptr ? "1 1" : values.at(name);
            const std::size_t blank = flag.values == 2 ? value.find(' ') : std::string::npos;
            words.push_back(flag.convert == nullptr ? "1" : value.substr(0, blank));
            if (flag.values == 2) {
                words.push_back(value.substr(blank + 1));
            }
        }
        words.push_back(outputs.contains(name) ? outputs.at(name) : "out.png");
        const std::string hint = hint_of(folder.path(), words);
        if (flag.convert == nullptr) { // one line, and the page of the help that is nearest
            const std::string said = run_without_gpu(folder.path(), words).err;
            CHECK(said.find((is_plus ? "" : "-") + name) != std::string::npos);
            CHECK(said.find(" has no equal in glproc") != std::string::npos);
            if (!flag.topic.empty()) {
                CHECK(hint == "glproc help " + std::string(flag.topic));
                check_runs(folder.path(), hint);
            }
        } else {
            check_runs(folder.path(), name == "format" ? hint + " > piped.png" : hint);
        }
    }
}

TEST_CASE("hints: calls of ImageMagick mean here what they mean there") {
    const HintFolder folder;
    const std::vector<Case> cases{
        {{"convert", "a.png", "-blur", "5", "b.png"}, "glproc blur a.png b.png --sigma 1 --radius 5"},
        {{"convert", "a.png", "-blur", "0x2", "b.png"}, "glproc blur a.png b.png --sigma 2"},
        {{"convert", "a.png", "-crop", "50%x50%+0+0", "b.png"}, "glproc crop a.png b.png 50%x50%+0+0"},
        {{"convert", "a.png", "-gravity", "center", "-crop", "100x80+0+0", "b.png"},
         "glproc crop a.png b.png 100x80 --gravity center"},
        {{"convert", "a.png", "-convolve", "0,0,0,1,0,3,0,0,0", "b.png"},
         "glproc convolve a.png b.png --kernel '0 0 0; 3 0 1; 0 0 0' --scale 1/4"},
        {{"convert", "a.png", "-modulate", "120", "b.png"}, "glproc adjust a.png b.png --modulate 120"},
        {{"convert", "a.png", "-modulate", "120,150,50", "b.png"},
         "glproc adjust a.png b.png --modulate 120,150,50"},
        {{"convert", "a.png", "-resize", "50%x25%", "b.png"}, "glproc resize a.png b.png 50%x25%"},
        {{"convert", "a.png", "-resize", "100x100^", "b.png"}, "glproc resize a.png b.png '100x100^'"},
        {{"convert", "a.png", "-resize", "100x100", "b.png"}, "glproc resize a.png b.png 100x100 --fit"},
        {{"convert", "a.png", "b.png", "-append", "c.png"},
         "glproc append a.png b.png c.png --direction down --background white"},
        {{"convert", "a.png", "b.png", "+append", "c.png"},
         "glproc append a.png b.png c.png --background white"},
        {{"convert", "in.png", "-background", "red", "-rotate", "20", "b.png"},
         "glproc rotate in.png b.png --angle 20 --background red"},
        {{"convert", "in.png", "logo.png", "-gravity", "southeast", "-composite", "b.png"},
         "glproc blend in.png b.png --with logo.png --gravity southeast"},
        {{"convert", "in.jpg", "-quality", "80", "b.jpg"}, "glproc convert in.jpg b.jpg --quality 80"},
        {{"convert", "a.png", "-resize", "50%", "-unsharp", "0x1+1.5+0.02", "b.png"},
         "glproc pipe a.png b.png resize 50% then unsharp --sigma 1 --amount 1.5 --threshold 0.01"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
    // What nothing here equals is not answered with something else.
    const auto hint = [&](const Words& words) { return hint_of(folder.path(), words); };
    CHECK(hint({"convert", "a.png", "-rotate", "90>", "b.png"}) ==
          "ImageMagick turns only images that are wider than high there; rotate turns each that it is given");
    CHECK(
        hint({"a.png", "-rotate", "90<", "b.png"}) ==
        "ImageMagick turns only images that are higher than wide there; rotate turns each that it is given");
    CHECK(hint({"convert", "a.png", "-resize", "100x100<", "b.png"}) ==
          "ImageMagick enlarges only images that are smaller there; resize makes each that size");
    CHECK(hint({"convert", "a.png", "-posterize", "300", "b.png"}) == "glproc help posterize");
    CHECK(hint_of(folder.path(), {"convert", "a.png", "-crop", "50%x50%", "b.png"}) ==
          "ImageMagick cuts tiles of 50%x50% there; -crop 50%x50%+0+0 is the one at the top left");
}

namespace {

/// Red, where the lightness of HSL is multiplied and its saturation stays.
double lighter(const Image& image, int x, int y, double factor) {
    const std::array<double, 3> v{image.at(x, y, 0) / 255, image.at(x, y, 1) / 255, image.at(x, y, 2) / 255};
    const double middle = (std::ranges::max(v) + std::ranges::min(v)) / 2;
    const auto room = [](double lightness) { return 1 - std::abs(2 * lightness - 1); };
    const double share = room(middle) == 0 ? 0 : room(middle * factor) / room(middle);
    return std::clamp(middle * factor + (v[0] - middle) * share, 0.0, 1.0) * 255;
}

} // namespace

TEST_CASE("hints: what ImageMagick's numbers do to values") {
    const HintFolder folder;
    const auto made = [&](const Words& words) {
        REQUIRE(typed(folder.path(), hint_of(folder.path(), words)).status == 0);
        return load(folder / words.back());
    };
    const Image before = load(folder / "in.png"); // in colour
    const Image brighter = made({"convert", "in.png", "-modulate", "120", "made.png"});
    const Image part = made({"convert", "in.png", "-crop", "50%x25%+10+20", "made.png"});
    CHECK(part.width() == 160);
    CHECK(part.height() == 60);
    for (int y = 0; y < 60; y += 7) {
        for (int x = 0; x < 160; x += 9) {
            CHECK(std::abs(brighter.at(x, y, 0) - lighter(before, x, y, 1.2)) <= 0.5001);
            CHECK(part.at(x, y, 0) == before.at(x + 10, y + 20, 0));
        }
    }
}

TEST_CASE("hints: slips are answered with a call that runs, with the files of the call") {
    const HintFolder folder;
    const std::vector<Case> cases{
        {{"montage", "a.png", "b.png", "s.jpg", "--geometry", "120x90+5+5"},
         "glproc montage a.png b.png s.jpg --cell 120x90 --gap 10"},
        {{"resize", "a.png", "s.jpg", "--width=120"}, "glproc resize a.png s.jpg --size 120x"},
        {{"resize", "a.png", "s.jpg", "--height"}, "glproc resize a.png s.jpg x600"},
        {{"resize", "a.png", "--width", "2.png"}, "glproc resize a.png 2.png 800x"},
        {{"convert", "z.tif#1", "s.png", "--normalize"}, "glproc levels 'z.tif#1' s.png --auto"},
        {{"convert", "in.jpg", "o.jpg", "-q", "80"}, "glproc convert in.jpg o.jpg --quality 80"},
        {{"convert", "in.jpg"}, "glproc convert in.jpg out.tif"},
        {{"unsharp", "a.png", "b.png", "--radius", "2"}, "glproc unsharp a.png b.png --sigma 2"},
        {{"resize", "a.png", "100x100", "b.png"}, "glproc resize a.png b.png 100x100"},
        {{"brightness", "a.png", "b.png", "20"}, "glproc adjust a.png b.png --brightness 0.1"},
        {{"vstack", "a.png", "b.png", "c.png", "s.png"},
         "glproc append a.png b.png c.png s.png --direction down"},
        {{"compare", "in.png", "other.png", "--metric", "psnr"}, "glproc compare in.png other.png"},
        {{"blur", "a.png", "b.png"}, "glproc blur a.png b.png --sigma 2"},
        {{"pad", "a.png", "b.png"}, "glproc pad a.png b.png --margin 10,20,10,20"},
        {{"pad", "in.png", "s.png", "--size", "40x4000"}, "glproc crop in.png s.png --size 40x240"},
        {{"crop", "in.png", "s.png", "--size", "400x4"}, "glproc pad in.png s.png --size 400x240"},
        {{"canny", "a.png", "s.png", "100", "200"}, "glproc canny a.png s.png --low 100 --high 200"},
        {{"canny", "a.png", "s.png", "100"}, "glproc canny a.png s.png --low 100"},
        {{"curve", "a.png", "s.png", "0,0", "128,140", "255,255"},
         "glproc curve a.png s.png --points 0,0,128/255,140/255,1,1"},
        {{"curve", "a.png", "s.png", "0,0,128,140,255,255"},
         "glproc curve a.png s.png --points 0,0,128/255,140/255,1,1"},
        {{"curve", "a.png", "s.png", "0,0", "0.5,0.6", "1,1"},
         "glproc curve a.png s.png --points '0,0 0.5,0.6 1,1'"},
        {{"gamma", "a.png", "s.png", "2.2"}, "glproc levels a.png s.png --gamma 2.2"},
        {{"crop", "a.png", "s.png", "--width", "20", "--height=30"}, "glproc crop a.png s.png --size 20x30"},
        {{"pad", "a.png", "s.png", "--height", "300", "--width", "400"}, "glproc pad a.png s.png --size 400x300"},
        {{"crop", "a.png", "s.png", "--width=20px", "--height", "30", "--x", "5", "--y", "6"}, "glproc crop a.png s.png --size 20x30+5+6"},
        {{"noise", "a.png", "s.png", "--uniform"}, "glproc noise a.png s.png --kind uniform"},
        {{"noise", "a.png", "s.png", "--gaussian", "0.1", "--seed", "4"}, "glproc noise a.png s.png --kind gaussian --seed 4"},
        {{"pipe", "a.png", "s.png", "blur", "3", "then", "invert"}, "glproc pipe a.png s.png blur --sigma 3 then invert"},
        {{"pipe", "a.png", "s.png", "--blur", "2"}, "glproc pipe a.png s.png blur --sigma 2"},
        {{"morphology", "a.png", "s.png", "--dilate", "--radius", "2"}, "glproc morphology a.png s.png --do dilate --radius 2"},
        {{"stack", "in.png", "other.png", "s.png", "--median"}, "glproc stack in.png other.png s.png --by median"},
        {{"compare", "in.png", "other.png", "--psnr"}, "glproc compare in.png other.png"},
        {{"levels", "a.png", "w.png", "auto"}, "glproc levels a.png w.png --auto"},
        {{"draw", "a.png", "v.png", "hello", "--color", "red"}, "glproc draw a.png v.png --color red --text hello"},
        {{"threshold", "a.png", "s.png", "--otsu"}, "glproc threshold a.png s.png --rule otsu"},
        {{"thumbnail", "a.png", "s.png", "--fit", "100x80"}, "glproc thumbnail a.png s.png 100x80"},
        {{"maxima", "a.png", "--height", "5%"}, "glproc maxima a.png --threshold 5%"},
        {{"draw", "a.png", "u.png", "hello you"}, "glproc draw a.png u.png --text 'hello you'"},
        {{"unsharp", "a.png", "b.png", "0x1+1.5"}, "glproc unsharp a.png b.png --sigma 1 --amount 1.5 --threshold 0.025"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
    CHECK(hint_of(folder.path(), {"lut", "a.png", "s.png", "warm.cube"}) == "glproc lut a.png s.png --cube warm.cube");
    for (const char* flag : {"--width", "--geometry"}) { // what resizes is not what cuts
        CHECK(hint_of(folder.path(), {"crop", "a.png", "s.png", flag, "20"}) == "glproc crop --help lists the flags");
    }
    CHECK(hint_of(folder.path(), {"levels", "a.png", "s.png", "--min", "10"}) == "glproc levels --help lists the flags");
    CHECK(hint_of(folder.path(), {"convert", "a.png", "s.png", "--colorspace", "gray"}) == "glproc colorspace --help");
    CHECK(hint_of(folder.path(), {"pipe", "a.png", "s.png", "noise", "--gaussian"}) == "noise --kind gaussian");
    CHECK(hint_of(folder.path(), {"morphology", "a.png", "s.png", "--open"}) == "glproc morphology --help lists the flags"); // and how far?
    CHECK(hint_of(folder.path(), {"scan", "1,2,3"}) == "glproc scan in.npy out.npy --exclusive"); // which are no file
    const ProgramResult third = run_glproc(folder.path(), {"compare", "a.png", "a.png", "diff.png"});
    CHECK(third.status == 3); // as any file that is missing
    CHECK(third.err.find("hint: glproc compare a.png a.png --map diff.png\n") != std::string::npos);
    CHECK(hint_of(folder.path(), {"invert", "-dash.png", "out.png"}) ==
          "a file name that begins with - is written ./-dash.png");
    check_runs(folder.path(), "glproc invert ./-dash.png out.png");
    CHECK(run_without_gpu(folder.path(), {"resize", "a.png", "300x300", "b"}).err ==
          "glproc: error: 300x300 stands between the files; it comes after them\n  hint: glproc resize a.png "
          "b 300x300\n");
    CHECK(run_without_gpu(folder.path(), {"resize", "a.png", "b.png", "out"})
              .err.starts_with("glproc: error: 'out' is not a size\n"));
}

TEST_CASE("hints: of several inputs and a folder none is an output") {
    const HintFolder folder;
    save(photo_like_image({.width = 32, .height = 24, .channels = 3}, 4), folder / "IMG1.png");
    save(load(folder / "IMG1.png"), folder / "IMG1.jpg");
    save(load(folder / "IMG1.png"), folder / "IMG2.png"); // which glproc has written
    write_file(folder / "warm.cube", std::as_bytes(std::span(std::string_view("LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"))));
    const Words files{"IMG1.jpg", "IMG1.png", "IMG2.png", "out/"};
    std::map<std::string, std::vector<std::byte>> before;
    for (const std::string file : {"IMG1.jpg", "IMG1.png", "IMG2.png"}) {
        before[file] = read_file(folder / file);
    }
    for (const Words& more :
         std::vector<Words>{{"blur", "2"}, {"median", "2"}, {"box", "3"}, {"unsharp", "1"}, {"noise", "0.1"}, {"adjust", "1.5"}, {"levels", "10", "200"},
                            {"canny", "100"}, {"thumbnail", "20", "20"}, {"lut", "warm.cube"}, {"morphology", "open"}, {"profile", "srgb"},
                            {"convolve", "sharpen"}, {"local", "mean"}, {"convert", "-q", "80"}, {"blur", "--blur", "2"}, {"blur"}, {"crop", "4:5"},
                            {"crop", "--width", "20", "--height", "10"}, {"noise", "--gaussian"}, {"resize", "20", "20"}, {"invert", "--width", "20"}}) {
        Words words{more.front()};
        words.insert(words.end(), files.begin(), files.end());
        words.insert(words.end(), more.begin() + 1, more.end());
        const std::string hint = hint_of(folder.path(), words);
        INFO(more.front() << " " << more.back() << ": " << hint);
        if (hint.starts_with("glproc ") && hint.find("--help") == std::string::npos) {
            CHECK(hint.find("IMG1.jpg IMG1.png IMG2.png out/") != std::string::npos);
        }
        typed(folder.path(), hint);
        for (const auto& [file, bytes] : before) {
            CHECK(read_file(folder / file) == bytes);
        }
    }
}

TEST_CASE("hints: no input is an output that the call did not name as one") {
    const HintFolder folder;
    const std::array<std::string, 5> files{"IMG1.jpg", "IMG1.png", "IMG2.png", "out.png", "it's.png"};
    std::map<std::string, std::vector<std::byte>> before;
    for (const std::string& file : files) { // all of which glproc has written
        save(photo_like_image({.width = 32, .height = 24, .channels = 3}, 4), folder / file);
        before[file] = read_file(folder / file);
    }
    for (const Words& words :
         std::vector<Words>{{"blur", "IMG1.jpg", "IMG1.png", "new"}, {"median", "IMG1.jpg", "IMG1.png", "./new"}, {"lut", "IMG1.jpg", "IMG1.png", "new", "warm.cube"},
                            {"morphology", "IMG1.jpg", "IMG1.png", "new", "open"}, {"morphology", "IMG1.jpg", "IMG1.png", "-", "open"},
                            {"resize", "IMG1.jpg", "IMG1.png", "new", "--width", "20"}, {"blur", "out.png", "2"}, {"gray", "out.png"}, {"invert", "out.png"},
                            {"components", "out.png", "--blur", "2"}, {"convert", "IMG1.jpg", "IMG1.png", "IMG2.png", "--resize", "50%"},
                            {"gray", "IMG1.jpg", "IMG1.png", "IMG2.png", "--invert"}, {"blur", "IMG1.jpg", "IMG1.png", "IMG2.png", "--gaussian", "2"},
                            {"blur", "--files-from", "list.txt", "IMG1.png", "--gaussian", "2"}}) {
        const std::string hint = hint_of(folder.path(), words);
        INFO(words.front() << " " << words.back() << ": " << hint);
        write_file(folder / "out.png", before.at("out.png")); // as examples write it
        if (hint.starts_with("glproc ")) {
            typed(folder.path(), hint);
        }
        const bool is_named = std::ranges::find(words, "out.png") != words.end();
        for (const auto& [file, bytes] : before) {
            CHECK(((file == "out.png" && !is_named) || read_file(folder / file) == bytes));
        }
    }
    CHECK(hint_of(folder.path(), {"blur", "it's.png", "s.png", "2"}) == "glproc blur 'it'\\''s.png' s.png --sigma 2");
    CHECK(hint_of(folder.path(), {"morphology", "IMG1.jpg", "IMG1.png", "out/", "dilate", "--radius", "2"}) ==
          "glproc morphology IMG1.jpg IMG1.png out/ --radius 2 --do dilate");
}

TEST_CASE("hints: codes in lists are answered with all of the list as fractions") {
    const HintFolder folder;
    const auto hint = [&](const Words& words) { return hint_of(folder.path(), words); };
    CHECK(hint({"curve", "a.png", "s.png", "--points", "0,0,128,140,255,255"}) ==
          "write --points 0,0,128/255,140/255,1,1");
    CHECK(hint({"curve", "a.png", "s.png", "--points", "0,0,32768,40000,65535,65535"}) ==
          "write --points 0,0,32768/65535,40000/65535,1,1");
    CHECK(hint({"curve", "a.png", "s.png", "--points", "0,0,0.5,140,1,255"}) == "write 140/255 or 55%");
    CHECK(hint({"threshold", "a.png", "s.png", "--range", "50,150"}) == "write --range 50/255,150/255");
    CHECK(hint({"matrix", "in.png", "s.png", "--matrix", "1,0,0,20,0,1,0,0,0,0,1,0"}) ==
          "write 20/255 or 20%");
    // Which do what those numbers were meant for.
    REQUIRE(typed(folder.path(), "glproc threshold a.png s.png --range 50/255,150/255").status == 0);
    const Image grey = load(folder / "a.png");
    const Image chosen = load(folder / "s.png");
    REQUIRE(typed(folder.path(), "glproc curve a.png s.png --points 0,0,128/255,140/255,1,1").status == 0);
    const Image curved = load(folder / "s.png");
    for (int y = 0; y < grey.height(); ++y) {
        for (int x = 0; x < grey.width(); ++x) {
            const double v = grey.at(x, y, 0);
            CHECK((chosen.at(x, y, 0) > 0) == (v >= 50 && v <= 150));
            if (v == 0 || v == 128 || v == 255) {
                CHECK(curved.at(x, y, 0) == (v == 128 ? 140 : v));
            }
        }
    }
}

TEST_CASE("hints: examples of operations name the files of the call") {
    const HintFolder folder;
    save(photo_like_image({.width = 320, .height = 240, .channels = 3}, 1), folder / "my photo.png");
    const std::string in = "my photo.png";
    for (const Words& words : {Words{"pad", in, "s.png"},
                               {"pad", in, "s.png", "--size", "4x4"},
                               {"crop", in, "s.png"},
                               {"crop", in, "s.png", "--size", "4000x4000"},
                               {"channels", in, "s.png"},
                               {"warp", in, "s.png"},
                               {"draw", in, "s.png"},
                               {"threshold", in, "s.png", "--range", "1%,2%", "--rule", "otsu"},
                               {"resize", in, "s.png"},
                               {"profile", in, "s.png"}}) {
        INFO(words.front());
        const std::string hint = hint_of(folder.path(), words);
        CHECK(hint.find("'my photo.png' s.png") != std::string::npos);
        CHECK(hint.find("in.png") == std::string::npos);
        check_runs(folder.path(), hint);
    }
    for (const Words& words : {Words{"components", "a.png", "--threshold", "50%", "--measure", "mean"},
                               {"morphology", "a.png", "s.png", "--do", "reconstruct"}}) {
        CHECK(run_without_gpu(folder.path(), words).err.find("  hint: --with a.png\n") != std::string::npos);
    }
    // Of many, each its own; and a file that has such a name is no example.
    CHECK(run_without_gpu(folder.path(), {"pad", "a.png", "b.png", "small/", "--size", "4x4"})
              .err.find("glproc crop b.png small/b.png --size 4x4") != std::string::npos);
    CHECK(hint_of(folder.path(), {"pipe", "a.png", "b.png", "small/"}) ==
          "glproc pipe a.png small/ blur --sigma 2 then resize 800x then unsharp");
    CHECK(hint_of(folder.path(), {"pipe", "a.png", "s.png", "blend", "--with", "logo.png", "then", "pad"})
              .find("logo.png") == std::string::npos);
    CHECK(hint_of(folder.path(), {"pipe", "a.png", "s.png", "resize", "50%", "then", "flip", "then", "blur", "--sigma", "1"}) ==
          "glproc pipe a.png s.png resize 50% then flip horizontal then blur --sigma 1");
    CHECK(hint_of(folder.path(), {"video", "a.gif", "s.gif", "invert", "then", "flip", "then", "blur", "--sigma", "1"}) ==
          "glproc video a.gif s.gif invert then flip horizontal then blur --sigma 1");
    CHECK(hint_of(folder.path(), {"denoise", "a.png", "s.png", "--frames", "3"}) == // of images no video
          "glproc video in.mp4 out.mp4 denoise --frames 3");
    CHECK(hint_of(folder.path(), {"channels", "a.png", "in.png"}) ==
          "glproc channels a.png in.png --order bgr");
}

TEST_CASE("hints: a command that lacks something shows a call that runs") {
    const HintFolder folder;
    for (const std::string& name : image_commands()) {
        for (const Words& words : {Words{name, "in.png"}, Words{name, "in.png", "out.tif"}}) {
            const ProgramResult result = run_without_gpu(folder.path(), words);
            if (result.status == 2 && result.err.find("  hint: glproc ") != std::string::npos) {
                const std::string hint = hint_of(folder.path(), words);
                // The files that these name are the user's own.
                const bool names_others =
                    hint.find("look.cube") != std::string::npos || hint.find("warm.png") != std::string::npos;
                if (!names_others) {
                    check_runs(folder.path(), hint);
                }
            }
        }
    }
}
