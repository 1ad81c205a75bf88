// The histogram as the command line holds it: parameters from text, and the three formats, letter by letter.
#include "glproc/ops/histogram/report.hpp"

#include "glproc/ops/histogram/count.hpp"
#include "glproc/ops/histogram/statistics.hpp"
#include "support/hidden.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/histogram_reference.hpp"
#include "support/inputs.hpp"
#include "support/thread_limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

using enum HistogramChannel;

/// A report's tree on one line; numbers to six decimals, as the command line prints them.
struct Flat {
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const {
        return std::isfinite(value) ? fmt::format("{}", std::round(value * 1e6) / 1e6) : "null";
    }
    std::string operator()(FloatMeasure measure) const { return (*this)(measure.value); }
    std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
    std::string operator()(const Value::List& list) const {
        std::string text;
        for (const Value& item : list) {
            text += fmt::format("{}{}", text.empty() ? "" : ",", std::visit(*this, item.data));
        }
        return fmt::format("[{}]", text);
    }
    std::string operator()(const Value::Object& object) const {
        std::string text;
        for (const auto& [key, item] : object) {
            text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", key, std::visit(*this, item.data));
        }
        return fmt::format("{{{}}}", text);
    }
};

std::string flat(const Report& report) {
    return std::visit(Flat{}, report.tree.data);
}

template <class T>
Image image_of(int width, int height, int channels, Depth depth, const std::vector<T>& values) {
    Image image(width, height, channels, depth);
    REQUIRE(image.values<T>().size() == values.size());
    std::copy(values.begin(), values.end(), image.values<T>().begin());
    return image;
}

Image tiny() {
    return image_of<std::uint8_t>(4, 2, 1, Depth::u8, {0, 0, 64, 128, 128, 128, 255, 255});
}

/// What the registered operation reports with these flags.
Report report(const Image& image, const std::vector<std::pair<std::string, std::string>>& flags,
              const std::string& name = "tiny.pgm") {
    const auto operation = find_operation("histogram")->make();
    for (const auto& [flag, text] : flags) {
        operation->set(flag, text);
    }
    const GpuImage on_gpu = gpu().upload(image);
    return operation->run(gpu(), ImageInput{.name = name, .pixels = image, .image = on_gpu}).report.value();
}

Error refusal(const std::string& flag, const std::string& text) {
    try {
        find_operation("histogram")->make()->set(flag, text);
    } catch (const Error& error) {
        return error;
    }
    FAIL("--" << flag << " " << text << " is taken");
    throw;
}

} // namespace

TEST_CASE("the three formats, letter by letter, by every variant") {
    for (const auto& row : enum_rows<HistogramVariant>) {
        const Report got = report(tiny(), {{"bins", "4"}, {"method", std::string(row.name)}});
        INFO(row.name);
        CHECK(got.csv == "bin,lo,hi,luma\n"
                         "0,0,63.75,2\n"
                         "1,63.75,127.5,1\n"
                         "2,127.5,191.25,3\n"
                         "3,191.25,255,2\n");
        CHECK(
            flat(got) ==
            R"({"schema":"glproc.histogram/2","input":"tiny.pgm","width":4,"height":2,"depth":8,"pixels":8,"bins":4,)"
            R"("range":[0,255],"channels":[{"name":"luma","counts":[2,1,3,2],"min":0,"max":255,"mean":119.75,)"
            R"("stddev":92.586109,"median":128}]})");
        CHECK(got.text({40}) == "tiny.pgm  4x2  8-bit  luma\n"
                                "[0, 63.75)       2  25.0%  ###########################\n"
                                "[63.75, 127.5)   1  12.5%  #############\n"
                                "[127.5, 191.25)  3  37.5%  ########################################\n"
                                "[191.25, 255]    2  25.0%  ###########################\n"
                                "min 0  max 255  mean 119.750  stddev 92.586  median 128\n");
    }
}

TEST_CASE("several channels: a column each in CSV, a block each in text") {
    const Image image =
        image_of<std::uint8_t>(3, 1, 4, Depth::u8, {0, 10, 200, 255, 0, 20, 210, 255, 255, 30, 220, 0});
    const Report got = report(image, {{"bins", "2"}, {"channels", "a,r,luma"}}, "in.png");
    CHECK(got.csv == "bin,lo,hi,a,r,luma\n"
                     "0,0,127.5,1,2,2\n" // the third pixel cannot be seen
                     "1,127.5,255,2,0,0\n");
    CHECK(got.text({10}) == "in.png  3x1  8-bit  a\n"
                            "[0, 127.5)    1  33.3%  #####\n"
                            "[127.5, 255]  2  66.7%  ##########\n"
                            "min 0  max 255  mean 170.000  stddev 120.208  median 255\n"
                            "\n"
                            "in.png  3x1  8-bit  r\n"
                            "[0, 127.5)    2  66.7%  ##########\n"
                            "[127.5, 255]  0   0.0%\n"
                            "hidden 1\n"
                            "min 0  max 0  mean 0.000  stddev 0.000  median 0\n"
                            "\n"
                            "in.png  3x1  8-bit  luma\n"
                            "[0, 127.5)    2  66.7%  ##########\n"
                            "[127.5, 255]  0   0.0%\n"
                            "hidden 1\n"
                            "min 21.592  max 29.466  mean 25.529  stddev 3.937  median 21.592\n");
}

TEST_CASE("float images: outside and NaN are told, and the range is theirs") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Image image = image_of<float>(6, 1, 1, Depth::f32, {-1, 0, 1.5F, 2, nan, 8});
    const Report got = report(image, {{"bins", "2"}, {"range", "-1,2"}}, "a.hdr");
    CHECK(got.csv == "bin,lo,hi,luma\n"
                     "0,-1,0.5,2\n"
                     "1,0.5,2,2\n");
    CHECK(flat(got) ==
          R"({"schema":"glproc.histogram/2","input":"a.hdr","width":6,"height":1,"depth":32,"pixels":6,)"
          R"("bins":2,"range":[-1,2],"channels":[{"name":"luma","counts":[2,2],"outside":1,"nan":1,)"
          R"("min":-1,"max":8,"mean":2.1,"stddev":3.136877,"median":1.5}]})");
    CHECK(got.text({4}) == "a.hdr  6x1  32-bit float  luma\n"
                           "[-1, 0.5)  2  33.3%  ####\n"
                           "[0.5, 2]   2  33.3%  ####\n"
                           "outside 1  nan 1\n"
                           "min -1  max 8  mean 2.100000  stddev 3.136877  median 1.5\n");
}

TEST_CASE("nothing but NaN has no figures") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Report got = report(image_of<float>(2, 1, 1, Depth::f32, {nan, nan}), {{"bins", "1"}}, "n");
    CHECK(flat(got).find(R"("counts":[0],"outside":0,"nan":2,"min":null,"max":null,"mean":null)") !=
          std::string::npos);
    CHECK(got.text({40}).find("min n/a  max n/a  mean n/a  stddev n/a  median n/a\n") != std::string::npos);
    CHECK(got.text({40}).find("[0, 1]  0  0.0%\n") != std::string::npos);
}

TEST_CASE("a terminal gets 32 rows if bins are not given, everything else gets every bin") {
    const Image image = photo_like_image({61, 67, 3, Depth::u8});
    const Report open = report(image, {}, "a.png");
    const Report rows = report(image, {{"bins", "32"}}, "a.png");
    const auto rows_in = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
    CHECK(rows_in(open.text({40, true})) == rows_in(rows.text({40, false}))); // codes, where bins were not given
    CHECK(rows_in(open.text({40, false})) == rows_in(report(image, {{"bins", "256"}}, "a.png").text({40, true})));
    CHECK(open.text({40, false}) != open.text({40, true}));
    const Report floats = report(with_depth(image, Depth::f32), {}, "a.pfm");
    CHECK(floats.text({40, true}) ==
          report(with_depth(image, Depth::f32), {{"bins", "32"}}, "a.pfm").text({40}));
}

TEST_CASE("the range of an integer image is that of its codes") {
    const Report whole = report(tiny(), {{"range", "0,255"}, {"bins", "4"}});
    CHECK(whole.csv == report(tiny(), {{"bins", "4"}}).csv);
    try {
        report(tiny(), {{"range", "0,1"}});
        FAIL("a part of the codes is taken for the range");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::usage);
        CHECK(error.what() == std::string("--range 0,1 is for float images; this one has 8 bits a channel"));
    }
}

TEST_CASE("edges of neighbour bins stay apart in text") {
    for (const int bins : {3, 100, 101, 1000, 65536}) { // 256 rows are named by their codes
        const std::string text = report(tiny(), {{"bins", std::to_string(bins)}}).text({40});
        std::size_t line = text.find('\n') + 1;
        for (int bin = 0; bin < bins; ++bin) {
            const std::size_t comma = text.find(", ", line);
            const std::size_t end = text.find_first_of(")]", comma);
            const std::string low = text.substr(line + 1, comma - line - 1);
            const std::string high = text.substr(comma + 2, end - comma - 2);
            if (low == high || text[end] != (bin + 1 == bins ? ']' : ')')) {
                FAIL_CHECK(bins << " bins: [" << low << ", " << high << text[end]);
            }
            line = text.find('\n', end) + 1;
        }
    }
    CHECK(report(tiny(), {{"bins", "100"}}).text({40}).find("\n[2.55, 5.1) ") != std::string::npos);
    CHECK(report(tiny(), {{"bins", "32"}}).text({40}).find("\n[7.96875, 15.9375) ") != std::string::npos);
    CHECK(report(tiny(), {{"bins", "255"}}).text({40}).find("\n[1, 2) ") != std::string::npos);
}

TEST_CASE("parameters as text") {
    CHECK(refusal("channels", "luma,x").what() == std::string("unknown --channels 'x'"));
    CHECK(refusal("channels", "r,g,r").what() == std::string("--channels r,g,r names r twice"));
    CHECK(refusal("channels", "").what() == std::string("unknown --channels ''"));
    CHECK(refusal("luma", "rec70").what() == std::string("unknown --luma 'rec70' (did you mean 'rec709'?)"));
    CHECK(refusal("method", "shared").code() == ErrorCode::usage);
    CHECK(refusal("bins", "0").what() == std::string("--bins 0 is out of range"));
    CHECK(refusal("bins", "65537").code() == ErrorCode::usage);
    CHECK(refusal("bins", "2.5").code() == ErrorCode::usage);
    CHECK(refusal("range", "1").what() == std::string("--range 1 is not a pair of numbers"));
    CHECK(refusal("range", "0,1,2").what() == std::string("--range 0,1,2 is not a pair of numbers"));
    CHECK(refusal("range", "2,1").what() == std::string("--range 2,1 is empty"));
    CHECK(refusal("range", "1,1").what() == std::string("--range 1,1 is empty"));
    CHECK(refusal("range", "a,1").code() == ErrorCode::usage);
    CHECK(refusal("range", "0,nan").code() == ErrorCode::usage);
}

TEST_CASE("the description tells every parameter with its default") {
    const OpInfo& info = *find_operation("histogram");
    CHECK(info.product == Product::report);
    const auto standard = [&](const std::string& name) {
        for (const FieldInfo& field : info.fields) {
            if (field.name == name) {
                return field.default_value;
            }
        }
        return std::string("no such parameter");
    };
    CHECK(standard("bins") == "256");
    CHECK(standard("channels") == "luma");
    CHECK(standard("luma") == "rec709");
    CHECK(standard("range") == "0,1");
    CHECK(standard("method") == "auto");
}

TEST_CASE("statistics are those of all values, sorted") {
    const auto check = [](const Image& image, HistogramChannel channel, LumaWeights weights, bool hidden = false) {
        const Statistics got = measure(image, channel, weights, hidden);
        const Statistics expected = naive_statistics(image, channel, weights, hidden);
        // Luma of float images is a float; everything else is exact except for the last rounding.
        const bool rounded = image.depth() == Depth::f32 && channel == luma && image.channels() >= 3;
        const double margin = rounded ? 1e-6 : 0;
        INFO(describe(image) << ", " << name_of(channel));
        CHECK(std::abs(got.min - expected.min) <= margin);
        CHECK(std::abs(got.max - expected.max) <= margin);
        CHECK(std::abs(got.median - expected.median) <= margin);
        CHECK(std::abs(got.mean - expected.mean) <= margin + 1e-13 * std::abs(expected.mean));
        CHECK(std::abs(got.stddev - expected.stddev) <= margin + 1e-12 * std::abs(expected.max));
    };
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const Size& size : {Size{1, 1}, Size{2, 1}, Size{1, 3}, Size{61, 67}, Size{257, 33}}) {
            for (const int channels : {1, 2, 3, 4}) {
                const Shape shape{size.width, size.height, channels, depth};
                for (const Image& image :
                     {constant_image(shape, 0.25), two_valued_image(shape, 0.125, 1),
                      random_image(shape, 7, FloatRange::wide), photo_like_image(shape),
                      with_hidden_pixels(random_image(shape, 7, FloatRange::wide))}) {
                    if (std::isnan(naive_statistics(image, luma, LumaWeights::rec709).mean)) {
                        CHECK(std::isnan(measure(image, luma, LumaWeights::rec709, false).median)); // nothing can be seen
                        continue;
                    }
                    check(image, blue, LumaWeights::rec709, true);
                    check(image, luma, LumaWeights::rec709);
                    check(image, luma, LumaWeights::rec601);
                    check(image, blue, LumaWeights::rec709);
                    if (image.has_alpha()) {
                        check(image, alpha, LumaWeights::rec709);
                    }
                }
            }
        }
    }
}

TEST_CASE("statistics and counts are the same for any number of threads") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (const int channels : {1, 3}) {
            const Image image = random_image({1021, 1031, channels, depth}, 11);
            const auto counted = [&](std::size_t threads) {
                const ThreadLimit limit(threads);
                return count_on_cpu(image, Histogram{.bins = 1000}).front().counts;
            };
            const auto figures = [&](std::size_t threads) {
                const ThreadLimit limit(threads);
                const Statistics s = measure(image, luma, LumaWeights::rec709, false);
                return std::vector{s.min, s.max, s.mean, s.stddev, s.median};
            };
            INFO(describe(image));
            CHECK(counted(4) == counted(1));
            CHECK(figures(4) == figures(1));
        }
    }
}

TEST_CASE("sums do not overflow: white 16-bit luma") {
    const Statistics got = measure(constant_image({1024, 1024, 3, Depth::u16}, 1), luma, LumaWeights::rec709, false);
    CHECK(got.mean == 65535);
    CHECK(got.stddev == 0);
    CHECK(got.median == 65535);
}
