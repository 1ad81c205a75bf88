// trim, montage, merge and split as commands: many files to one, and one to many.
#include "cli/glproc_program.hpp"

#include <cstring>
#include <span>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

struct Sheets : TempDir {
    Image put(const std::string& name, std::uint32_t seed, const Shape& shape = {41, 29, 3, Depth::u8}) const {
        Image image = random_image(shape, seed);
        save(image, *this / name);
        return image;
    }
    ProgramResult call(Words words) const { return run_without_gpu(path(), std::move(words)); }
    void succeeds(const Words& words) const {
        const ProgramResult done = call(words);
        INFO(done.err);
        CHECK(done.status == 0);
        CHECK(done.err.empty());
        CHECK(done.out.empty());
    }
    void fails(const Words& words, int status, const std::string& first_line) const {
        const std::set<std::string> before = names_in(path());
        const ProgramResult done = call(words);
        CHECK(done.status == status);
        CHECK(lines_of(done.err).at(0) == "glproc: error: " + first_line);
        CHECK(names_in(path()) == before);
    }
};

bool is_same(const Image& a, const Image& b) {
    return a.form() == b.form() && std::ranges::equal(a.bytes(), b.bytes());
}

Image channel_of(const Image& image, int channel) {
    Image grey(image.width(), image.height(), 1, image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            set_value(grey, x, y, 0, image.at(x, y, channel) / max_code(image.depth()));
        }
    }
    return grey;
}

} // namespace

TEST_CASE("split writes the channels, and merge puts them together again") {
    const Sheets folder;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = folder.put("in.tif", 7, {37, 23, channels, depth});
            INFO(describe(image));
            const Words names = channels == 1   ? Words{"grey"}
                                : channels == 2 ? Words{"grey", "a"}
                                : channels == 3 ? Words{"r", "g", "b"}
                                                : Words{"r", "g", "b", "a"};
            folder.succeeds({"split", "in.tif", "part-{channel}.tif"});
            Words merge{"merge"};
            for (std::size_t c = 0; c < names.size(); ++c) {
                merge.push_back("part-" + names[c] + ".tif");
                CHECK(is_same(load(folder / merge.back()), channel_of(image, static_cast<int>(c))));
            }
            if (channels > 1) {
                merge.emplace_back("again.tif");
                folder.succeeds(merge);
                CHECK(is_same(load(folder / "again.tif"), image));
            }
            for (const std::string& name : names_in(folder.path())) {
                std::filesystem::remove(folder / name);
            }
        }
    }
}

TEST_CASE("split: formats without rows, and the flags of what is written") {
    const Sheets folder;
    const Image image = folder.put("in.bmp", 3);
    folder.succeeds({"split", "in.bmp", "x-{channel}.png", "--depth", "16"});
    const Image red = load(folder / "x-r.png");
    CHECK(red.depth() == Depth::u16);
    CHECK(is_same(with_depth(red, Depth::u8), channel_of(image, 0)));
}

TEST_CASE("split: what cannot be is refused, and nothing is written") {
    const Sheets folder;
    folder.put("in.png", 3, {300, 200, 3, Depth::u8});
    folder.fails({"split", "in.png", "out.png"}, 2, "out.png: split writes several files, so OUT needs {channel}");
    folder.fails({"split", "none.png", "{channel}.png"}, 3, "none.png: no such file");
    folder.fails({"split", "in.png", "{channel}.xyz"}, 2,
                 lines_of(folder.call({"invert", "in.png", "r.xyz"}).err).at(0).substr(15));
    std::filesystem::resize_file(folder / "in.png", std::filesystem::file_size(folder / "in.png") / 2);
    CHECK(folder.call({"split", "in.png", "{channel}.png"}).status == 3);
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.png"});
}

TEST_CASE("merge: images of different sizes are named") {
    const Sheets folder;
    folder.put("a.png", 1, {41, 29, 1, Depth::u8});
    folder.put("b.png", 2, {42, 29, 1, Depth::u8});
    folder.put("c.png", 2, {41, 29, 3, Depth::u8});
    folder.fails({"merge", "a.png", "b.png", "out.png"}, 2,
                 "b.png is 42x29 with 1 channel, a.png is 41x29 with 1");
    folder.fails({"merge", "c.png", "c.png", "out.png"}, 2, "merge takes grey images, not 3 channels in one");
    folder.fails({"merge", "a.png", "out.png"}, 2, "merge takes several images");
}

TEST_CASE("montage: a thousand images, and one of them damaged") {
    const Sheets folder;
    std::filesystem::create_directory(folder / "in");
    for (int i = 0; i < 1000; ++i) {
        const bool is_odd = i % 3 == 1;
        folder.put(fmt::format("in/{:04}.{}", i, i % 2 == 0 ? "png" : "bmp"), static_cast<std::uint32_t>(i),
                   {1 + i % 40, 1 + i % 31, is_odd ? 1 : 3, Depth::u8});
    }
    ProgramCall call = glproc_call(folder.path(), {"montage", "in", "sheet.png", "--tile", "40x", "--cell", "16x16", "--gap", "1"});
    call.environment = environment_without_gpu();
    const ProgramResult done = run_program(std::move(call));
    INFO(done.err);
    CHECK(done.status == 0);
    const Image sheet = load(folder / "sheet.png");
    CHECK(sheet.form() == Form{40 * 17 + 1, 25 * 17 + 1, 3, Depth::u8});
    std::filesystem::remove(folder / "sheet.png");
    folder.put("in/0700.png", 5, {300, 300, 3, Depth::u8});
    std::filesystem::resize_file(folder / "in/0700.png", std::filesystem::file_size(folder / "in/0700.png") / 2);
    const ProgramResult failed = folder.call({"montage", "in", "sheet.png", "--tile", "40x", "--cell", "16x16"});
    CHECK(failed.status == 3);
    CHECK(failed.err.find("in/0700.png") != std::string::npos);
    CHECK(names_in(folder.path()) == std::set<std::string>{"in"});
}

TEST_CASE("montage: labels have the names of their files") {
    const Sheets folder;
    folder.put("one.png", 1, {30, 20, 1, Depth::u8});
    folder.put("two.png", 1, {30, 20, 1, Depth::u8});
    const auto sheet_of = [&](const Words& more) {
        Words words{"montage", "one.png", "two.png", "sheet.png", "--cell", "60x40", "--tile", "2x", "--gap", "0"};
        words.insert(words.end(), more.begin(), more.end());
        folder.succeeds(words);
        return load(folder / "sheet.png");
    };
    const auto half = [](const Image& sheet, int side) {
        Image part(60, sheet.height(), sheet.channels(), sheet.depth());
        for (int y = 0; y < part.height(); ++y) {
            for (int x = 0; x < 60; ++x) {
                set_value(part, x, y, 0, sheet.at(60 * side + x, y, 0) / 255);
            }
        }
        return part;
    };
    const Image named = sheet_of({"--label", "{stem}"});
    CHECK(named.height() == 40 + 24);
    CHECK_FALSE(is_same(half(named, 0), half(named, 1)));
    const Image first = sheet_of({"--label", "one"});
    CHECK(is_same(half(first, 0), half(first, 1)));
    CHECK(is_same(half(first, 0), half(named, 0)));
    CHECK(is_same(half(sheet_of({"--label", "two"}), 1), half(named, 1)));
    folder.fails({"montage", "one.png", "two.png", "out.png", "--label", "{what}"}, 2, "draw knows no {what}");
    folder.fails({"montage", "one.png", "two.png", "out.png", "--tile", "1x1"}, 2,
                 "montage: 1x1 has 1 cell, but there are 2 images");
}

TEST_CASE("trim: an image of border alone fails, in a folder alone") {
    const Sheets folder;
    save(Image(9, 7, 3, Depth::u8), folder / "black.png");
    folder.fails({"trim", "black.png", "out.png"}, 1, "trim: all of the image is border, so nothing would be left");
    folder.put("a.png", 1);
    const ProgramResult done = folder.call({"trim", "black.png", "a.png", "out/"});
    CHECK(done.status == 1);
    CHECK(names_in(folder / "out") == std::set<std::string>{"a.png"});
    CHECK(is_same(load(folder / "out/a.png"), load(folder / "a.png")));
}

TEST_CASE("trim: what would stay, as a report instead of an image or beside it") {
    const Sheets folder;
    Image framed(40, 30, 3, Depth::u8);
    const Image middle = random_image({20, 11, 3, Depth::u8}, 3);
    for (int y = 0; y < middle.height(); ++y) {
        std::ranges::copy(std::span(middle.row(y), 20 * 3), framed.row(y + 5) + 7 * 3);
    }
    std::memset(framed.row(5) + 7 * 3, 200, 3); // else these corners may be black
    std::memset(framed.row(15) + 26 * 3, 200, 3);
    save(framed, folder / "in.png");
    const std::string json =
        R"({"schema":"glproc.trim/1","input":"in.png","width":40,"height":30,"kept":{"x":7,"y":5,"width":20,"height":11}})"
        "\n";
    const auto told = [&](const Words& words) {
        const ProgramResult done = folder.call(words);
        INFO(done.err);
        CHECK(done.status == 0);
        return done.out;
    };
    CHECK(told({"trim", "in.png"}) == "in.png  40x30  kept 20x11+7+5\n");
    CHECK(told({"trim", "in.png", "--margin", "6", "--format", "csv"}) == "x,y,width,height\n1,0,32,22\n");
    CHECK(told({"trim", "in.png", "--json"}) == json);
    CHECK(told({"trim", "in.png", "out.png", "--json"}) == json);
    CHECK(load(folder / "out.png").form() == middle.form());
    save(framed, folder / "more.png");
    CHECK(lines_of(told({"trim", "in.png", "more.png", "in.png", "--json"})).size() == 3);
    CHECK(lines_of(told({"trim", "in.png", "more.png", "cut/", "--format", "csv"})) ==
          Words{"file,x,y,width,height", "in.png,7,5,20,11", "more.png,7,5,20,11"});
    CHECK(load(folder / "cut/more.png").form() == middle.form());
    folder.fails({"trim", "in.png", "-", "--json"}, 2, "the result and the report cannot both go to stdout");
    save(Image(9, 7, 3, Depth::u8), folder / "black.png");
    folder.fails({"trim", "black.png"}, 1, "trim: all of the image is border, so nothing would be left");
    const ProgramResult on_device =
        run_glproc(folder.path(), {"trim", "in.png", "gpu.png", "--json", "--device", "auto", "--method", "cpu", "-q"});
    CHECK(on_device.out == json);
}

TEST_CASE("trim: videos have one size") {
    const Sheets folder;
    const std::string y4m = "YUV4MPEG2 W16 H16 F1:1 C444\nFRAME\n" + std::string(16 * 16 * 3, 'a');
    write_text(folder / "in.y4m", y4m);
    ProgramCall call = glproc_call(folder.path(), {"trim", "-", "-"});
    call.input = y4m;
    const ProgramResult done = run_program(std::move(call));
    CHECK(done.status == 2);
    CHECK(done.err.find("the frames of a video have one size") != std::string::npos);
}

TEST_CASE("profile: frames have none") {
    const Sheets folder;
    for (const auto& [words, status] : {std::pair{Words{"profile", "-", "-", "--to", "display-p3"}, 2},
                                        std::pair{Words{"profile", "-", "-", "--to", "srgb"}, 0},
                                        std::pair{Words{"convert", "-", "-", "--to-srgb"}, 0}}) {
        ProgramCall call = glproc_call(folder.path(), words);
        call.input = "YUV4MPEG2 W16 H16 F1:1 C444\nFRAME\n" + std::string(16 * 16 * 3, 'a');
        const ProgramResult done = run_program(std::move(call));
        CHECK(done.status == status);
        CHECK((status == 0) == (done.err.find("a video cannot store the ICC profile") == std::string::npos));
    }
}
