// "z.tif#3" and "z.tif#2..9" name pictures of a file wherever a picture may stand, with the result that each has by itself.
#include "cli/glproc_program.hpp"
#include "job/pages.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

const std::array<std::string, 3> containers{"tif", "gif", "apng"};

/// Few colours, which a GIF holds.
Image picture(int number) {
    Image image(30, 20, 3, Depth::u8);
    for (int y = 0; y < image.height(); ++y) {
        for (int i = 0; i < image.width() * 3; ++i) {
            image.row(y)[i] = static_cast<std::byte>((i / 3 / 5 + y / 7 * number + i % 3) % 4 * 60 + number);
        }
    }
    return image;
}

/// 1.png, 2.png and 3.png, and files that hold the three.
struct PagesFolder : TempDir {
    PagesFolder() {
        for (const std::string& container : containers) {
            const auto series = write_series(*this / ("z." + container), container, SeriesInfo{.count = 3});
            for (int i = 1; i <= 3; ++i) {
                series->write(picture(i), {1, 10});
                save(picture(i), *this / fmt::format("{}.png", i));
            }
            series->finish();
        }
    }

    ProgramResult run(const Words& words) const { return run_glproc(path(), words); }

    /// What a call prints and writes.
    std::string made_by(Words words) const {
        fs::remove(*this / "out.pam");
        const ProgramResult done = run(words);
        INFO(fmt::format("{}: {}", fmt::join(words, " "), done.err));
        REQUIRE(done.status == 0);
        return done.out + (fs::exists(*this / "out.pam") ? read_text(*this / "out.pam") : "");
    }
};

/// @N becomes `pattern` with its number.
Words filled(const Words& call, const std::string& pattern) {
    Words words;
    for (const std::string& word : call) {
        words.push_back(word.starts_with('@') ? fmt::format(fmt::runtime(pattern), word.substr(1)) : word);
    }
    return words;
}

std::vector<Image> images_in(const fs::path& path) {
    const std::vector<std::byte> file = read_file(path);
    std::vector<Image> images;
    const auto series = open_series(file, path.native());
    for (int i = 0; i < series->info().count; ++i) {
        images.push_back(series->next()->image);
    }
    return images;
}

} // namespace

TEST_CASE("pages: one of a file is a picture wherever one may stand") {
    const PagesFolder folder;
    const std::vector<Words> calls{
        {"blur", "@2", "out.pam", "--sigma", "1"},
        {"stack", "@1", "@2", "@3", "out.pam", "--by", "median"},
        {"stack", "@3", "@1", "out.pam", "--by", "max"},
        {"append", "@3", "@1", "@2", "out.pam"},
        {"montage", "@2", "@2", "@1", "out.pam", "--tile", "2x"},
        {"blend", "@2", "out.pam", "--with", "@1", "--mode", "multiply"},
        {"pipe", "@3", "out.pam", "invert", "then", "blend", "--with", "@2", "--mode", "screen"},
        {"histogram", "@2", "--format", "csv"},
        {"components", "@3", "--threshold", "otsu", "--format", "csv"},
        {"thumbnail", "@2", "out.pam", "10x10"},
    };
    for (const Words& call : calls) {
        const std::string wanted = folder.made_by(filled(call, "{}.png"));
        for (const std::string& container : containers) {
            CHECK(folder.made_by(filled(call, "z." + container + "#{}")) == wanted);
        }
    }
    CHECK(folder.run({"bench", "invert", "--input", "z.tif#4"}).status == 3);
    CHECK(folder.run({"bench", "invert", "--input", "z.tif#2"}).status == 0);
}

TEST_CASE("pages: several in a row, and all of a file that is joined by itself") {
    const PagesFolder folder;
    const std::string stacked = folder.made_by({"stack", "1.png", "2.png", "3.png", "out.pam", "--by", "max"});
    const std::string beside = folder.made_by({"append", "2.png", "3.png", "1.png", "out.pam"});
    for (const std::string& container : containers) {
        const std::string z = "z." + container;
        CHECK(folder.made_by({"stack", z, "out.pam", "--by", "max"}) == stacked);
        CHECK(folder.made_by({"stack", z + "#1..3", "out.pam", "--by", "max"}) == stacked);
        CHECK(folder.made_by({"append", z + "#2..3", "1.png", "out.pam"}) == beside);
        CHECK(folder.made_by({"append", z + "#2..3", z + "#1", "out.pam", "--max-seconds", "20"}) == beside);
        CHECK(lines_of(folder.made_by({"histogram", z + "#2..3", "--json"})).size() == 2);
    }
    CHECK(folder.made_by({"stack", "z.apng", "out.pam", "--by", "max", "--untrusted"}) == stacked);
}

TEST_CASE("pages: some of a file go to another file that holds several") {
    const PagesFolder folder;
    for (const std::string& container : containers) {
        const std::string out = "out." + container;
        REQUIRE(folder.run({"invert", "z." + container + "#2..3", out}).status == 0);
        const std::vector<Image> got = images_in(folder / out);
        REQUIRE(got.size() == 2);
        for (int i = 2; i <= 3; ++i) {
            REQUIRE(folder.run({"invert", fmt::format("{}.png", i), "one.png"}).status == 0);
            CHECK(same_pixels(got[static_cast<std::size_t>(i - 2)], load(folder / "one.png")));
        }
    }
}

TEST_CASE("pages: in a folder of outputs each has a name of its own") {
    const PagesFolder folder;
    REQUIRE(folder.run({"invert", "z.tif#2..3", "3.png", "out/"}).status == 0);
    CHECK(names_in(folder / "out") == std::set<std::string>{"z-2.tif", "z-3.tif", "3.png"});
    REQUIRE(folder.run({"invert", "3.png", "one.png"}).status == 0);
    CHECK(same_pixels(load(folder / "out/z-3.tif"), load(folder / "one.png")));
    const Words named{"invert", "z.gif#2..3", "2.png", "named/", "--name", "{page:03}-{stem}.png", "--log", "log.jsonl"};
    REQUIRE(folder.run(named).status == 0);
    CHECK(names_in(folder / "named") == std::set<std::string>{"002-z.png", "003-z.png", "001-2.png"});
    Words again = named;
    again.insert(again.end(), {"--resume", "-v"});
    CHECK(folder.run(again).err.find("3 skipped") != std::string::npos);
    CHECK(folder.run({"invert", "z.tif#2..3", "out/", "--name", "{stem}.png"}).status == 2); // would meet
    CHECK(folder.run({"invert", "1.png", "out/", "--name", "{stem:03}.png"}).status == 2);
}

TEST_CASE("pages: split writes the channels of each page that OUT has names for") {
    const PagesFolder folder;
    REQUIRE(folder.run({"split", "z.tif", "{channel}{page:02}.png"}).status == 0);
    REQUIRE(folder.run({"split", "z.gif#2..3", "gif-{n}-{channel}.png"}).status == 0);
    for (int i = 1; i <= 3; ++i) {
        REQUIRE(folder.run({"split", fmt::format("{}.png", i), "one-{channel}.png"}).status == 0);
        for (const char* channel : {"r", "g", "b"}) {
            const Image one = load(folder / fmt::format("one-{}.png", channel));
            CHECK(same_pixels(load(folder / fmt::format("{}{:02}.png", channel, i)), one));
            CHECK(fs::exists(folder / fmt::format("gif-{}-{}.png", i, channel)) == (i > 1));
            if (i > 1) {
                CHECK(same_pixels(load(folder / fmt::format("gif-{}-{}.png", i, channel)), one));
            }
        }
    }
    const std::set<std::string> before = names_in(folder.path());
    const ProgramResult unknown = folder.run({"split", "1.png", "{channel}_{z}.png"});
    CHECK(unknown.status == 2);
    CHECK(unknown.err == "glproc: error: {channel}_{z}.png: {z} is unknown\n"
                         "  hint: known are {channel}, {page} and {page:03}\n");
    CHECK(folder.run({"split", "z.tif#1..2", "{channel}.png"}).err.find("so OUT needs {page}") != std::string::npos);
    CHECK(folder.run({"split", "z.tif#2..9", "none-{channel}{page}.png"}).status == 3); // and writes not even those that are there
    CHECK(names_in(folder.path()) == before);
}

TEST_CASE("pages: what info says of one") {
    const PagesFolder folder;
    const ProgramResult text = folder.run({"info", "z.gif#2..3"});
    CHECK(text.out == "z.gif#2: GIF, 30x20, 8-bit RGB\nz.gif#3: GIF, 30x20, 8-bit RGB\n");
    CHECK(text.err.empty());
    CHECK(folder.run({"info", "z.apng#2", "--max-seconds", "20"}).out == "z.apng#2: PNG, 30x20, 8-bit RGB\n");
}

TEST_CASE("pages: what names none is refused, and the first of several is said") {
    const PagesFolder folder;
    const auto fault = [&](const Words& words, int status) {
        const ProgramResult done = folder.run(words);
        CHECK(done.status == status);
        return lines_of(done.err).empty() ? "" : lines_of(done.err).front();
    };
    CHECK(fault({"stack", "z.tif#2", "z.tif#9", "out.png"}, 3) ==
          "glproc: error: z.tif#9: there is no image 9: the file has 3");
    CHECK(fault({"invert", "z.tif#2..9", "out.tif"}, 3) ==
          "glproc: error: z.tif#2..9: there is no image 9: the file has 3");
    CHECK(fault({"stack", "z.tif#0", "z.tif#1", "out.png"}, 2) ==
          "glproc: error: z.tif#0: images of a file are counted from 1");
    CHECK(fault({"info", "z.tif#3..2"}, 2) ==
          "glproc: error: z.tif#3..2: images of a file are counted from 1, the smaller number first");
    CHECK(fault({"integral", "z.tif#2..3", "out.npy"}, 2) ==
          "glproc: error: z.tif#2..3: names 2 images where one is taken");
    CHECK(fault({"stack", "z.tif", "out.png", "--max-frames", "2"}, 3) ==
          "glproc: error: z.tif: 3 images are more than the limit of 2");
    CHECK(fault({"invert", "z.tif#2..3", "out.png"}, 2) ==
          "glproc: error: z.tif#2..3: 2 pages do not fit into out.png, which holds one image");
    for (const std::string& container : containers) {
        CHECK(folder.run({"append", "1.png", "z." + container, "out.png"}).err.find("; the first one is used") !=
              std::string::npos);
    }
    CHECK(fault({"info", "z.tif#1..999999"}, 3) == "glproc: error: z.tif#1..999999: there is no image 999999: the file has 3");
    CHECK(fault({"stack", "z.tif#1..999999", "out.png"}, 3) ==
          "glproc: error: z.tif#1..999999: there is no image 999999: the file has 3");
    CHECK(fault({"invert", "1.png#1..3", "out.tif"}, 3) == "glproc: error: 1.png#1..3: there is no image 3: the file has 1");
    CHECK(names_in(folder.path()).size() == 7); // out.png of append
    const std::string whole = read_text(folder / "z.gif");
    write_text(folder / "cut.gif", whole.substr(0, whole.size() * 4 / 5)); // two of three are whole
    CHECK(fault({"stack", "cut.gif", "out.png"}, 3) == "glproc: error: cut.gif: truncated GIF");
    fs::copy_file(folder / "1.png", folder / "z.tif#2"); // a file of that name is meant
    CHECK(folder.made_by({"invert", "z.tif#2", "out.pam"}) == folder.made_by({"invert", "1.png", "out.pam"}));
}

TEST_CASE("pages: only numbers behind the mark name them") {
    using glproc::job::named_pages;
    for (const char* place : {"#3", "a#", "a#x", "a#1..", "a#..2", "a#1.2", "a#1..2..3", "a#1234567", "a#-1", "a"}) {
        CHECK(named_pages(place).path == place);
        CHECK_FALSE(named_pages(place).is_named());
    }
    CHECK(named_pages("a#b#12").path == "a#b");
    CHECK(named_pages("a#b#12").numbers == std::vector{12});
    CHECK(job::each_page(job::named_pages("a#7..9")) == Words{"a#7", "a#8", "a#9"});
    CHECK(job::each_page(job::named_pages("a#1,4,7..9")) == Words{"a#1", "a#4", "a#7", "a#8", "a#9"});
    CHECK(job::named_pages("a#1,").path == "a#1,");
    for (const char* wrong : {"a#0", "a#3,3", "a#4,2", "a#2..4,4", "a#5..3", "a#1,0"}) {
        CHECK_THROWS_AS(job::named_pages(wrong), Error);
    }
    CHECK(job::file_of("a#9..7") == "a");
}
