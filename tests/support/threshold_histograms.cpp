#include "support/threshold_histograms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace glproc::test {

double bell(double at, double middle, double width) {
    const double away = (at - middle) / width;
    return std::exp(-away * away / 2);
}

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

namespace {

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

} // namespace

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

} // namespace glproc::test
