// What holds for one image holds for a page, a frame and an image among many: limits, trust, light, and that no input is lost.
#include "seams/seams_folder.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// Files of several pictures, each with the same pictures in one of their own.
struct LimitsFolder : SeamsFolder {
    LimitsFolder() {
        for (const std::string name : {"three.tif", "three.gif"}) {
            const auto series = write_series(*this / name, name.substr(name.find('.') + 1), SeriesInfo{.count = 3});
            const Image image = picture_of("plain.png");
            save(image, *this / ("one" + name.substr(name.find('.'))));
            for (int i = 0; i < 3; ++i) {
                series->write(image, {1, 10});
            }
            series->finish();
        }
        fs::create_directory(*this / "many");
        fs::copy_file(*this / "plain.png", *this / "many/plain.png");
        fs::copy_file(*this / "one.gif", *this / "many/one.gif");
        fs::copy_file(*this / "three.gif", *this / "many/three.gif");
    }

    ProgramResult call(const Words& words) const {
        fs::remove_all(*this / "out");
        fs::create_directory(*this / "out");
        return run_glproc(path(), words);
    }
    bool made_nothing() const { return names_in(*this / "out").empty(); }
};

} // namespace

TEST_CASE("seams: what is made counts under limits, be it of one image, of frames, of pages or in a folder") {
    const LimitsFolder folder;
    const Words limit{"--max-memory", "16M"};
    for (const Words& places : {Words{"plain.png", "out/a.png"}, Words{"three.tif", "out/a.tif"}, Words{"three.gif", "out/a.gif"},
                                Words{"three.tif#2", "out/a.png"}, Words{"many", "out/"}}) {
        for (const Words& work : {Words{"resize", "3000x3000!"}, Words{"pipe", "resize", "3000x3000!", "then", "resize", "9x9!"}}) {
            INFO(fmt::format("{} {}", fmt::join(places, " "), fmt::join(work, " ")));
            const bool is_pipe = work[0] == "pipe"; // whose own flags stand before the steps
            const Words rest = is_pipe ? with(limit, tail_of(work)) : with(tail_of(work), limit);
            CHECK(folder.call(with(with({work[0]}, places), rest)).status == 3);
            CHECK(folder.made_nothing());
        }
    }
}

TEST_CASE("seams: a format that is not for untrusted files is refused as one image, as a page and as pages") {
    const LimitsFolder folder;
    for (const Words& places : {Words{"one.tif", "out/a.png"}, Words{"three.tif", "out/a.tif"}, Words{"three.tif#2", "out/a.png"},
                                Words{"three.tif#2..3", "out/a.tif"}}) {
        INFO(fmt::format("{}", fmt::join(places, " ")));
        const ProgramResult result = folder.call(with({"blur"}, with(places, {"--sigma", "1", "--untrusted"})));
        CHECK(result.status == 3);
        CHECK(result.err.find("not read from untrusted files") != std::string::npos);
        CHECK(folder.made_nothing());
    }
}

TEST_CASE("seams: frames of untrusted files are decoded elsewhere, with the same result") {
    const LimitsFolder folder;
    for (const Words& places : {Words{"one.gif", "out/one.gif"}, Words{"three.gif", "out/three.gif"}, Words{"many", "out/"}}) {
        std::map<std::string, std::string> trusted;
        REQUIRE(folder.call(with({"blur"}, with(places, {"--sigma", "1"}))).status == 0);
        for (const std::string& name : names_in(folder / "out")) {
            trusted[name] = read_text(folder / "out" / name);
        }
        CHECK(folder.call(with({"blur"}, with(places, {"--sigma", "1", "--untrusted"}))).status == 0);
        for (const auto& [name, bytes] : trusted) {
            INFO(name);
            CHECK((read_text(folder / "out" / name) == bytes));
        }
    }
}

TEST_CASE("seams: light is light in every format that holds it, in a chain and beside other images") {
    const LimitsFolder folder;
    Image image(8, 4, 3, Depth::f32);
    std::fill(image.values<float>().begin(), image.values<float>().end(), 0.25F);
    save(image, folder / "a.pfm");
    save(image, folder / "a.hdr");
    for (const std::string in : {"a.pfm", "a.hdr"}) {
        for (const Words& work : {Words{"adjust", "--exposure", "1"}, Words{"pipe", "adjust", "--exposure", "1", "then", "crop", "4x4+0+0"}}) {
            INFO(in << " " << fmt::format("{}", fmt::join(work, " ")));
            REQUIRE(folder.call(with({work[0], in, "out/a.pfm"}, tail_of(work))).status == 0);
            CHECK(load(folder / "out/a.pfm").values<float>()[0] == Approx(0.5).margin(1e-3));
        }
    }
    save(picture_of("plain.png"), folder / "codes.png");
    REQUIRE(folder.call({"append", "a.pfm", "codes.png", "out/a.pfm", "--to", "bottom"}).status != 0); // --to is a format
    REQUIRE(folder.call({"append", "a.pfm", "codes.png", "out/a.pfm"}).status == 0);
    const Image joined = load(folder / "out/a.pfm");
    const Image codes = load(folder / "codes.png");
    const double code = codes.values<std::uint8_t>()[0] / 255.0;
    const double light = code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
    const std::size_t at = static_cast<std::size_t>(8 * 3); // behind the first image
    CHECK(joined.values<float>()[at] == Approx(light).margin(1e-4));
}

TEST_CASE("seams: an array beside the result is written for one image, and refused for several") {
    const LimitsFolder folder;
    for (const std::string in : {"one.tif", "three.tif#2"}) {
        CHECK(folder.call({"distance", in, "out/a.tif", "--indices", "out/a.npy"}).status == 0);
        CHECK(names_in(folder / "out") == std::set<std::string>{"a.npy", "a.tif"});
    }
    for (const std::string in : {"three.tif", "three.tif#2..3"}) {
        const ProgramResult several = folder.call({"distance", in, "out/a.tif", "--indices", "out/a.npy"});
        CHECK(several.status == 2);
        CHECK(several.err.find("--indices writes an array, for which a file of several images has no place") != std::string::npos);
        CHECK(folder.made_nothing());
    }
}

TEST_CASE("seams: names of outputs are filled alike for one image and for pages") {
    const LimitsFolder folder;
    REQUIRE(folder.call({"split", "one.tif", "out/c_{channel}_{page}.png"}).status == 0);
    const std::set<std::string> one = names_in(folder / "out");
    REQUIRE(folder.call({"split", "three.tif#1", "out/c_{channel}_{page}.png"}).status == 0);
    CHECK(names_in(folder / "out") == one);
    CHECK(one == std::set<std::string>{"c_r_1.png", "c_g_1.png", "c_b_1.png"});
    REQUIRE(folder.call({"split", "three.tif", "out/c_{channel}_{page}.png"}).status == 0);
    CHECK(names_in(folder / "out").size() == 9);
}

TEST_CASE("seams: no call without an output of its own loses an input") {
    const LimitsFolder folder;
    for (const Words& files : {Words{"plain.png", "alpha.png"}, Words{"plain.png", "turned.jpg"}, Words{"three.tif", "one.tif"},
                               Words{"plain.png", "deep.png", "alpha.png"}}) {
        std::map<std::string, std::string> before;
        for (const std::string& file : files) {
            before[file] = read_text(folder / file);
            fs::remove(folder / file);
            write_text(folder / file, before[file]); // by another program, which glproc would see
        }
        for (const Words& work : {Words{"blur", "--sigma", "2"}, Words{"append"}, Words{"pipe", "invert", "then", "gray"}}) {
            INFO(fmt::format("{} {}", fmt::join(work, " "), fmt::join(files, " ")));
            CHECK(folder.call(with(with({work[0]}, files), tail_of(work))).status != 0);
            for (const std::string& file : files) {
                CHECK((read_text(folder / file) == before[file]));
            }
        }
    }
}

TEST_CASE("seams: a GIF is no video, whatever lies where packets of one would begin") {
    const LimitsFolder folder;
    std::string gif = read_text(folder / "one.gif");
    REQUIRE(gif.size() > 400);
    for (const std::size_t at : {std::size_t{188}, std::size_t{4 + 192}}) {
        gif[at] = 'G'; // of its palette
    }
    write_text(folder / "g.gif", gif);
    CHECK(folder.call({"convert", "g.gif", "out/a.png"}).status == 0);
    CHECK(folder.call({"convert", "g.gif", "out/a.gif"}).status == 0);
    ProgramCall call = glproc_call(folder.path(), {"convert", "-", "out/b.png"});
    call.input = gif;
    CHECK(run_program(std::move(call)).status == 0);
}

TEST_CASE("seams: a file of several images says that one is used, be it a TIFF, a GIF or a PAM") {
    const LimitsFolder folder;
    save(picture_of("plain.png"), folder / "one.pam");
    write_text(folder / "three.pam", read_text(folder / "one.pam") + read_text(folder / "one.pam") + read_text(folder / "one.pam"));
    for (const std::string name : {"three.tif", "three.gif", "three.pam"}) {
        const ProgramResult result = folder.call({"stats", name});
        INFO(name);
        CHECK(result.status == 0);
        CHECK(result.err.find("the first one is used") != std::string::npos);
        CHECK(folder.call({"stats", "one" + name.substr(name.find('.'))}).err.find("used") == std::string::npos);
    }
}
