// Rules that compare a measure of both parts: entropies, and the fit of normal distributions.
#include "glproc/math/logarithm.hpp"
#include "glproc/ops/histogram/split_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace glproc {

namespace {

/// The first of the bins after which `join` of the measures of both parts is least. A Part adds up used bins;
/// none is best where all joins are endless.
template <class Part, class Join>
std::optional<std::int64_t> least_join(BinCounts counts, const Join& join) {
    const UsedBins used = used_bins(counts);
    std::vector<double> above(counts.size());
    Part upper;
    for (std::size_t bin = used.last; bin > used.first; --bin) {
        if (counts[bin] > 0) {
            upper.add(bin, static_cast<double>(counts[bin]));
        }
        above[bin - 1] = upper.measure();
    }
    Part lower;
    std::optional<std::int64_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t bin = used.first; bin < used.last; ++bin) {
        if (counts[bin] == 0) {
            continue; // as the bin before it
        }
        lower.add(bin, static_cast<double>(counts[bin]));
        const double joined = join(lower.measure(), above[bin]);
        if (joined < least) {
            least = joined;
            best = static_cast<std::int64_t>(bin);
        }
    }
    return best;
}

/// Shannon's entropy, - sum p ln p with p = count / pixels.
struct ShannonPart {
    double pixels = 0;
    double logs = 0; ///< the sum of count ln count

    void add(std::size_t, double count) {
        pixels += count;
        logs += count * natural_log(count);
    }
    double measure() const { return natural_log(pixels) - logs / pixels; }
};

/// exp of half of Renyi's entropy of order 1/2: sum sqrt(p).
struct RootPart {
    double pixels = 0;
    double roots = 0;

    void add(std::size_t, double count) {
        pixels += count;
        roots += std::sqrt(count);
    }
    double measure() const { return roots / std::sqrt(pixels); }
};

/// exp of minus Renyi's entropy of order 2: sum p^2.
struct SquarePart {
    double pixels = 0;
    double squares = 0;

    void add(std::size_t, double count) {
        pixels += count;
        squares += count * count;
    }
    double measure() const { return squares / pixels / pixels; }
};

/// Shanbhag's information: - sum p ln(1 - b / 2) / 2, where b is the share of the pixels of the part that lie
/// beyond the bin, seen from the other part. The shares change with each bin that is added, and the logarithm
/// is a series of their powers: sums[k] is the sum of count b^(k + 1).
struct InformationPart {
    double pixels = 0;
    std::array<double, 48> sums{}; ///< the terms after them are below 2^-53 of the sum

    void add(std::size_t, double count) {
        const double shrinks = pixels / (pixels + count);
        double power = 1;
        for (double& sum : sums) {
            power *= shrinks;
            sum = (sum + count) * power;
        }
        pixels += count;
    }
    double measure() const {
        double sum = 0;
        double half = 1;
        for (std::size_t k = 0; k < sums.size(); ++k) {
            half /= 2;
            sum += sums[k] * half / static_cast<double>(k + 1);
        }
        return sum / pixels / 2;
    }
};

/// The pixels times ln(variance) - 2 ln(pixels): what a part adds to the criterion of minerror_split(), apart
/// from constants.
struct NormalPart {
    double pixels = 0;
    double mean = 0;
    double squares = 0; ///< of the distances to the mean, by Welford's update

    void add(std::size_t bin, double count) {
        pixels += count;
        const double away = static_cast<double>(bin) - mean;
        mean += away * count / pixels;
        squares += count * away * (static_cast<double>(bin) - mean);
    }
    double measure() const {
        constexpr double none = std::numeric_limits<double>::infinity();
        return squares > 0 ? pixels * (natural_log(squares / pixels) - 2 * natural_log(pixels)) : none;
    }
};

double negative_sum(double lower, double upper) {
    return -(lower + upper);
}

double negative_product(double lower, double upper) {
    return -(lower * upper);
}

double product(double lower, double upper) {
    return lower * upper;
}

} // namespace

std::int64_t maxentropy_split(BinCounts counts) {
    return *least_join<ShannonPart>(counts, negative_sum);
}

std::int64_t yen_split(BinCounts counts) {
    return *least_join<SquarePart>(counts, product);
}

std::int64_t shanbhag_split(BinCounts counts) {
    return *least_join<InformationPart>(counts,
                                        [](double lower, double upper) { return std::abs(lower - upper); });
}

std::int64_t minerror_split(BinCounts counts) {
    const auto best =
        least_join<NormalPart>(counts, [](double lower, double upper) { return lower + upper; });
    return best ? *best : otsu_split(counts);
}

std::int64_t renyi_split(BinCounts counts) {
    std::array<std::int64_t, 3> splits{*least_join<RootPart>(counts, negative_product),
                                       maxentropy_split(counts), *least_join<SquarePart>(counts, product)};
    std::ranges::sort(splits);
    const auto near = static_cast<std::int64_t>(5 * counts.size() / 256);
    const bool is_lower_near = splits[1] - splits[0] <= near;
    const bool is_upper_near = splits[2] - splits[1] <= near;
    std::array<double, 3> weights{1, 2, 1};
    if (is_lower_near != is_upper_near) {
        weights = is_lower_near ? std::array<double, 3>{0, 1, 3} : std::array<double, 3>{3, 1, 0};
    }
    const auto end_of = [&](std::int64_t split) { return static_cast<std::size_t>(split) + 1; };
    const double all = sums_of(counts).pixels;
    const double below = sums_of(counts.first(end_of(splits[0]))).pixels / all;
    const double below_last = sums_of(counts.first(end_of(splits[2]))).pixels / all;
    const double between = below_last - below;
    // The weights of the three add up to 1, so the first split needs none.
    const double further =
        static_cast<double>(splits[1] - splits[0]) * between * weights[1] / 4 +
        static_cast<double>(splits[2] - splits[0]) * (1 - below_last + between * weights[2] / 4);
    constexpr double rounding = 1e-9; // a sum that is whole may lie below it
    return splits[0] + static_cast<std::int64_t>(further + rounding);
}

} // namespace glproc
