// Every rule of thresholds beside the formula of its paper, on more than 200 histograms.
#include "glproc/base/error.hpp"
#include "glproc/math/logarithm.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/histogram/split.hpp"
#include "glproc/ops/threshold.hpp"
#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"
#include "support/threshold_histograms.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

using namespace glproc;
using namespace glproc::test;

namespace {

std::optional<std::int64_t> found_by(SplitRule rule, const Counts& counts) {
    try {
        return split_of(counts, rule);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        CHECK(error.hint() == "take the rule otsu or triangle, which need no peaks");
        return std::nullopt;
    }
}

/// What the operation says of its thresholds.
std::string finding_of(Threshold op, const Image& image) {
    op.method = PointMethod::cpu;
    want_findings(true);
    static_cast<void>(take_findings());
    static_cast<void>(whole(op, image));
    const std::vector<std::string> findings = take_findings();
    want_findings(false);
    return findings.empty() ? "" : findings.back();
}

/// Those before "/255", or alone.
std::vector<double> numbers_in(const std::string& finding) {
    std::vector<double> numbers;
    for (std::size_t at = finding.find(' '); at != std::string::npos; at = finding.find(' ', at + 1)) {
        numbers.push_back(std::stod(finding.substr(at + 1)));
    }
    return numbers;
}

/// A level for each pixel by how many of the masks are white there.
Reference level_reference(const Image& image, const std::vector<Image>& masks) {
    Reference levels =
        point_reference(image, image.channels(), image.depth(), [](const auto& v) { return v; });
    const int colours = image.channels() - (image.has_alpha() ? 1 : 0);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto above =
                std::ranges::count_if(masks, [&](const Image& mask) { return mask.at(x, y, 0) > 0; });
            for (int c = 0; c < colours; ++c) {
                levels.at(x, y, c) =
                    max_code(image.depth()) * static_cast<double>(above) / static_cast<double>(masks.size());
            }
        }
    }
    return levels;
}

} // namespace

TEST_CASE("each rule of thresholds finds the split of its formula") {
    const std::vector<NamedCounts> all = many_counts();
    REQUIRE(all.size() >= 200);
    std::map<std::string_view, int> found;
    for (const auto& [name, counts] : all) {
        for (const auto& row : enum_rows<SplitRule>) {
            INFO(row.name << " of " << name);
            const std::optional<std::int64_t> split = found_by(row.value, counts);
            const std::optional<std::int64_t> right = split_truth(row.name, counts);
            REQUIRE(split.has_value() == right.has_value());
            if (!split) {
                continue;
            }
            ++found[row.name];
            const auto criterion = criterion_of(row.name, counts);
            if (*split == *right || !criterion || row.value == SplitRule::huang) {
                CHECK(*split == *right);
            } else { // equally good, except for the order in which sums are rounded
                CHECK(criterion(static_cast<std::size_t>(*split)) ==
                      Approx(criterion(static_cast<std::size_t>(*right))).epsilon(1e-13).margin(1e-13));
            }
        }
    }
    CHECK(found["intermodes"] > 150);
    CHECK(found["minimum"] > 150);
    CHECK(found["huang"] == static_cast<int>(all.size()));
}

TEST_CASE("rules of thresholds split two values between them, and take one as the lower part") {
    for (const auto& row : enum_rows<SplitRule>) {
        if (row.value == SplitRule::otsu || row.value == SplitRule::triangle ||
            row.value == SplitRule::mean) {
            continue; // as OpenCV and NumPy; see threshold_test.cpp
        }
        for (const std::size_t bins : {256U, 65536U}) {
            INFO(row.name << " of " << bins << " bins");
            CHECK(split_of(Counts(bins), row.value) == 0);
            for (const std::size_t low : {std::size_t{0}, std::size_t{17}, bins / 2, bins - 2}) {
                Counts counts(bins);
                counts[low] = 5;
                CHECK(split_of(counts, row.value) == static_cast<std::int64_t>(low));
                for (const std::size_t high : {low + 1, bins - 1}) {
                    Counts two = counts;
                    two[high] += 9;
                    CHECK(split_of(two, row.value) == static_cast<std::int64_t>(low));
                }
            }
        }
    }
}

TEST_CASE("rules of thresholds with a known result") {
    // Two peaks that any language can make. By AutoThresholder of ImageJ 1.53t, except for minerror (106
    // there).
    Counts counts(256);
    for (std::size_t bin = 0; bin < 256; ++bin) {
        const auto height = [&](std::size_t middle, std::size_t width, std::size_t most) {
            const std::size_t away = bin > middle ? bin - middle : middle - bin;
            return away < width ? most * (width - away) * (width - away) / (width * width) : 0;
        };
        counts[bin] = 3 + height(60, 50, 4000) + height(170, 70, 1500) + bin * 7 % 11;
    }
    const std::map<std::string_view, int> right{
        {"default", 115}, {"huang", 110},     {"intermodes", 115}, {"isodata", 115},
        {"li", 106},      {"maxentropy", 92}, {"mean", 98},        {"minerror", 108},
        {"minimum", 109}, {"moments", 115},   {"otsu", 115},       {"percentile", 71},
        {"renyi", 91},    {"shanbhag", 141},  {"triangle", 105},   {"yen", 86}};
    for (const auto& row : enum_rows<SplitRule>) {
        INFO(row.name);
        CHECK(split_of(counts, row.value) == right.at(row.name));
    }
}

TEST_CASE("Otsu's rule for classes finds the best of all combinations of splits") {
    std::map<int, int> compared;
    for (const auto& [name, counts] : many_counts()) {
        for (const int classes : {2, 3, 4, 5}) {
            INFO("otsu:" << classes << " of " << name);
            const std::optional<std::vector<std::int64_t>> right = otsu_truth(counts, classes);
            if (!right) {
                continue; // too many combinations
            }
            ++compared[classes];
            const std::vector<std::int64_t> splits = otsu_splits(counts, classes);
            REQUIRE(splits.size() == static_cast<std::size_t>(classes) - 1);
            CHECK(variance_between(counts, splits) ==
                  Approx(variance_between(counts, *right)).epsilon(1e-13));
            if (variance_between(counts, splits) > variance_between(counts, *right)) {
                continue; // equally good, except for the order in which sums are rounded
            }
            CHECK(splits == *right);
        }
    }
    CHECK(compared[3] > 200);
    CHECK(compared[4] > 100);
    CHECK(compared[5] > 20);
}

TEST_CASE("Otsu's rule for classes leaves the highest ones empty where there are fewer values") {
    using Splits = std::vector<std::int64_t>;
    Counts counts(256);
    CHECK(otsu_splits(counts, 3) == Splits{0, 0});
    counts[7] = 3;
    CHECK(otsu_splits(counts, 3) == Splits{7, 7});
    counts[200] = 1;
    CHECK(otsu_splits(counts, 3) == Splits{7, 200});
    CHECK(otsu_splits(counts, 5) == Splits{7, 200, 200, 200});
    counts[199] = 9;
    CHECK(otsu_splits(counts, 3) == Splits{7, 199});
    CHECK(otsu_splits(counts, 4) == Splits{7, 199, 200});
    CHECK(usage_error(Threshold{.rule = ThresholdRule(SplitRule::otsu, 6)}) == "rule otsu 6 is out of range");
}

TEST_CASE("threshold by classes gives each its level, by every method, whole and in tiles") {
    for (const Shape& shape : all_kinds(Size{61, 47})) {
        const Image image = photo_like_image(shape, 5);
        for (const int classes : {3, 4, 5}) {
            const ThresholdRule rule(SplitRule::otsu, classes);
            const std::string finding = finding_of({.rule = rule}, image);
            INFO(finding << " of " << describe(image));
            std::vector<Image> masks;
            for (const double value : numbers_in(finding)) {
                masks.push_back(
                    whole(Threshold{.at = value / max_code(shape.depth), .method = PointMethod::cpu}, image));
            }
            REQUIRE(masks.size() == static_cast<std::size_t>(classes) - 1);
            check_operation(Threshold{.rule = rule}, image, level_reference(image, masks));
        }
    }
}

TEST_CASE("rules of thresholds take a full histogram of 16 bits in bounded time") {
    Chance chance(7);
    const Counts counts = counts_by(65536, 3e7, chance, [](double at) {
        return bell(at, 14000, 6000) + 0.4 * bell(at, 47000, 8000) + 0.01;
    });
    for (const auto& row : enum_rows<SplitRule>) {
        const auto begin = std::chrono::steady_clock::now();
        const std::int64_t split = split_of(counts, row.value);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        INFO(row.name << " finds " << split);
        CHECK(split > 5000);
        CHECK(split < 60000);
        CHECK(seconds.count() < 20); // of a slow build; 0.2 in a fast one
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<std::int64_t> splits = otsu_splits(counts, 5);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    CHECK(std::ranges::is_sorted(splits));
    CHECK(seconds.count() < 2);
}

TEST_CASE("rules of thresholds are the same for 8 bits and their copies of 16 bits where both have a bin for "
          "each code") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const Counts codes = photo(seed);
        Counts copies(65536);
        for (std::size_t code = 0; code < codes.size(); ++code) {
            copies[257 * code] = codes[code];
        }
        for (const SplitRule rule : {SplitRule::imagej, SplitRule::intermodes, SplitRule::minimum}) {
            INFO(name_of(rule) << " of photo " << seed);
            const auto split = found_by(rule, codes);
            const auto deep_split = found_by(rule, copies);
            REQUIRE(split.has_value() == deep_split.has_value());
            if (split) {
                CHECK(*deep_split / 256 == *split); // the group that holds the code
            }
        }
        for (const SplitRule rule :
             {SplitRule::maxentropy, SplitRule::yen, SplitRule::shanbhag, SplitRule::percentile}) {
            INFO(name_of(rule) << " of photo " << seed);
            CHECK(split_of(copies, rule) == 257 * split_of(codes, rule));
        }
    }
}

TEST_CASE("threshold names the value that a rule takes, and makes it") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const Image image = photo_like_image({61, 47, 1, depth}, 5);
        for (const auto& row : enum_rows<SplitRule>) {
            INFO(row.name << " of " << describe(image));
            want_findings(true);
            static_cast<void>(take_findings());
            const Image by_rule = whole(Threshold{.rule = row.value, .method = PointMethod::cpu}, image);
            const std::vector<std::string> findings = take_findings();
            want_findings(false);
            REQUIRE(findings.size() == 1);
            const std::string text = findings.front();
            REQUIRE(text.starts_with("threshold "));
            const double value = std::stod(text.substr(10));
            const double white = depth == Depth::u8 ? 255 : depth == Depth::u16 ? 65535 : 1;
            CHECK_THAT(whole(Threshold{.at = value / white, .method = PointMethod::cpu}, image),
                       IsBitwise(by_rule));
        }
    }
}

TEST_CASE("threshold counts the pixels alone that a mask has set, by every method, whole and in tiles") {
    int differ = 0;
    for (const Shape& shape : all_kinds(Size{61, 47})) {
        const Image image = photo_like_image(shape, 5);
        auto mask = std::make_shared<Image>(61, 47, 1, Depth::u8);
        std::vector<std::pair<int, int>> set;
        for (int y = 0; y < 47; ++y) {
            for (int x = 0; x < 61; ++x) {
                if (hash_01(3, static_cast<std::uint32_t>(y * 61 + x)) < 0.02 * (x - 9)) {
                    mask->values<std::uint8_t>()[static_cast<std::size_t>(y * 61 + x)] = 1;
                    set.emplace_back(x, y);
                }
            }
        }
        Image alone(static_cast<int>(set.size()), 1, shape.channels, shape.depth);
        const std::size_t pixel = image.bytes().size() / (61 * 47);
        for (std::size_t i = 0; i < set.size(); ++i) {
            const auto from = static_cast<std::size_t>(set[i].second * 61 + set[i].first) * pixel;
            std::ranges::copy(image.bytes().subspan(from, pixel),
                              alone.bytes().begin() + static_cast<std::ptrdiff_t>(i * pixel));
        }
        for (const ThresholdRule& rule : {ThresholdRule(SplitRule::otsu), ThresholdRule(SplitRule::li),
                                          ThresholdRule(SplitRule::otsu, 4)}) {
            const Threshold op{.rule = rule, .mask = {"mask.png", mask}};
            const std::string right = finding_of({.rule = rule}, alone);
            INFO(right << " of " << describe(image));
            CHECK(finding_of(op, image) == right);
            differ += finding_of({.rule = rule}, image) != right ? 1 : 0;
            std::vector<Image> masks;
            for (const double value : numbers_in(right)) {
                masks.push_back(
                    whole(Threshold{.at = value / max_code(shape.depth), .method = PointMethod::cpu}, image));
            }
            check_operation(op, image, level_reference(image, masks));
        }
    }
    CHECK(differ > 20); // of 36 from what all pixels say
}

TEST_CASE("threshold refuses a mask of another size, and one that sets nothing") {
    const Image image = photo_like_image({61, 47, 1, Depth::u8}, 5);
    const Image black(61, 47, 1, Depth::u8);
    for (const auto& row : enum_rows<PointMethod>) {
        Threshold op{.rule = SplitRule::otsu,
                     .mask = {"m.png", std::make_shared<const Image>(61, 46, 1, Depth::u8)},
                     .method = row.value};
        CHECK_THROWS_WITH(whole(op, image), "--mask m.png is 61x46 pixels, and the image 61x47");
        op.mask.image = std::make_shared<const Image>(black);
        CHECK_THROWS_WITH(whole(op, image), "--mask m.png is black everywhere");
    }
}

TEST_CASE("threshold counts 16 bits in as many bins as it is told, and 8 bits in 256") {
    const Image image = photo_like_image({61, 47, 1, Depth::u16}, 5);
    for (const int bins : {2, 3, 100, 256, 1000, 65535, 65536}) {
        const auto bin_of = [&](double code) {
            return static_cast<std::int64_t>(std::min(bins - 1.0, std::floor(code * bins / 65535)));
        };
        Counts counts(static_cast<std::size_t>(bins));
        for (const std::uint16_t code : image.values<std::uint16_t>()) {
            ++counts[static_cast<std::size_t>(bin_of(code))];
        }
        const std::int64_t split = *split_truth("otsu", counts);
        INFO(bins << " bins, split " << split);
        const auto answer = point_reference(image, 1, Depth::u16, [&](const auto& v) {
            const double value = bin_of(std::round(v[0] * 65535)) > split ? 1 : 0;
            return std::array<double, 4>{value, value, value, v[3]};
        });
        check_operation(Threshold{.rule = SplitRule::otsu, .bins = bins}, image, answer);
    }
    const Image codes = photo_like_image({61, 47, 3, Depth::u8}, 5);
    CHECK(finding_of({.rule = SplitRule::otsu, .bins = 10}, codes) ==
          finding_of({.rule = SplitRule::otsu}, codes));
    CHECK(usage_error(Threshold{.rule = SplitRule::otsu, .bins = 1}) == "bins 1 is out of range");
}

TEST_CASE("the logarithm is that of the C library, within 2 units in the last place") {
    Chance chance(3);
    for (int i = 0; i < 20000; ++i) {
        const double x = std::exp2(chance(-300, 300));
        const double near = 1 + chance(-1e-3, 1e-3) * chance();
        for (const double value : {x, near, chance(0.7, 1.5), static_cast<double>(i + 1)}) {
            const double right = std::log(value);
            const double unit = std::abs(std::nextafter(right, 1e300) - right);
            REQUIRE(std::abs(natural_log(value) - right) <= 2 * unit);
        }
    }
    CHECK(natural_log(1) == 0);
}
