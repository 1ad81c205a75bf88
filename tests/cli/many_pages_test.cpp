// Pages of one file, named by their numbers, cost what they cost in one run through the file: the file is
// opened once.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"

#include <sys/resource.h>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr int count = 800;

Image numbered_picture(int number) {
    Image image(16, 12, 3, Depth::u8);
    for (std::size_t i = 0; i < image.bytes().size(); ++i) {
        image.bytes()[i] = static_cast<std::byte>((static_cast<int>(i) / 9 + number) % 7 * 30 + number % 11);
    }
    return image;
}

void save_numbered(const fs::path& path, int images) {
    const auto series = write_series(path, path.extension().native(), SeriesInfo{.count = images});
    for (int i = 1; i <= images; ++i) {
        series->write(numbered_picture(i), {1, 10});
    }
    series->finish();
}

/// Of the processor, for all processes that a call begins and waits for.
double seconds_of(const std::function<void()>& call) {
    const auto spent = [] {
        rusage usage{};
        ::getrusage(RUSAGE_CHILDREN, &usage);
        return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    };
    const double before = spent();
    call();
    return spent() - before;
}

} // namespace

TEST_CASE(
    "many pages: each of them costs what it costs in a run through all, not the reading of those before it") {
    const TempDir folder;
    const auto run = [&](const Words& words) {
        const ProgramResult done = run_glproc(folder.path(), words);
        INFO(fmt::format("{}: {}", fmt::join(words, " "), done.err));
        REQUIRE(done.status == 0);
        return done.out;
    };
    for (const std::string name : {"z.tif", "z.gif", "z.apng", "z.webp"}) {
        if (!holds_series(name, SeriesKind::frames) && !holds_series(name, SeriesKind::pages)) {
            continue;
        }
        INFO(name);
        save_numbered(folder / name, count);
        // One run through the file, with a start of the program beside it. Where each page was looked for
        // from the start, the others took 30 to 100 times as long.
        const double once = 0.1 + seconds_of([&] {
                                run({"invert", name, "out" + fs::path(name).extension().native(), "-q"});
                            });
        const std::string all = fmt::format("{}#1..{}", name, count);
        for (const Words& limits : {Words{}, Words{"--max-seconds", "60"}}) {
            for (const Words& call : {Words{"stats", all, "--format", "csv"}, Words{"info", all, "--json"}}) {
                Words words = call;
                words.insert(words.end(), limits.begin(), limits.end());
                INFO(fmt::format("{}", fmt::join(words, " ")));
                CHECK(seconds_of([&] { CHECK(!run(words).empty()); }) < 8 * once);
            }
        }
    }
}

TEST_CASE("many pages: in a folder, within limits and from every container, a page has the pixels that it "
          "has alone") {
    const TempDir folder;
    constexpr int images = 9;
    for (const std::string name : {"z.tif", "z.gif", "z.apng"}) {
        if (!holds_series(name, SeriesKind::frames) && !holds_series(name, SeriesKind::pages)) {
            continue;
        }
        save_numbered(folder / name, images);
        for (const Words& limits :
             {Words{}, Words{"--max-seconds", "60"}, Words{"--max-memory", "1G", "-j", "4"}}) {
            fs::remove_all(folder / "out");
            Words words{"invert", fmt::format("{}#2..{}", name, images), name + "#1", "out/", "--to", "png",
                        "-q"};
            words.insert(words.end(), limits.begin(), limits.end());
            const ProgramResult done = run_glproc(folder.path(), words);
            INFO(fmt::format("{}: {}", fmt::join(words, " "), done.err));
            REQUIRE(done.status == 0);
            for (int i = 1; i <= images; ++i) {
                Image wanted = numbered_picture(i);
                for (std::byte& value : wanted.bytes()) {
                    value = ~value;
                }
                CHECK(same_pixels(load(folder / fmt::format("out/z-{}.png", i)), wanted));
            }
        }
    }
}

TEST_CASE("many pages: a limit is for each of them, and what is wrong with one is said of it by its name") {
    const TempDir folder;
    const auto series = write_series(folder / "z.gif", "gif", SeriesInfo{.count = 3});
    for (int i = 1; i <= 3; ++i) {
        series->write(numbered_picture(i), {1, 10});
    }
    series->finish();
    const std::string whole = read_text(folder / "z.gif");
    write_text(folder / "cut.gif", whole.substr(0, whole.size() - 20));
    for (const Words& limits : {Words{}, Words{"--max-seconds", "60"}}) {
        for (const std::string last : {"3", "2"}) {
            Words words{"stats", "cut.gif#1..2", "cut.gif#" + last, "--format", "csv"};
            words.insert(words.end(), limits.begin(), limits.end());
            const ProgramResult done = run_glproc(folder.path(), words);
            INFO(done.err);
            CHECK(done.status == (last == "3" ? 3 : 0));
            CHECK((done.err.find("cut.gif#3: there is no image 3: the file has 2") != std::string::npos) ==
                  (last == "3"));
        }
    }
    const ProgramResult small = run_glproc(folder.path(), {"stats", "z.gif#1..3", "--max-pixels", "100"});
    INFO(small.err);
    CHECK(small.status == 3);
    for (int i = 1; i <= 3; ++i) {
        CHECK(small.err.find(fmt::format("z.gif#{}: 16x12 pixels are more than the limit of 100", i)) !=
              std::string::npos);
    }
}

TEST_CASE("many pages: threads that ask for the frames of one animation share the work of decoding it") {
    const TempDir folder;
    constexpr int count = 64;
    const auto writer = write_series(folder / "z.gif", "gif", {.kind = SeriesKind::frames, .count = count});
    for (int i = 0; i < count; ++i) {
        Image image(700, 500, 3, Depth::u8);
        const auto values = image.values<std::uint8_t>();
        for (std::size_t at = 0; at < values.size(); ++at) {
            values[at] =
                static_cast<std::uint8_t>((at * at / 977 + static_cast<std::size_t>(i) * 31) % 6 * 40);
        }
        writer->write(image, {.numerator = 100});
    }
    writer->finish();
    const auto seconds = [] {
        rusage usage{};
        ::getrusage(RUSAGE_CHILDREN, &usage);
        return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6;
    };
    std::string told;
    double alone = 0;
    for (const char* jobs : {"1", "8"}) {
        const double before = seconds();
        const ProgramResult result = run_glproc(folder.path(), {"stats", "z.gif#1..64", "-q", "-j", jobs});
        const double used = seconds() - before;
        INFO(result.err);
        CHECK(result.status == 0);
        CHECK((told.empty() || told == result.out));
        told = result.out;
        INFO(fmt::format("{} s by one thread, {} s by {}", alone, used, jobs));
        CHECK((alone == 0 || used < 2 * alone));
        alone = used;
    }
}
