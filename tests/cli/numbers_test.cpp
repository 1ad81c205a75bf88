// Numbers as people write them: signs, percent, codes, and "--" before names that begin with a dash.
#include "cli/hint_folder.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

struct PhotoFolder : TempDir {
    PhotoFolder() {
        save(photo_like_image({.width = 40, .height = 30, .channels = 3}, 5), *this / "in.png");
        save(photo_like_image({.width = 40, .height = 30, .channels = 4}, 6), *this / "alpha.png");
        save(photo_like_image({.width = 40, .height = 30, .channels = 3}, 7), *this / "other.png");
    }
};

Image made(const TempDir& folder, const Words& words, const std::string& name) {
    const ProgramResult result = run_glproc(folder.path(), words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return load(folder / name);
}

/// That both spellings of a call's last arguments give the same image.
void check_same(const Words& call, const Words& said, const Words& meant) {
    const PhotoFolder folder;
    const auto with = [&](Words words, const std::string& out, const Words& more) {
        words.insert(words.begin() + 1, {"in.png", out});
        words.insert(words.end(), more.begin(), more.end());
        std::string shown;
        for (const std::string& word : words) {
            shown += " " + word;
        }
        INFO("glproc" << shown);
        return made(folder, words, out);
    };
    CHECK(same_pixels(with(call, "a.png", said), with(call, "b.png", meant)));
}

} // namespace

TEST_CASE("numbers: plus, minus and a bare point, with a flag, bare and in lists") {
    check_same({"rotate"}, {"-0.5"}, {"--angle", "-0.5"});
    check_same({"rotate"}, {"-.5"}, {"--angle", "-0.5"});
    check_same({"rotate"}, {"+0.5"}, {"--angle", "0.5"});
    check_same({"rotate"}, {"--angle", "+90"}, {"90"});
    check_same({"adjust"}, {"--exposure", "+1"}, {"--exposure", "1"});
    check_same({"adjust"}, {"--brightness", "+20%"}, {"--brightness", "0.2"});
    check_same({"adjust"}, {"--brightness", "-.25"}, {"--brightness=-0.25"});
    check_same({"adjust"}, {"--hue", "-0"}, {"--hue", "0"});
    check_same({"blur"}, {"--sigma", "+1.5,+.5"}, {"--sigma", "1.5,0.5"});
    check_same({"crop"}, {"--rect", "+4,+2,12,8"}, {"--rect", "4,2,12,8"});
    check_same({"convolve"}, {"--kernel", "+1 -.5 +.5", "--scale", "+1"}, {"--kernel", "1 -0.5 0.5"});
    check_same({"curve"}, {"--points", "0,0 +.5,+.25 1,1"}, {"--points", "0,0 0.5,0.25 1,1"});
    check_same({"matrix"}, {"--matrix", "+1,-.5,0,0,+1,0,0,0,1"}, {"--matrix", "1,-0.5,0,0,1,0,0,0,1"});
    check_same({"threshold"}, {"+.25"}, {"--at", "25%"});
    check_same({"noise", "--sigma", "+4%"}, {"--seed", "+3"}, {"--seed", "3"});
}

TEST_CASE("numbers: the same in a chain") {
    const PhotoFolder folder;
    const Image a = made(
        folder, {"pipe", "in.png", "a.png", "rotate", "-.5", "then", "adjust", "--exposure", "+.5"}, "a.png");
    const Image b = made(
        folder, {"pipe", "in.png", "b.png", "rotate", "--angle=-0.5", "then", "adjust", "--exposure", "0.5"},
        "b.png");
    CHECK(same_pixels(a, b));
}

TEST_CASE("numbers: what is no number stays refused") {
    const PhotoFolder folder;
    for (const char* text :
         {"+", "-", "+-1", "++1", ".", "+.", "1.2.3", "0x10", "1e999", "nan", "%", "1/0", "+inf"}) {
        INFO(text);
        CHECK(
            run_without_gpu(folder.path(), {"adjust", "in.png", "out.png", std::string("--exposure=") + text})
                .status == 2);
    }
    CHECK(run_without_gpu(folder.path(), {"flip", "in.png", "out.png", "x", "-5"})
              .err.starts_with("glproc: error: unknown --axis '-5'\n"));
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png", "alpha.png", "other.png"});
}

TEST_CASE("numbers: values of the picture as fractions, percent and codes") {
    for (const auto& [words, flag] : std::vector<std::pair<Words, std::string>>{
             {{"denoise", "--search", "2"}, "--strength"},
             {{"denoise", "--search", "2", "--strength", "0.2"}, "--noise"},
             {{"guided", "--radius", "3"}, "--eps"},
             {{"bilateral", "--sigma", "2"}, "--range"},
             {{"noise"}, "--sigma"},
             {{"threshold"}, "--at"},
             {{"levels"}, "--black"},
             {{"adjust"}, "--brightness"},
             {{"adjust"}, "--contrast"},
             {{"unsharp"}, "--amount"},
             {{"vignette"}, "--amount"},
             {{"unsharp", "--sigma", "1"}, "--threshold"},
             {{"convolve", "--kernel", "1"}, "--offset"},
             {{"trim"}, "--tolerance"}}) {
        INFO(words.front() << " " << flag);
        check_same(words, {flag, "20%"}, {flag, "0.2"});
        check_same(words, {flag, "51/255"}, {flag, "0.2"});
    }
    check_same({"canny"}, {"--low", "20%", "--high", "102/255"}, {"--low", "51", "--high", "102"});
    check_same({"levels"}, {"--auto=2%"}, {"--auto=2"});
    check_same({"median", "--radius", "1"}, {"--percentile", "25%"}, {"--percentile", "25"});
    check_same({"blend", "--with", "other.png"}, {"--opacity", "30%"}, {"--opacity", "0.3"});
}

TEST_CASE("numbers: a bare code beyond white is answered with the right spelling") {
    const PhotoFolder folder;
    const auto hint = [&](const Words& words) {
        const std::string err = run_without_gpu(folder.path(), words).err;
        const std::size_t at = err.find("  hint: ");
        return at == std::string::npos ? err : err.substr(at + 8, err.size() - at - 9);
    };
    CHECK(hint({"denoise", "in.png", "out.png", "--strength", "15"}) ==
          "write --strength 15/255 or --strength 15%");
    CHECK(hint({"denoise", "in.png", "out.png", "--noise", "15"}) == "write --noise 15/255 or --noise 15%");
    CHECK(hint({"guided", "in.png", "out.png", "--eps", "650"}) == "write --eps 0.01 or --eps 650/65025");
    CHECK(hint({"blur", "in.png", "out.png", "--sigma", "5%"}) == "--sigma takes 0 to 1000 pixels");
}

TEST_CASE("numbers: a difference of images in codes or as a share of white") {
    const TempDir folder;
    save(constant_image({8, 8, 1, Depth::u8}, 100 / 255.0), folder / "a.png");
    save(constant_image({8, 8, 1, Depth::u8}, 110 / 255.0), folder / "b.png");
    const auto status = [&](const std::string& most) {
        return run_glproc(folder.path(), {"compare", "a.png", "b.png", "--max-diff", most}).status;
    };
    CHECK(status("10") == 0);
    CHECK(status("9") == 1);
    CHECK(status("4%") == 0); // 10.2
    CHECK(status("3%") == 1);
    CHECK(status("10/255") == 0);
    CHECK(status("9/255") == 1);
}

TEST_CASE("numbers: lengths as a share of the image's width") {
    check_same({"pad"}, {"--margin", "10%"}, {"--margin", "4"});
    check_same({"pad"}, {"--margin", "10%,3,5%,0"}, {"--margin", "4,3,2,0"});
    check_same({"blend", "--with", "other.png", "--scale", "20%", "--gravity", "southeast"},
               {"--margin", "5%"}, {"--margin", "2"});
    check_same({"draw", "--rect", "5,5,20,10"}, {"--stroke", "10%"}, {"--stroke", "4"});
    check_same({"draw", "--text", "ab", "--gravity", "south"}, {"--size", "25%", "--margin", "5%"},
               {"--size", "10", "--margin", "2"});
    check_same({"crop"}, {"50%x20%+10+5"}, {"20x6+10+5"});
    check_same({"crop"}, {"50%"}, {"20x15"});
    check_same({"resize"}, {"50%x20%"}, {"20x6"});
    check_same({"resize"}, {"20x20^"}, {"27x20"});
    const PhotoFolder folder;
    const Image a =
        made(folder, {"montage", "in.png", "other.png", "a.png", "--cell", "40x30", "--gap", "10%"}, "a.png");
    const Image b =
        made(folder, {"montage", "in.png", "other.png", "b.png", "--cell", "40x30", "--gap", "4"}, "b.png");
    CHECK(same_pixels(a, b));
    CHECK(run_without_gpu(folder.path(), {"pad", "in.png", "out.png", "--margin", "-5%"}).status == 2);
}

TEST_CASE("numbers: -- may stand anywhere before names that begin with a dash") {
    const PhotoFolder folder;
    save(load(folder / "in.png"), folder / "-in.png");
    for (const Words& words :
         {Words{"invert", "in.png", "--", "-o.png"}, Words{"invert", "--", "in.png", "-o.png"},
          Words{"invert", "-q", "--", "-in.png", "-o.png"},
          Words{"rotate", "--angle", "-90", "in.png", "--", "-o.png"},
          Words{"pipe", "in.png", "--", "-o.png", "invert", "then", "flip", "x"},
          Words{"invert", "./-in.png", "./-o.png"}}) {
        std::filesystem::remove(folder / "-o.png");
        const ProgramResult result = run_glproc(folder.path(), words);
        INFO(result.err);
        CHECK(result.status == 0);
        CHECK(std::filesystem::exists(folder / "-o.png"));
    }
}

TEST_CASE("numbers: a colour behind the image by one flag") {
    const PhotoFolder folder;
    for (const Words& words :
         {Words{"convert", "alpha.png", "out.jpg"}, Words{"pad", "alpha.png", "out.jpg", "--margin", "3"},
          Words{"rotate", "alpha.png", "out.jpg", "20"}, Words{"append", "alpha.png", "in.png", "out.jpg"},
          Words{"montage", "alpha.png", "in.png", "out.jpg", "--cell", "40x30"},
          Words{"thumbnail", "alpha.png", "out.jpg", "20"},
          Words{"pipe", "alpha.png", "out.jpg", "resize", "50%"}}) {
        INFO(words.front());
        for (const char* flag : {"--background", "--flatten"}) {
            Words call = words;
            call.insert(call.end(), {flag, "white"});
            const ProgramResult result = run_glproc(folder.path(), call);
            INFO(flag << ": " << result.err);
            CHECK(result.status == 0);
        }
        const ProgramResult help = run_without_gpu({}, {words.front(), "--help=all"});
        CHECK(help.out.find("--background COLOUR") != std::string::npos);
        CHECK(help.out.find("--flatten") == std::string::npos);
    }
}

TEST_CASE("numbers: a reference that is no picture of codes is refused with a call that makes one of it") {
    const TempDir folder;
    save(photo_like_image({.width = 40, .height = 30, .channels = 1}, 5), folder / "g.png");
    const std::vector<std::pair<std::string, std::pair<float, float>>> references{
        {"wide", {-3.0F, 270.0F}}, {"narrow 1", {0.5F, 0.503F}}};
    for (const auto& [name, ends] : references) {
        INFO(name);
        Image numbers(40, 30, 1, Depth::f32);
        for (std::size_t i = 0; i < numbers.values<float>().size(); ++i) {
            numbers.values<float>()[i] =
                ends.first + (ends.second - ends.first) * static_cast<float>(i) / 1199;
        }
        save(numbers, folder / (name + ".tif"));
        const std::string word = name.find(' ') == std::string::npos ? name + ".tif" : "'" + name + ".tif'";
        const std::string codes =
            name.find(' ') == std::string::npos ? name + "-codes.png" : "'" + name + "-codes.png'";
        const std::string hint = hint_of(folder.path(), {"match", "g.png", "o.png", "--with", name + ".tif"});
        const std::string call = "convert " + word + " " + codes + " --depth 16";
        CHECK(hint.ends_with(call));
        check_runs(folder.path(), "glproc " + call);
        check_runs(folder.path(), "glproc match g.png o.png --with " + codes);
        const Image made = load(folder / "o.png"); // as flat as the ramp
        double sum = 0;
        for (const std::uint8_t code : made.values<std::uint8_t>()) {
            sum += code / 1200.0;
        }
        CHECK(sum == Approx(127.5).margin(2));
    }
}
