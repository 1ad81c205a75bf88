#include "support/scan_reference.hpp"

#include <bit>
#include <cmath>
#include <random>
#include <sstream>

namespace glproc::test {

namespace {

/// The exact sum so far; integers in 64 bits, which are cut to 32 when compared.
struct RunningSum {
    std::uint64_t integer = 0;
    double real = 0;
    double magnitude = 0;
};

void add(RunningSum& sum, std::uint32_t word, bool is_float) {
    if (is_float) {
        const auto value = double{std::bit_cast<float>(word)};
        sum.real += value;
        sum.magnitude += std::abs(value);
    } else {
        sum.integer += word; // i32 too: adding 2^32 more changes no bit of the lower 32
    }
}

bool agrees(const RunningSum& sum, std::uint32_t word, bool is_float, double roundings) {
    if (!is_float) {
        return word == static_cast<std::uint32_t>(sum.integer);
    }
    const auto value = double{std::bit_cast<float>(word)};
    return std::abs(value - sum.real) <= roundings * std::ldexp(1.0, -24) * sum.magnitude;
}

std::string report(std::size_t index, const RunningSum& sum, std::uint32_t word, bool is_float) {
    std::ostringstream out;
    out.precision(10);
    out << "sum " << index << " is ";
    if (is_float) {
        out << std::bit_cast<float>(word) << ", not " << sum.real;
    } else {
        out << word << ", not " << static_cast<std::uint32_t>(sum.integer);
    }
    return out.str();
}

} // namespace

std::vector<std::uint32_t> random_words(ScanInput input, std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> words(count);
    for (std::uint32_t& word : words) {
        word = static_cast<std::uint32_t>(random());
        if (input == ScanInput::whole_floats) {
            word = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(word % 9) - 4));
        } else if (input == ScanInput::floats) {
            word = std::bit_cast<std::uint32_t>(
                static_cast<float>(std::ldexp(static_cast<double>(word), -31) - 1));
        }
    }
    return words;
}

std::string scan_mismatch(const Scan& scan, std::span<const std::uint32_t> values,
                          std::span<const std::uint32_t> sums, double roundings) {
    const bool is_float = scan.type == ScanType::f32;
    RunningSum sum;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!scan.exclusive) {
            add(sum, values[i], is_float);
        }
        if (!agrees(sum, sums[i], is_float, roundings)) {
            return report(i, sum, sums[i], is_float);
        }
        if (scan.exclusive) {
            add(sum, values[i], is_float);
        }
    }
    return "none";
}

} // namespace glproc::test
