// compare and stats: what people and programs read, and the statuses.
#include "cli/glproc_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A picture, and one that differs in a single value.
struct TwoPictures : TempDir {
    TwoPictures() {
        Image picture = photo_like_image({.width = 31, .height = 17, .channels = 3});
        save(picture, *this / "a.png");
        std::uint8_t& value = picture.values<std::uint8_t>()[3 * (31 * 5 + 7) + 1];
        value = static_cast<std::uint8_t>(value < 128 ? value + 10 : value - 10);
        save(picture, *this / "b.png");
    }
};

} // namespace

TEST_CASE("compare: JSON, text, and status 1 beyond --max-diff") {
    const TwoPictures folder;
    const ProgramResult json = run_glproc(folder.path(), {"compare", "a.png", "b.png", "--json"});
    CHECK(json.status == 0);
    CHECK(json.out.starts_with(
        R"({"schema":"glproc.compare/1","input":"a.png","with":"b.png","mse":0.063251,"psnr":60.120122,"ssim":)"));
    CHECK(json.out.ends_with(R"("max_diff":10,"at":[7,5],"pixels":1})"
                             "\n"));
    CHECK(run_glproc(folder.path(), {"compare", "a.png", "--with", "b.png", "--json"}).out == json.out);
    const ProgramResult equal = run_glproc(folder.path(), {"compare", "a.png", "a.png", "--json"});
    CHECK(equal.out ==
          R"({"schema":"glproc.compare/1","input":"a.png","with":"a.png","mse":0,"psnr":null,"ssim":1,)"
          R"("max_diff":0,"at":[0,0],"pixels":0})"
          "\n");
    CHECK(run_glproc(folder.path(), {"compare", "a.png", "b.png", "--max-diff", "10", "-q"}).status == 0);
    const ProgramResult beyond =
        run_glproc(folder.path(), {"compare", "a.png", "b.png", "--max-diff", "9", "-qq"});
    CHECK(beyond.status == 1);
    CHECK(beyond.err == "glproc: error: the images differ by up to 10, more than --max-diff 9\n");
    CHECK(beyond.out.find("largest difference 10 at 7,5") != std::string::npos);
}

TEST_CASE("compare and stats need no device, and have the same figures by it") {
    const TwoPictures folder;
    save(random_image({23, 19, 4, Depth::f32}, 5), folder / "floats.tif");
    for (const std::vector<std::string>& call : {std::vector<std::string>{"compare", "a.png", "b.png", "--json"},
                                                 {"stats", "a.png", "--json", "--percentiles", "5,95"},
                                                 {"stats", "floats.tif", "--json", "--hidden"}}) {
        INFO(call[0] << " " << call[1]);
        const ProgramResult alone = run_without_gpu(folder.path(), call);
        CHECK(alone.status == 0);
        std::vector<std::string> by_device = call;
        if (call[0] == "stats") {
            by_device.insert(by_device.end(), {"--method", "gpu"});
        }
        CHECK(alone.out == run_glproc(folder.path(), by_device).out);
    }
    CHECK(run_without_gpu(folder.path(), {"compare", "a.png", "b.png", "--max-diff", "9", "-qq"}).status == 1);
    CHECK(run_without_gpu(folder.path(), {"compare", "a.png", "b.png", "--map", "map.png"}).status == 5);
}

TEST_CASE("compare: the map is a picture, and replaces no input") {
    const TwoPictures folder;
    CHECK(run_glproc(folder.path(), {"compare", "a.png", "b.png", "--map", "map.png", "-q"}).status == 0);
    CHECK(load(folder / "map.png").at(7, 5, 1) == 10);
    const std::string before = read_text(folder / "b.png");
    const ProgramResult over = run_glproc(folder.path(), {"compare", "a.png", "b.png", "--map", "b.png"});
    CHECK(over.status == 2);
    CHECK(read_text(folder / "b.png") == before);
    CHECK(run_glproc(folder.path(), {"compare", "a.png", "b.png", "--map", "map.svg"}).status == 2);
}

TEST_CASE("compare: a map that one can see, and bounds on PSNR and SSIM") {
    const TwoPictures folder;
    const auto run = [&](std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"compare", "a.png", "b.png", "-q"});
        return run_glproc(folder.path(), std::move(flags));
    };
    CHECK(run({"--map", "map.png", "--map-gain", "20"}).status == 0);
    CHECK(load(folder / "map.png").at(7, 5, 1) == 200);
    CHECK(run({"--map", "map.png", "--map-style", "red"}).out.find("differing pixels 1 (0.1898%)") !=
          std::string::npos);
    const Image marked = load(folder / "map.png");
    CHECK(marked.at(7, 5, 0) == 255);
    CHECK(marked.at(7, 5, 1) < 100);
    CHECK(marked.at(8, 5, 0) == marked.at(8, 5, 1));
    CHECK(run({"--min-psnr", "60", "--min-ssim", "0.9"}).status == 0);
    CHECK(run({"--min-psnr", "61"}).err ==
          "glproc: error: the images have a PSNR of 60.120 dB, less than --min-psnr 61\n");
    CHECK(run({"--min-ssim", "1"}).status == 1);
    CHECK(run({"--map-gain", "2"}).err == "glproc: error: --map-gain has no effect without --map\n");
}

TEST_CASE("compare: an alpha channel that is opaque everywhere does not matter") {
    const TwoPictures folder;
    REQUIRE(run_glproc(folder.path(), {"convert", "a.png", "rgba.png", "--alpha", "add"}).status == 0);
    CHECK(run_glproc(folder.path(), {"compare", "a.png", "rgba.png", "--max-diff", "0"}).status == 0);
    CHECK(run_glproc(folder.path(), {"compare", "rgba.png", "a.png", "--max-diff", "0"}).status == 0);
    save(random_image({31, 17, 4, Depth::u8}, 1), folder / "clear.png");
    CHECK(run_glproc(folder.path(), {"compare", "a.png", "clear.png"}).status == 1);
}

TEST_CASE("compare: what cannot be compared") {
    const TwoPictures folder;
    save(Image(5, 5, 1, Depth::u8), folder / "small.png");
    const ProgramResult missing = run_glproc(folder.path(), {"compare", "a.png", "nosuch.png"});
    CHECK(missing.status == 3);
    CHECK(missing.err == "glproc: error: nosuch.png: no such file\n");
    CHECK(run_glproc(folder.path(), {"compare", "a.png"}).status == 2);
    CHECK(run_glproc(folder.path(), {"compare", "-", "-"}).status == 2);
    const ProgramResult other = run_glproc(folder.path(), {"compare", "a.png", "small.png"});
    CHECK(other.status == 1); // another size is a difference
    CHECK(other.err.find("differ in size: 31x17, and 5x5") != std::string::npos);
    CHECK(other.out.empty());
}

TEST_CASE("stats: text, JSON and CSV") {
    const TempDir folder;
    write_text(folder / "tiny.pgm", "P2 4 2 255  0 0 64 128  128 128 255 255\n");
    const ProgramResult text = run_glproc(folder.path(), {"stats", "tiny.pgm", "--percentiles", "50,99"});
    CHECK(text.status == 0);
    CHECK(text.out ==
          "tiny.pgm  4x2  8-bit\n"
          "grey: min 0  max 255  mean 119.750  stddev 92.586  median 128  entropy 1.906  50% 128  99% 255\n");
    CHECK(
        run_glproc(folder.path(), {"stats", "tiny.pgm", "--json"}).out ==
        R"({"schema":"glproc.stats/1","input":"tiny.pgm","width":4,"height":2,"depth":8,"channels":[{"name":"grey","count":8,)"
        R"("nan":0,"min":0,"max":255,"mean":119.75,"stddev":92.586109,"median":128,"percentiles":[],"entropy":1.905639}]})"
        "\n");
    CHECK(run_glproc(folder.path(), {"stats", "tiny.pgm", "--format", "csv", "--percentiles", "10"}).out ==
          "channel,count,nan,min,max,mean,stddev,median,entropy,p10\n"
          "grey,8,0,0,255,119.75,92.58610856926649,128,1.9056390622295665,0\n");
    CHECK(run_glproc(folder.path(), {"stats", "tiny.pgm", "--percentiles", "101"}).status == 2);
}

namespace {

/// A picture with so many values near each other that any threshold has some next to it.
Image close_values(int channels, Depth depth) {
    Image image(300, 200, channels, depth);
    std::minstd_rand random;
    const auto fill = [&](auto values, auto value_of) {
        std::ranges::generate(values, [&] { return value_of(random() >> 8U & 15U); });
    };
    if (depth == Depth::u8) {
        fill(image.values<std::uint8_t>(),
             [](std::uint32_t v) { return static_cast<std::uint8_t>(120 + v); });
    } else if (depth == Depth::u16) {
        fill(image.values<std::uint16_t>(),
             [](std::uint32_t v) { return static_cast<std::uint16_t>(32000 + v); });
    } else {
        fill(image.values<float>(), [](std::uint32_t v) { return 0.5F + static_cast<float>(v) / 65536; });
    }
    return image;
}

} // namespace

TEST_CASE("threshold: the value that -v tells does the same once more") {
    const TempDir folder;
    for (const int channels : {1, 3, 4}) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (const std::string luma : {"rec709", "rec601"}) {
                const Image image = close_values(channels, depth);
                save(image, folder / "in.tif");
                const ProgramResult found = run_glproc(
                    folder.path(), {"threshold", "in.tif", "a.tif", "--rule", "otsu", "--luma", luma, "-v"});
                REQUIRE(found.status == 0);
                const std::string start = "in.tif: threshold ";
                const std::size_t at = found.err.find(start) + start.size();
                const std::string value = found.err.substr(at, found.err.find('\n', at) - at);
                INFO(channels << " channels, " << static_cast<int>(depth) << " bits, " << luma << ": "
                              << value);
                CHECK(value.size() <= 16);
                REQUIRE(run_glproc(folder.path(),
                                   {"threshold", "in.tif", "b.tif", "--at", value, "--luma", luma, "-q"})
                            .status == 0);
                CHECK(same_pixels(load(folder / "a.tif"), load(folder / "b.tif")));
            }
        }
    }
}

TEST_CASE("threshold and levels say with -v what they found, and do the same") {
    const TempDir folder;
    Image image(16, 16, 1, Depth::u8);
    for (std::size_t i = 0; i < image.bytes().size(); ++i) {
        image.bytes()[i] = static_cast<std::byte>(i % 2 == 0 ? 40 : 200);
    }
    save(image, folder.path() / "in.png");
    const auto said = [&](std::vector<std::string> words) {
        words.emplace_back("-v");
        return without_software_warning(run_glproc(folder.path(), std::move(words)).err);
    };
    CHECK(('\n' + said({"threshold", "in.png", "a.png", "--rule", "mean"})).find("\nin.png: threshold 1") != std::string::npos);
    CHECK(('\n' + said({"levels", "in.png", "b.png", "--auto=0"})).find("\nin.png: black 40/255, white 200/255\n") != std::string::npos);
    for (const std::string operation : {"levels --auto", "threshold --rule=otsu"}) { // but not of a probe
        const std::size_t space = operation.find(' ');
        const auto lines =
            lines_of(said({operation.substr(0, space), "in.png", "d.png", operation.substr(space + 1)}));
        CHECK(std::ranges::count_if(lines, [](const auto& line) { return line.starts_with("in.png: "); }) ==
              1);
    }
    CHECK(run_glproc(folder.path(), {"levels", "in.png", "c.png", "--auto=0"}).err.empty());
    CHECK(same_pixels(load(folder.path() / "b.png"), load(folder.path() / "c.png")));
}

TEST_CASE("measures of narrow floats keep their digits") {
    const TempDir folder;
    Image narrow(10, 3, 1, Depth::f32);
    Image other = narrow;
    double sum = 0;
    for (std::size_t i = 0; i < 30; ++i) {
        const auto value = static_cast<float>(2.68e-6 + 1e-7 * static_cast<double>(i * i % 29));
        narrow.values<float>()[i] = value;
        other.values<float>()[i] = value * 2;
        sum += double{value};
    }
    save(narrow, folder / "n.tif");
    save(other, folder / "o.tif");
    const auto printed = [&](const std::vector<std::string>& call) {
        const ProgramResult result = run_glproc(folder.path(), call);
        INFO(result.err);
        REQUIRE(result.status == 0);
        return result.out;
    };
    const auto number_after = [](const std::string& text, const std::string& key) {
        const std::size_t at = text.find(key);
        INFO(text << " " << key);
        REQUIRE(at != std::string::npos);
        return std::stod(text.substr(at + key.size()));
    };
    const auto values = narrow.values<float>();
    const double most = double{*std::ranges::max_element(values)};
    double squares = 0;
    double differences = 0;
    for (const float value : values) {
        squares += std::pow(double{value} - sum / 30, 2);
        differences += std::pow(double{value}, 2);
    }
    const std::string stats = printed({"stats", "n.tif", "--json", "--percentiles", "100"});
    CHECK(stats.find("\"min\":2.68e-06,") != std::string::npos);
    CHECK(static_cast<float>(number_after(stats, "\"max\":")) == static_cast<float>(most));
    CHECK(static_cast<float>(number_after(stats, "\"value\":")) == static_cast<float>(most));
    CHECK(number_after(stats, "\"mean\":") == Approx(sum / 30).epsilon(1e-8));
    CHECK(number_after(stats, "\"stddev\":") == Approx(std::sqrt(squares / 30)).epsilon(1e-6));
    const std::string text = printed({"stats", "n.tif"});
    CHECK(number_after(text, "mean ") == Approx(sum / 30).epsilon(1e-5));
    CHECK(number_after(text, "stddev ") == Approx(std::sqrt(squares / 30)).epsilon(1e-5));
    const std::string histogram = printed({"histogram", "n.tif", "--json"});
    CHECK(histogram.find("\"min\":2.68e-06,") != std::string::npos);
    CHECK(number_after(printed({"histogram", "n.tif"}), "mean ") == Approx(sum / 30).epsilon(1e-6));
    const std::string compared = printed({"compare", "n.tif", "o.tif", "--json"});
    CHECK(number_after(compared, "\"mse\":") == Approx(differences / 30).epsilon(1e-6));
    CHECK(static_cast<float>(number_after(compared, "\"max_diff\":")) == static_cast<float>(most));
    const std::string maxima = printed({"maxima", "n.tif", "--json"});
    CHECK(static_cast<float>(number_after(maxima, "\"value\":")) == static_cast<float>(most));
    Image all(10, 3, 1, Depth::u8);
    std::ranges::fill(all.bytes(), std::byte{255});
    save(all, folder / "all.png");
    const std::string components =
        printed({"components", "all.png", "--with", "n.tif", "--measure", "mean,min", "--json"});
    CHECK(number_after(components, "\"mean\":") == Approx(sum / 30).epsilon(1e-8));
    CHECK(components.find("\"min\":2.68e-06}") != std::string::npos);
}
