// `glproc help WORD` finds what people look for, by the words they have for it.
#include "cli/glproc_program.hpp"
#include "cli/help/help.hpp"
#include "cli/help/topics.hpp"
#include "glproc/files/file.hpp"

#include <algorithm>
#include <iterator>

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

ProgramResult help_on(const Words& words) {
    ProgramCall call = glproc_call({}, {"help"});
    call.arguments.insert(call.arguments.end(), words.begin(), words.end());
    call.environment = environment_without_gpu();
    call.environment["COLUMNS"] = "80";
    return run_program(std::move(call));
}

/// What is found, best first.
Words found_for(const Words& words) {
    const ProgramResult result = help_on(words);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    Words places;
    for (const std::string& line : lines_of(result.out)) {
        CHECK(line.size() <= 80);
        if (line.starts_with("  ") && line[2] != ' ') {
            places.push_back(line.substr(2));
        }
    }
    return places;
}

/// Whether one of the first three that are found begins so.
void check_found(const Words& words, const std::string& place) {
    std::string asked;
    for (const std::string& word : words) {
        asked += word + " ";
    }
    Words found = found_for(words);
    found.resize(std::min<std::size_t>(found.size(), 3));
    INFO(asked << "-> " << place);
    CHECK(std::any_of(found.begin(), found.end(),
                      [&](const std::string& one) { return one.starts_with(place); }));
}

void check_first(const Words& words, const std::string& place) {
    const Words found = found_for(words);
    REQUIRE(!found.empty());
    CHECK(found.front() == place);
}

} // namespace

TEST_CASE("search: twenty words that people type, and more") {
    check_found({"dark"}, "glproc convert --transfer");
    check_found({"halos"}, "glproc blur --alpha");
    check_found({"slurm"}, "docs/clusters.md");
    check_found({"square"}, "glproc crop --aspect");
    check_found({"watermark"}, "glproc blend --with");
    check_found({"thumbnails"}, "glproc resize");
    check_found({"caption"}, "glproc draw ");
    check_found({"icc"}, "glproc profile");
    check_found({"sharpness"}, "glproc unsharp");
    check_found({"gamma"}, "glproc levels");
    check_found({"gps"}, "glproc convert --strip");
    check_found({"threads"}, "--jobs");
    check_found({"python"}, "docs/python.md");
    check_found({"sepia"}, "glproc matrix");
    check_found({"brightness"}, "glproc adjust");
    check_found({"specks"}, "glproc median");
    check_found({"speckle"}, "glproc median");
    check_found({"transparent"}, "glproc convert --background");
    check_found({"memory"}, "--memory");
    check_found({"hostile"}, "--untrusted");
    check_found({"formats"}, "docs/formats.md");
    check_found({"otsu"}, "glproc threshold");
    check_found({"lanczos3"}, "glproc resize --filter");
    check_found({"interrupted"}, "--resume");
    check_found({"mp4"}, "docs/video.md");
    check_found({"GLPROC_CACHE"}, "GLPROC_CACHE");
}

TEST_CASE("search: words of other trades") {
    check_found({"prefix", "sum"}, "glproc scan");
    check_found({"distortion"}, "glproc warp --lens");
    check_found({"black and white"}, "glproc gray");
    check_found({"dpi"}, "glproc info");
    check_found({"density"}, "glproc info");
    check_found({"pdf"}, "docs/formats.md");
    check_found({"deskew"}, "glproc rotate --angle");
    check_found({"fuzz"}, "glproc trim --tolerance");
    check_found({"placeholder"}, "glproc resize --size");
    check_found({"lqip"}, "glproc resize --size");
    check_found({"srcset"}, "glproc resize --size");
    check_found({"mipmap"}, "glproc resize --filter");
    check_found({"bump"}, "glproc sobel --output");
    check_found({"normal map"}, "glproc sobel --output");
    check_found({"projection"}, "glproc stack --by");
    check_found({"stitch"}, "docs/how-do-i.md");
    check_found({"fusion"}, "docs/how-do-i.md");
    check_found({"align"}, "glproc append --align");
    check_found({"tonemap"}, "glproc video --to-sdr");
    check_found({"premultiply"}, "glproc blur --alpha");
    check_found({"cron"}, "docs/reliability.md");
    check_found({"bleed"}, "glproc resize --alpha");
    check_found({"hot", "pixels"}, "glproc median --radius");
    check_found({"favicon"}, "glproc resize --fill");
    check_found({"avatar"}, "glproc resize --fill");
    check_found({"atlas"}, "glproc montage --tile");
    check_found({"sprite"}, "glproc montage --tile");
    check_found({"npy"}, "docs/python.md");
    check_found({"deconvolution"}, "glproc unsharp");
    check_found({"calibration"}, "glproc draw --pixel-size");
    check_found({"micron"}, "glproc draw --pixel-size");
    check_found({"astro"}, "docs/tasks/stack-stars.md");
    check_found({"orientation"}, "docs/formats.md");
    check_found({"base64"}, "glproc resize --size");
    check_found({"ico"}, "docs/formats.md");
    check_found({"outline"}, "glproc components --overlay");
    check_found({"cropping"}, "glproc crop");
    check_found({"colours"}, "glproc");
    check_found({"hough"}, "glproc canny");
    check_found({"fft"}, "docs/python.md");
    check_found({"solarize"}, "glproc curve --points");
    check_found({"mosaic"}, "glproc resize --filter");
    check_found({"pixelate"}, "glproc resize --filter");
    check_first({"contrast"}, "glproc adjust --contrast");
    check_first({"hue"}, "glproc adjust --hue");
    check_first({"kernel"}, "glproc convolve --kernel");
    check_first({"adaptive", "threshold"}, "glproc threshold --local");
    check_first({"hdr", "merge"}, "glproc stack --by");
}

TEST_CASE("search: words of ImageMagick, vips, OpenCV and ImageJ") {
    check_found({"premultiplied"}, "glproc blur --alpha");
    check_found({"unpremultiply"}, "glproc blur --alpha");
    check_found({"bicubic"}, "glproc resize --filter");
    check_found({"DoG"}, "glproc pipe");
    check_found({"niblack"}, "glproc threshold --local");
    check_found({"findContours"}, "glproc contours");
    check_found({"polygons"}, "glproc contours");
    check_found({"matchTemplate"}, "docs/coming-from/opencv.md");
    check_found({"roi"}, "glproc crop --rect");
    check_found({"shave"}, "glproc crop --rect");
    check_found({"hyperstack"}, "docs/coming-from/imagej.md");
    check_found({"charcoal"}, "glproc canny");
    check_found({"oilpaint"}, "glproc median");
    check_found({"swirl"}, "glproc warp --map");
    check_found({"inpaint"}, "docs/how-do-i.md");
    check_found({"cutout"}, "docs/how-do-i.md");
    check_found({"redeye"}, "glproc blend --mask");
    check_found({"dehaze"}, "glproc levels --auto");
    check_found({"glow"}, "glproc blend --mode");
    check_found({"duplicate"}, "glproc compare");
    check_found({"hash"}, "glproc compare");
    check_found({"rename"}, "--name");
    check_found({"watch"}, "--resume");
    check_found({"kmeans"}, "glproc convert --colors");
    check_found({"pyrDown"}, "glproc resize --size");
    check_found({"bitwise-and"}, "glproc blend --mode");
    check_found({"copyMakeBorder"}, "glproc pad --border");
    check_found({"embed"}, "glproc pad --border");
    check_found({"arrayjoin"}, "glproc montage --tile");
    check_found({"bandmean"}, "glproc gray --luma");
    check_found({"dzsave"}, "docs/formats.md");
    check_found({"avg"}, "glproc stats");
    check_found({"getpoint"}, "glproc stats");
    check_found({"autorot"}, "glproc rotate --angle");
    check_found({"luminance"}, "glproc gray --luma");
    check_found({"vibrance"}, "glproc adjust --saturation");
    check_found({"xmp"}, "docs/formats.md");
    check_found({"pagesize"}, "glproc pad --size");
    check_found({"dodge"}, "glproc blend --mode");
    check_found({"rmse"}, "glproc compare");
    check_found({"salt"}, "glproc noise --kind");
    check_found({"rank"}, "glproc median");
    check_found({"voronoi"}, "glproc distance --metric");
    check_found({"floodfill"}, "glproc morphology --do");
    check_found({"circularity"}, "glproc components --measure");
    check_found({"vulkan"}, "docs/guide.md");
}

TEST_CASE("search: words of films") {
    check_found({"audio"}, "glproc video --sound");
    check_found({"bitrate"}, "glproc video --crf");
    check_found({"pix_fmt"}, "glproc video --depth");
    check_found({"reverse"}, "docs/coming-from/ffmpeg.md");
    check_found({"concat", "videos"}, "glproc video --append");
    check_found({"join", "films"}, "glproc video --append");
    check_found({"trim", "video"}, "glproc video --from");
    check_found({"scene"}, "docs/video.md");
    check_found({"stabilise"}, "docs/coming-from/ffmpeg.md");
    check_found({"stabilization"}, "docs/coming-from/ffmpeg.md");
    check_found({"flicker"}, "docs/coming-from/ffmpeg.md");
    check_found({"time-lapse"}, "glproc video --fps");
    check_found({"keyframes"}, "glproc video --encoder-option");
    check_found({"transcode"}, "glproc video --codec");
    check_found({"subtitles"}, "docs/video.md");
    CHECK(help_on({"trim"}).out.find("\nFor videos: glproc video --from: ") != std::string::npos);
}

TEST_CASE("search: questions, in any form of their words") {
    check_found({"how", "do", "I", "sharpen", "a", "photo?"}, "glproc unsharp");
    check_found({"how do I sharpen a photo?"}, "glproc unsharp");
    check_found({"why", "is", "my", "EXR", "dark"}, "glproc convert --transfer");
    check_found({"run", "it", "on", "Slurm"}, "docs/clusters.md");
    check_found({"faster", "than", "vips"}, "docs/numbers.md");
    check_found({"opencv", "default", "border"}, "glproc blur --border mirror");
    check_found({"sharpening"}, "glproc unsharp");
}

TEST_CASE("search: each command by its name and by a word of its summary") {
    for (const OpInfo* op : operations()) {
        const bool has_fields = !op->fields.empty(); // merge has none
        check_found({op->name, has_fields ? op->fields.front().name : "channel"}, "glproc " + op->name);
    }
}

TEST_CASE("search: nothing found is an error with a way out") {
    const ProgramResult none = help_on({"xyzzy"});
    CHECK(none.status == 2);
    CHECK(none.out.empty());
    CHECK(none.err == "glproc: error: nothing about 'xyzzy' in commands, flags and pages\n"
                      "  hint: glproc help lists the commands\n");
    CHECK(help_on({"blr"}).err ==
          "glproc: error: nothing about 'blr' in commands, flags and pages (did you mean 'blur'?)\n");
    CHECK(help_on({""}).status == 2);
    CHECK(help_on({"\xff\xfe\x1b[31m"}).status == 2);
}

TEST_CASE("search: what answers name is there") {
    const std::filesystem::path source = GLPROC_SOURCE_DIR;
    for (const cli::Topic& topic : cli::topics()) {
        const std::string where(topic.where);
        INFO(where);
        if (where.ends_with(".md")) {
            CHECK(std::filesystem::exists(source / where));
            continue;
        }
        Words words;
        std::istringstream line(where);
        for (std::string word; line >> word;) {
            words.push_back(word);
        }
        if (words.front() == "man") {
            continue;
        }
        const bool is_shared = words.front().starts_with("--");
        REQUIRE((is_shared || words.front() == "glproc"));
        const ProgramResult help = is_shared ? help_on({"flags"}) : run_without_gpu({}, {words[1], "--help=all"});
        CHECK(help.status == 0);
        const std::string flag = is_shared ? words[0] : words.size() > 2 ? words[2] : "";
        CHECK(help.out.find(" " + flag) != std::string::npos);
    }
}

TEST_CASE("search: every example of the help runs as it stands") {
    const TempDir folder;
    for (const char* name : {"photos", "others"}) {
        std::filesystem::create_directory(folder / name);
        for (const char* picture : {"a.jpg", "b.jpg"}) {
            save(photo_like_image({.width = 61, .height = 47, .channels = 3}, 1), folder / name / picture);
        }
    }
    save(photo_like_image({.width = 61, .height = 47, .channels = 3}, 2), folder / "photo.jpg");
    save(photo_like_image({.width = 20, .height = 20, .channels = 4}, 4), folder / "icon.png");
    save(two_valued_image({.width = 20, .height = 20, .channels = 1}), folder / "mask.png");
    for (const char* channel : {"photo_r.png", "photo_g.png", "photo_b.png"}) {
        save(photo_like_image({.width = 61, .height = 47, .channels = 1}, 3), folder / channel);
    }
    write_text(folder / "look.cube", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n");
    write_text(folder / "look.txt", "resize 50%\nunsharp\n");
    write_file(folder / "counts.raw", std::vector<std::byte>(64));
    const std::string program = std::filesystem::path(GLPROC_PROGRAM).parent_path().string();
    std::vector<cli::ShownExample> examples; // not of other programs, whose tests run them, nor what takes long
    for (const cli::Command& command : cli::commands()) {
        if (command.name != "view" && command.name != "bench" && command.name != "selftest" &&
            !command.examples.empty()) {
            std::ranges::move(cli::examples_of(command), std::back_inserter(examples));
        }
    }
    std::erase_if(examples,
                  [](const cli::ShownExample& example) { return example.call.starts_with("glproc video"); });
    CHECK(examples.size() > 90);
    for (const cli::ShownExample& example : examples) {
        INFO(example.call);
        ProgramCall call = glproc_call(folder.path(), {"-c", "PATH=" + program + ":$PATH; " + example.call});
        call.program = "/bin/bash";
        const ProgramResult result = run_program(std::move(call));
        INFO(result.err);
        CHECK(result.status == 0);
        CHECK(without_software_warning(result.err).find("error") == std::string::npos);
    }
}
