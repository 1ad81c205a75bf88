// --keep-partial: pictures that are cut short.
#include "cli/glproc_program.hpp"

#include <fmt/ranges.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// A folder with pictures of 90x80 pixels, whole and without their second half.
struct PartialFolder : TempDir {
    PartialFolder() {
        for (const std::string extension : {"png", "jpg", "ppm"}) {
            const std::string name = "whole." + extension;
            save(photo_like_image({.width = 90, .height = 80, .channels = 3}), *this / name);
            const std::string bytes = read_text(*this / name);
            write_text(*this / ("cut." + extension), bytes.substr(0, bytes.size() / 2));
        }
    }
    ProgramResult run(const std::vector<std::string>& words) const { return run_glproc(path(), words); }
};

} // namespace

TEST_CASE("partial: without the flag a truncated picture is refused, and the flag is named") {
    const PartialFolder folder;
    for (const std::string extension : {"png", "jpg", "ppm"}) {
        std::string title = extension == "jpg" ? "JPEG" : extension == "png" ? "PNG" : "PNM";
        const ProgramResult result =
            run_without_gpu(folder.path(), {"invert", "cut." + extension, "o.png"});
        CHECK(result.status == 3);
        CHECK(result.err == "glproc: error: cut." + extension + ": truncated " + title +
                                "\n  hint: --keep-partial keeps the rows that can be read\n");
    }
    CHECK_FALSE(fs::exists(folder / "o.png"));
    CHECK(run_without_gpu(folder.path(), {"info", "cut.png", "--keep-partial"}).status == 2);
}

TEST_CASE("partial: with it the sound rows come out, with one warning, confined or not") {
    const PartialFolder folder;
    for (const std::string extension : {"png", "jpg", "ppm"}) {
        const Image whole = load(folder / ("whole." + extension));
        for (const std::vector<std::string>& flags :
             {std::vector<std::string>{}, {"--untrusted"}, {"--memory", "1"}}) {
            std::vector<std::string> words{"crop", "cut." + extension, "o.png", "90x20+0+0", "--keep-partial"};
            words.insert(words.end(), flags.begin(), flags.end());
            const ProgramResult result = folder.run(words);
            INFO(result.err);
            CHECK(result.status == 0);
            CHECK(result.err.starts_with("glproc: warning: cut." + extension + ": truncated "));
            CHECK(result.err.ends_with(" of 80 rows were read\n"));
            CHECK(lines_of(result.err).size() == 1);
            const Image part = load(folder / "o.png");
            REQUIRE(part.height() == 20);
            CHECK(std::equal(part.bytes().begin(), part.bytes().end(), whole.bytes().begin()));
        }
        CHECK(folder.run({"invert", "whole." + extension, "o.png", "--keep-partial"}).err.empty());
    }
}

TEST_CASE("partial: in a batch, and of pictures that come in rows") {
    const PartialFolder folder;
    const std::vector<std::string> batch{"invert", "whole.png", "cut.jpg", "out/", "--to", "png"};
    const ProgramResult refused = folder.run(batch);
    CHECK(refused.status == 3);
    CHECK(refused.err.find("hint: --keep-partial") != std::string::npos);
    std::vector<std::string> words = batch;
    words.emplace_back("--keep-partial");
    const ProgramResult kept = folder.run(words);
    INFO(kept.err);
    CHECK(kept.status == 0);
    CHECK(kept.err.find("cut.jpg: truncated JPEG; the first ") != std::string::npos);
    CHECK(load(folder / "out" / "cut.png").height() == 80);

    write_text(folder / "large.ppm", "P6 5000 3000 255\n" + std::string(std::size_t{30'000'000}, 'x'));
    const std::vector<std::string> corner{"crop", "large.ppm", "o.png", "10x10+0+0"};
    const ProgramResult large = folder.run(corner);
    CHECK(large.status == 3);
    CHECK(large.err.ends_with("  hint: --keep-partial keeps the rows that can be read\n"));
    words = corner;
    words.emplace_back("--keep-partial");
    CHECK(folder.run(words).err ==
          "glproc: warning: large.ppm: truncated PNM; the first 2000 of 3000 rows were read\n");
}

namespace {

std::string little(std::size_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>(value >> 8U * static_cast<unsigned>(i) & 255U);
    }
    return text;
}

/// Grey pages of 30x20 pixels in strips of 4 rows, all directories before all pixels: which TIFF 6.0 allows,
/// and some scanners do.
std::string pages_of_grey(int pages) {
    constexpr std::size_t width = 30;
    constexpr std::size_t height = 20;
    constexpr std::size_t strips = 5;
    constexpr std::size_t directory = 2 + 8 * 12 + 4 + strips * 8;
    std::string file = "II*" + little(0, 1) + little(8, 4);
    std::string pixels;
    for (int page = 0; page < pages; ++page) {
        const std::size_t lists = file.size() + directory - strips * 8;
        const auto entry = [&](std::size_t tag, int type, std::size_t count, std::size_t value) {
            file += little(tag, 2) + little(static_cast<std::size_t>(type), 2) + little(count, 4) +
                    little(value, 4);
        };
        file += little(8, 2);
        entry(256, 3, 1, width);
        entry(257, 3, 1, height);
        entry(258, 3, 1, 8);
        entry(259, 3, 1, 1);
        entry(262, 3, 1, 1);
        entry(273, 4, strips, lists);
        entry(278, 3, 1, height / strips);
        entry(279, 4, strips, lists + strips * 4);
        file += little(page + 1 < pages ? lists + strips * 8 : 0, 4);
        const std::size_t first = 8 + static_cast<std::size_t>(pages) * directory + pixels.size();
        for (std::size_t i = 0; i < strips; ++i) {
            file += little(first + i * width * height / strips, 4);
        }
        for (std::size_t i = 0; i < strips; ++i) {
            file += little(width * height / strips, 4);
        }
        for (std::size_t i = 0; i < width * height; ++i) {
            pixels += static_cast<char>(1 + (i * 7 + static_cast<std::size_t>(page) * 50) % 250);
        }
    }
    return file + pixels;
}

} // namespace

TEST_CASE("partial: a page that lacks rows gives those that it has on every road, and the flag is named "
          "where it is not given") {
    if (std::ranges::count(writable_extensions(), "tif") == 0) {
        WARN("skipped: this build has no TIFF");
        return;
    }
    const TempDir folder;
    const std::string whole = pages_of_grey(3);
    const std::string cut =
        whole.substr(0, whole.size() - 10 * 30 - 5); // of page 3 two strips and a part of one are left
    fs::create_directory(folder / "in");
    write_text(folder / "in/cut.tif", cut);
    write_text(folder / "cut.tif", cut);
    write_text(folder / "whole.tif", whole);
    write_text(folder / "list", "in/cut.tif#3\n");
    const std::vector<std::vector<std::string>> roads{
        {"invert", "cut.tif#3", "o.pgm"},
        {"invert", "cut.tif#3", "o.pgm", "--max-seconds", "30"},
        {"invert", "cut.tif", "o.tif"},
        {"invert", "cut.tif", "o.tif", "--max-memory", "500"},
        {"invert", "cut.tif#2..3", "o.tif"},
        {"invert", "in", "out/"},
        {"invert", "whole.tif#1", "in/cut.tif#3", "out/"},
        {"invert", "--files-from", "list", "out/"},
        {"stack", "cut.tif", "o.pgm", "--by", "max"},
        {"stack", "whole.tif#3", "cut.tif#3", "o.pgm", "--by", "min"},
        {"append", "cut.tif#3", "whole.tif#1", "o.pgm"},
        {"append", "whole.tif#1", "cut.tif#3", "o.pgm", "--max-seconds", "30"},
        {"montage", "whole.tif#1", "cut.tif#3", "o.pgm"},
        {"blend", "whole.tif#1", "o.pgm", "--with", "cut.tif#3"},
        {"blend", "cut.tif#3", "o.pgm", "--with", "whole.tif#1"},
        {"compare", "whole.tif#1", "cut.tif#3"},
        {"compare", "cut.tif#3", "whole.tif#1", "--max-seconds", "30"},
        {"split", "cut.tif", "{channel}{page}.pgm"},
        {"histogram", "cut.tif#3", "--format", "csv"},
    };
    for (std::vector<std::string> words : roads) {
        const bool is_folder = words[1] == "in" || words[1] == "--files-from" || words[2] == "in/cut.tif#3";
        words.emplace_back("-q");
        const ProgramResult refused = run_glproc(folder.path(), words);
        INFO(fmt::format("{}: {}", fmt::join(words, " "), refused.err));
        CHECK(refused.status == 3);
        CHECK(refused.err.find(": truncated TIFF\n  hint: --keep-partial keeps the ") != std::string::npos);
        words.emplace_back("--keep-partial");
        const ProgramResult kept = run_glproc(folder.path(), words);
        INFO(kept.err);
        CHECK(kept.status == 0);
        CHECK(without_software_warning(kept.err) ==
              fmt::format("glproc: warning: {}cut.tif#3: truncated TIFF; the first 8 of 20 rows were read\n",
                          is_folder ? "in/" : ""));
    }
    REQUIRE(run_glproc(folder.path(), {"convert", "cut.tif#3", "part.pgm", "-q", "--keep-partial"}).status ==
            0);
    REQUIRE(run_glproc(folder.path(), {"convert", "cut.tif", "parts.tif", "-q", "--keep-partial"}).status ==
            0);
    REQUIRE(run_glproc(folder.path(), {"convert", "parts.tif#3", "parts.pgm", "-q"}).status == 0);
    const Image part = load(folder / "part.pgm");
    CHECK(same_pixels(part, load(folder / "parts.pgm")));
    for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 30; ++x) {
            CHECK(part.at(x, y, 0) == (y < 8 ? 1 + ((y * 30 + x) * 7 + 2 * 50) % 250 : 0));
        }
    }
    write_text(folder / "cut.tif", whole.substr(0, whole.size() - 600)); // and no row of page 3
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"invert", "cut.tif#3", "o.png", "-q", "--keep-partial"},
          {"stack", "cut.tif", "o.png", "-q", "--keep-partial"}}) {
        const ProgramResult none = run_glproc(folder.path(), words);
        CHECK(none.status == 3);
        CHECK(none.err == "glproc: error: cut.tif#3: truncated TIFF\n");
    }
    const ProgramResult before =
        run_glproc(folder.path(), {"invert", "cut.tif", "two/", "-q", "--keep-partial"});
    CHECK(before.status == 0);
    CHECK(before.err == "glproc: warning: cut.tif#3: truncated TIFF; the 2 images before that are kept\n");
    CHECK(run_glproc(folder.path(), {"info", "two/cut.tif#2"}).status == 0);
    CHECK(run_glproc(folder.path(), {"info", "two/cut.tif#3"}).err.find("the file has 2") !=
          std::string::npos);
}

TEST_CASE("pages: of a row of pages those are kept that lie before the damage") {
    const TempDir folder;
    std::string file = pages_of_grey(4);
    write_text(folder / "whole.tif", file);
    constexpr std::size_t next = 8 + 2 * 142 - 44; // where the directory of page 2 says the next one lies
    write_text(folder / "cut.tif", file.replace(next, 4, little(1 << 24, 4)));
    for (std::vector<std::string> words : {std::vector<std::string>{"invert", "cut.tif#1..4", "o.tif"}, {"stack", "cut.tif#1..4", "o.tif", "--by", "max"},
                                           {"append", "cut.tif#2..3", "whole.tif#1", "o.tif"}, {"invert", "cut.tif#1..4", "whole.tif#1", "out/"}}) {
        words.emplace_back("-q");
        const bool takes_two = words[1] == "cut.tif#1..4";
        const ProgramResult refused = run_glproc(folder.path(), words);
        INFO(fmt::format("{}: {}", fmt::join(words, " "), refused.err));
        CHECK(refused.status == 3);
        CHECK(refused.err == fmt::format("glproc: error: {}: there is no image {}: the file has 2 (truncated TIFF behind them)\n"
                                         "  hint: --keep-partial keeps the images before that\n",
                                         words[1], takes_two ? 4 : 3));
        words.emplace_back("--keep-partial");
        const ProgramResult kept = run_glproc(folder.path(), words);
        INFO(kept.err);
        CHECK(kept.status == 0);
        CHECK(kept.err == fmt::format("glproc: warning: {}: truncated TIFF; the {} kept\n", words[1],
                                      takes_two ? "2 images before that are" : "image before that is"));
    }
    CHECK(load(folder / "o.tif").height() == 20); // the last is one page of two pictures, side by side
    const ProgramResult behind = run_glproc(folder.path(), {"invert", "cut.tif#3..4", "o.tif", "--keep-partial", "-q"});
    CHECK(behind.status == 3);
    CHECK(behind.err.find("there is no image 4: the file has 2") != std::string::npos);
}
