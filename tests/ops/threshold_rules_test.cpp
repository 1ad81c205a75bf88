// Every rule of thresholds beside the formula of its paper, on more than 200 histograms.
#include "glproc/base/error.hpp"
#include "glproc/math/logarithm.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/histogram/split.hpp"
#include "glproc/ops/threshold.hpp"
#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/operation_cases.hpp"
#include "support/threshold_truth.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

using namespace glproc;
using namespace glproc::test;

namespace {

struct NamedCounts {
    std::string name;
    Counts counts;
};

/// Numbers from 0 to 1, one after another.
class Chance {
  public:
    explicit Chance(std::uint32_t seed) : seed_(seed) {}
    double operator()(double low = 0, double high = 1) {
        return low + (high - low) * hash_01(seed_, ++drawn_);
    }

  private:
    std::uint32_t seed_;
    std::uint32_t drawn_ = 0;
};

double bell(double at, double middle, double width) {
    const double away = (at - middle) / width;
    return std::exp(-away * away / 2);
}

/// So many pixels by the given density, each bin with noise.
Counts counts_by(std::size_t bins, double pixels, Chance& chance,
                 const std::function<double(double)>& density) {
    std::vector<double> shares(bins);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        shares[bin] = density(static_cast<double>(bin));
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    Counts counts(bins);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double expected = pixels * shares[bin] / sum;
        const double noisy = expected + std::sqrt(expected) * chance(-1.7, 1.7) + chance(-0.5, 0.5);
        counts[bin] = static_cast<std::uint64_t>(std::max(0.0, noisy + 0.5));
    }
    counts[bins / 3] += 1; // no histogram is empty
    counts[bins / 2] += 2;
    counts[bins / 2 + 7] += 3;
    return counts;
}

Counts two_peaks(std::uint32_t seed) {
    Chance chance(seed);
    const double low = chance(15, 110);
    const double high = low + chance(40, 130);
    const double share = chance(0.05, 0.95);
    const double low_width = chance(4, 25);
    const double high_width = chance(4, 25);
    return counts_by(256, std::pow(10, chance(3.5, 6)), chance, [=](double at) {
        return share * bell(at, low, low_width) / low_width +
               (1 - share) * bell(at, high, high_width) / high_width;
    });
}

/// Several bells, and pixels that are cut off at black and white.
Counts photo(std::uint32_t seed) {
    Chance chance(seed);
    std::vector<std::array<double, 3>> bells;
    for (int i = 0; i < 4 + static_cast<int>(seed % 4); ++i) {
        bells.push_back({chance(0, 255), chance(5, 60), chance(0.1, 1)});
    }
    Counts counts = counts_by(256, 200000, chance, [&](double at) {
        double sum = 0;
        for (const auto& [middle, width, height] : bells) {
            sum += height * bell(at, middle, width);
        }
        return sum;
    });
    counts.front() += seed % 2 == 0 ? 0 : static_cast<std::uint64_t>(chance(0, 60000));
    counts.back() += seed % 3 == 0 ? static_cast<std::uint64_t>(chance(0, 20000)) : 0;
    return counts;
}

/// Few bright pixels on a dark background.
Counts faint(std::uint32_t seed) {
    Chance chance(seed);
    const double dark = chance(5, 60);
    const double width = chance(2, 12);
    const double tail = chance(15, 80);
    return counts_by(256, 60000, chance, [=](double at) {
        return bell(at, dark, width) + (at > dark ? 0.05 * std::exp(-at / tail) : 0);
    });
}

Counts empty_ends(std::uint32_t seed) {
    Chance chance(seed);
    const double low = chance(20, 110);
    const double high = low + chance(25, 130);
    return counts_by(256, 30000, chance, [=](double at) {
        return at < low || at > high ? 0 : 1 + 3 * bell(at, low + (high - low) / 3, 8);
    });
}

Counts few_pixels(std::uint32_t seed) {
    Chance chance(seed);
    Counts counts(256);
    for (int i = 0; i < 7 + static_cast<int>(seed % 50); ++i) {
        ++counts[static_cast<std::size_t>(chance(0, 256))];
    }
    return counts;
}

/// Two peaks of 16 bits, in every `step`-th of the codes from `from`.
Counts deep(std::uint32_t seed, std::size_t from, std::size_t step) {
    const Counts codes = seed % 2 == 0 ? two_peaks(seed) : faint(seed);
    Counts counts(65536);
    for (std::size_t code = 0; code < codes.size(); ++code) {
        counts[from + code * step] = codes[code];
    }
    return counts;
}

/// Histograms with three used bins or more.
std::vector<NamedCounts> many_counts() {
    std::vector<NamedCounts> all;
    const auto add = [&](const std::string& name, int number, const auto& make) {
        for (int i = 0; i < number; ++i) {
            all.push_back({name + " " + std::to_string(i), make(static_cast<std::uint32_t>(i))});
        }
    };
    add("two peaks", 60, two_peaks);
    add("photo", 50, photo);
    add("faint", 40, faint);
    add("empty ends", 20, empty_ends);
    add("spike", 10, [](std::uint32_t i) {
        Counts counts = two_peaks(100 + i);
        counts[20 + 23 * i] += 3 * *std::ranges::max_element(counts);
        return counts;
    });
    add("few pixels", 10, few_pixels);
    add("flat", 3, [](std::uint32_t i) { return Counts(256, 1 + 499 * i); });
    add("ramp", 4, [](std::uint32_t i) {
        Counts counts(256);
        for (std::size_t bin = 0; bin < 256; ++bin) {
            counts[bin] = i == 0   ? bin
                          : i == 1 ? 3 * (255 - bin) + 2
                          : i == 2 ? std::min(bin, 255 - bin)
                                   : bin / 9;
        }
        return counts;
    });
    add("three values", 6, [](std::uint32_t i) {
        Counts counts(256);
        counts[3 * i] = 100;
        counts[3 * i + 1] = 20 + 50 * i;
        counts[255 - 40 * i] = 70;
        return counts;
    });
    add("comb", 10, [](std::uint32_t i) {
        Counts counts(256);
        for (std::size_t bin = 0; bin < 256; bin += 2 + i % 4) {
            counts[bin] = two_peaks(i)[bin];
        }
        return counts;
    });
    add("16 bits", 12, [](std::uint32_t i) { return deep(i, 0, 257); });
    add("12 bits of 16", 8, [](std::uint32_t i) { return deep(i, 37 * i, 16); });
    add("narrow 16 bits", 8, [](std::uint32_t i) { return deep(i, 60000 - 911 * i, 1 + i); });
    return all;
}

std::optional<std::int64_t> found_by(SplitRule rule, const Counts& counts) {
    try {
        return split_of(counts, rule);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        CHECK(error.hint() == "take the rule otsu or triangle, which need no peaks");
        return std::nullopt;
    }
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
