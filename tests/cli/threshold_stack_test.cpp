// One threshold for all images of a file, and errors that name the one they met.
#include "cli/glproc_program.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/series.hpp"
#include "support/threshold_truth.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr int width = 31;
constexpr int height = 20;
constexpr int pages = 4;

/// Each page is brighter than the one before it, so that none of them has the threshold of all.
Image page_of(int number, Depth depth, float gain) {
    Image page = photo_like_image({width, height, 1, Depth::u8}, static_cast<std::uint32_t>(number));
    for (std::uint8_t& code : page.values<std::uint8_t>()) {
        code = static_cast<std::uint8_t>(code / 2 + 20 * number);
    }
    page = with_depth(page, depth);
    if (depth == Depth::f32) {
        for (float& value : page.values<float>()) {
            value *= gain;
        }
    }
    return page;
}

/// z.tif has several pages, and long.tif one below the other those from `first` to `last`.
struct StackFolder : TempDir {
    StackFolder(Depth depth, int first, int last, float gain = 1)
        : all(width, height * (last - first + 1), 1, depth) {
        const auto series = write_series(*this / "z.tif", "tif", SeriesInfo{.count = pages});
        auto to = all.bytes().begin();
        for (int number = 1; number <= pages; ++number) {
            const Image page = page_of(number, depth, gain);
            series->write(page, {1, 10});
            to = number >= first && number <= last ? std::ranges::copy(page.bytes(), to).out : to;
        }
        series->finish();
        save(all, *this / "long.tif");
    }

    ProgramResult run(const std::vector<std::string>& words) const { return run_glproc(path(), words); }

    /// The pages of a file, one below the other.
    Image joined(const std::string& name) const {
        const Bytes file = read_file(*this / name);
        const auto series = open_series(file, name);
        REQUIRE(series);
        Image made(all.width(), all.height(), all.channels(), all.depth());
        auto to = made.bytes().begin();
        while (const auto page = series->next()) {
            REQUIRE(page->image.form() == Form{width, height, 1, all.depth()});
            REQUIRE(made.bytes().end() - to >= static_cast<std::ptrdiff_t>(page->image.bytes().size()));
            to = std::ranges::copy(page->image.bytes(), to).out;
        }
        REQUIRE(to == made.bytes().end());
        return made;
    }

    Image all;
};

/// The bins of all values: 256 of 8 bits, otherwise 65536 from black to white.
std::vector<std::size_t> bins_of_values(const Image& image) {
    std::vector<std::size_t> bins;
    if (image.depth() == Depth::u8) {
        std::ranges::copy(image.values<std::uint8_t>(), std::back_inserter(bins));
    } else if (image.depth() == Depth::u16) {
        std::ranges::copy(image.values<std::uint16_t>(), std::back_inserter(bins));
    } else {
        for (const float value : image.values<float>()) {
            bins.push_back(static_cast<std::size_t>(std::min(65535.0, std::floor(65536.0 * value))));
        }
    }
    return bins;
}

/// What each value becomes: 0 or 1.
std::vector<double> mask_of(const Image& image) {
    Image floats = with_depth(image, Depth::f32);
    return {floats.values<float>().begin(), floats.values<float>().end()};
}

/// The line that tells thresholds, without the name before it.
std::string finding_in(const std::string& text) {
    const std::size_t at = text.find(": threshold");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) + 1 - at);
}

} // namespace

TEST_CASE("threshold --stack splits the histogram of all pages, with and without OpenGL") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const StackFolder folder(depth, 1, pages);
        const std::vector<std::size_t> bins = bins_of_values(folder.all);
        Counts counts(depth == Depth::u8 ? 256 : 65536);
        for (const std::size_t bin : bins) {
            ++counts[bin];
        }
        const auto split = static_cast<std::size_t>(*split_truth("otsu", counts));
        std::vector<double> right;
        std::ranges::transform(bins, std::back_inserter(right),
                               [&](std::size_t bin) { return bin > split ? 1 : 0; });
        INFO(name_of(depth) << ", split after bin " << split);

        const std::vector<std::string> words{"threshold", "z.tif",   "out.tif", "--rule",
                                             "otsu",      "--stack", "-y"};
        REQUIRE(folder.run(words).status == 0);
        CHECK(mask_of(folder.joined("out.tif")) == right);
        const std::string bytes = read_text(folder / "out.tif");
        REQUIRE(run_without_gpu(folder.path(), words).status == 0);
        CHECK(read_text(folder / "out.tif") == bytes);

        REQUIRE(folder.run({"threshold", "z.tif", "each.tif", "--rule", "otsu"}).status == 0);
        CHECK(mask_of(folder.joined("each.tif")) != right);
    }
}

TEST_CASE("threshold --stack gives all pages the threshold of one image that holds them") {
    const std::vector<std::pair<Depth, float>> kinds{
        {Depth::u8, 1}, {Depth::u16, 1}, {Depth::f32, 1}, {Depth::f32, 300}};
    for (const auto& [depth, gain] : kinds) {
        for (const std::string rule : {"otsu", "li", "otsu:4"}) {
            for (const bool is_part : {false, true}) {
                const StackFolder folder(depth, is_part ? 2 : 1, is_part ? 3 : pages, gain);
                const std::string in = is_part ? "z.tif#2..3" : "z.tif";
                INFO(rule << " of " << in << ", " << name_of(depth) << " to " << gain);
                const ProgramResult right =
                    folder.run({"threshold", "long.tif", "right.tif", "--rule", rule, "-v"});
                const ProgramResult done =
                    folder.run({"threshold", in, "out.tif", "--rule", rule, "--stack", "-v"});
                INFO(right.err << done.err);
                REQUIRE(right.status == 0);
                REQUIRE(done.status == 0);
                const std::string said = finding_in(right.err);
                REQUIRE(!said.empty());
                CHECK(done.err.find(said) != std::string::npos);
                CHECK(done.err.find(said) == done.err.rfind(said)); // said once
                CHECK(
                    std::ranges::equal(folder.joined("out.tif").bytes(), load(folder / "right.tif").bytes()));
            }
        }
    }
}

TEST_CASE("threshold --stack counts what a mask has set on every page") {
    const StackFolder folder(Depth::u8, 1, pages);
    Image mask(width, height, 1, Depth::u8);
    Image long_mask(width, height * pages, 1, Depth::u8);
    for (int y = 0; y < height * pages; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::byte set{static_cast<std::uint8_t>((x * 7 + y % height * 3) % 5 == 0 ? 255 : 0)};
            mask.row(y % height)[static_cast<std::size_t>(x)] = set;
            long_mask.row(y)[static_cast<std::size_t>(x)] = set;
        }
    }
    save(mask, folder / "mask.png");
    save(long_mask, folder / "long_mask.png");
    const auto said_of = [&](const std::vector<std::string>& words) {
        const ProgramResult done = folder.run(words);
        INFO(done.err);
        REQUIRE(done.status == 0);
        return finding_in(done.err);
    };
    CHECK(said_of({"threshold", "z.tif", "a.tif", "--rule", "otsu", "--stack", "--mask", "mask.png", "-v"}) ==
          said_of({"threshold", "long.tif", "b.tif", "--rule", "otsu", "--mask", "long_mask.png", "-v"}));
}

TEST_CASE("threshold --stack is refused where a file cannot be read twice") {
    const StackFolder folder(Depth::u8, 1, pages);
    const ProgramResult chain =
        folder.run({"pipe", "z.tif", "out.tif", "invert", "then", "threshold", "--rule", "otsu", "--stack"});
    CHECK(chain.status == 2);
    CHECK(chain.err.find("--stack reads its file twice, which a chain cannot do") != std::string::npos);
    CHECK(folder.run({"threshold", "z.tif", "out.tif", "--stack"}).status == 2); // no rule
}

TEST_CASE("an operation that fails on a page names it") {
    TempDir folder;
    const auto series = write_series(folder / "z.tif", "tif", SeriesInfo{.count = 2});
    Image two(90, 90, 1, Depth::u8);
    Image falling(90, 90, 1, Depth::u8);
    for (int y = 0; y < 90; ++y) {
        for (int x = 0; x < 90; ++x) {
            two.row(y)[static_cast<std::size_t>(x)] = static_cast<std::byte>(y < 45 ? 200 : 0);
            falling.row(y)[static_cast<std::size_t>(x)] = static_cast<std::byte>(std::max(0, x - y));
        }
    }
    series->write(two, {1, 10});
    series->write(falling, {1, 10});
    series->finish();
    const ProgramResult failed =
        run_glproc(folder.path(), {"threshold", "z.tif", "out.tif", "--rule", "minimum"});
    INFO(failed.err);
    CHECK(failed.status != 0);
    CHECK(failed.err.find("z.tif#2: minimum finds no two peaks in the histogram") != std::string::npos);
}
