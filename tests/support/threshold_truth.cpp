#include "support/threshold_parts.hpp"

#include <cmath>
#include <limits>

namespace glproc::test {

namespace {

double shannon(const BinPart& part) {
    const double pixels = part.pixels();
    return part.sum([&](double, double count) { return -count / pixels * std::log(count / pixels); });
}

double renyi(const BinPart& part, double order) {
    const double pixels = part.pixels();
    return std::log(part.sum([&](double, double count) { return std::pow(count / pixels, order); })) /
           (1 - order);
}

double kapur(BinSpan counts, std::size_t split) {
    const auto [lower, upper] = parts_of(counts, split);
    return -shannon(lower) - shannon(upper);
}

/// Equation (4) to (8) of Huang and Wang.
double huang(BinSpan counts, std::size_t split) {
    const auto range = static_cast<double>(counts.back().bin - counts.front().bin);
    double sum = 0;
    for (const BinPart& part : parts_of(counts, split)) {
        const double mean = part.mean();
        sum += part.sum([&](double bin, double count) {
            const double member = 1 / (1 + std::abs(bin - mean) / range);
            return member == 1 ? 0
                               : count * (-member * std::log(member) - (1 - member) * std::log(1 - member));
        });
    }
    return sum;
}

/// The memberships run from 1/2 at the split to 1 at the far end of each part.
double shanbhag(BinSpan counts, std::size_t split) {
    const double all = BinPart{counts}.pixels();
    std::array<double, 2> information{};
    for (const std::size_t upper : {0U, 1U}) {
        const BinPart part = parts_of(counts, split)[upper];
        const double share = part.pixels() / all;
        for (std::size_t i = 0; i < part.used.size(); ++i) {
            const BinPart further{upper == 1 ? part.used.subspan(i + 1) : part.used.first(i)};
            const double p = part.used[i].count / all;
            information[upper] -= 0.5 / share * p * std::log(1 - 0.5 / share * (further.pixels() / all));
        }
    }
    return std::abs(information[0] - information[1]);
}

double kittler(BinSpan counts, std::size_t split) {
    const double all = BinPart{counts}.pixels();
    double j = 1;
    for (const BinPart& part : parts_of(counts, split)) {
        const double share = part.pixels() / all;
        const double deviation = std::sqrt(part.variance());
        if (part.used.size() < 2) {
            return std::numeric_limits<double>::infinity();
        }
        j += 2 * share * std::log(deviation) - 2 * share * std::log(share);
    }
    return j;
}

double yen(BinSpan counts, std::size_t split) {
    const double all = BinPart{counts}.pixels();
    const auto squares = [&](double, double count) { return count / all * (count / all); };
    const auto [lower, upper] = parts_of(counts, split);
    return std::log(lower.sum(squares) * upper.sum(squares)) -
           2 * std::log(lower.pixels() / all * (upper.pixels() / all));
}

double otsu(BinSpan counts, std::size_t split) {
    const auto [lower, upper] = parts_of(counts, split);
    return -lower.pixels() * upper.pixels() * std::pow(lower.mean() - upper.mean(), 2);
}

std::size_t least_of(BinSpan counts, const std::function<double(std::size_t)>& criterion) {
    std::size_t best = counts.front().bin;
    double least = std::numeric_limits<double>::infinity();
    for (const UsedBin& at : counts.first(counts.size() - 1)) {
        if (const double value = criterion(at.bin); value < least) {
            best = at.bin;
            least = value;
        }
    }
    return best;
}

std::int64_t renyi_split(BinSpan counts, std::size_t bins) {
    const auto split_by = [&](double order) {
        return static_cast<double>(least_of(counts, [&](std::size_t split) {
            const auto [lower, upper] = parts_of(counts, split);
            return order == 1 ? kapur(counts, split) : -renyi(lower, order) - renyi(upper, order);
        }));
    };
    std::array<double, 3> t{split_by(0.5), split_by(1), split_by(2)};
    std::sort(t.begin(), t.end());
    const double near = std::floor(5 * static_cast<double>(bins) / 256);
    const bool is_low = t[1] - t[0] <= near;
    const bool is_high = t[2] - t[1] <= near;
    const std::array<double, 3> b = is_low == is_high ? std::array<double, 3>{1, 2, 1}
                                    : is_low          ? std::array<double, 3>{0, 1, 3}
                                                      : std::array<double, 3>{3, 1, 0};
    const double all = BinPart{counts}.pixels();
    const double low = parts_of(counts, static_cast<std::size_t>(t[0]))[0].pixels() / all;
    const double high = parts_of(counts, static_cast<std::size_t>(t[2]))[0].pixels() / all;
    const double w = high - low;
    const double mean = t[0] * (low + w * b[0] / 4) + t[1] * w * b[1] / 4 + t[2] * (1 - high + w * b[2] / 4);
    return static_cast<std::int64_t>(std::floor(mean + 1e-9));
}

std::int64_t isodata_split(BinSpan counts) {
    for (std::size_t i = 0; i + 1 < counts.size(); ++i) { // for all t from this used bin up to the next
        const auto [lower, upper] = parts_of(counts, counts[i].bin);
        const auto t = static_cast<std::size_t>((lower.mean() + upper.mean()) / 2);
        if (t >= counts[i].bin && t < counts[i + 1].bin) {
            return static_cast<std::int64_t>(t);
        }
    }
    return -1;
}

std::int64_t li_split(BinSpan counts) {
    const auto in_range = [&](double t) {
        return std::clamp(std::floor(t + 0.5), static_cast<double>(counts.front().bin),
                          static_cast<double>(counts.back().bin) - 1);
    };
    double t = in_range(BinPart{counts}.mean());
    for (int turn = 0; turn < 100000; ++turn) {
        const auto [lower, upper] = parts_of(counts, static_cast<std::size_t>(t));
        const double back = lower.mean();
        const double object = upper.mean();
        const double next = in_range(back == 0 ? 0 : (back - object) / (std::log(back) - std::log(object)));
        if (next == t) {
            return static_cast<std::int64_t>(t);
        }
        t = next;
    }
    return -1;
}

/// Tsai's appendix, in moments about a bin near the mean.
std::int64_t moments_split(BinSpan counts) {
    const double origin = std::floor(BinPart{counts}.mean());
    const double all = BinPart{counts}.pixels();
    const auto moment = [&](int power) {
        return BinPart{counts}.sum([&](double bin, double count) {
            return count * std::pow(bin - origin, power);
        }) / all;
    };
    const double m1 = moment(1), m2 = moment(2), m3 = moment(3);
    const double cd = m2 - m1 * m1;
    const double c0 = (m1 * m3 - m2 * m2) / cd;
    const double c1 = (m1 * m2 - m3) / cd;
    const double z0 = (-c1 - std::sqrt(c1 * c1 - 4 * c0)) / 2;
    const double z1 = (-c1 + std::sqrt(c1 * c1 - 4 * c0)) / 2;
    const double p0 = (z1 - m1) / (z1 - z0);
    for (const UsedBin& at : counts) {
        if (parts_of(counts, at.bin)[0].pixels() / all >= p0 - 1e-12) {
            return static_cast<std::int64_t>(std::min(at.bin, counts.back().bin - 1));
        }
    }
    return -1;
}

std::int64_t percentile_split(BinSpan counts) {
    const double all = BinPart{counts}.pixels();
    return static_cast<std::int64_t>(
        least_of(counts, [&](std::size_t t) { return std::abs(2 * parts_of(counts, t)[0].pixels() - all); }));
}

} // namespace

std::function<double(std::size_t)> criterion_of(std::string_view rule, const Counts& counts) {
    using Measure = double (*)(BinSpan, std::size_t);
    const Measure measure = rule == "huang"        ? huang
                            : rule == "maxentropy" ? kapur
                            : rule == "shanbhag"   ? shanbhag
                            : rule == "minerror"   ? kittler
                            : rule == "yen"        ? yen
                            : rule == "otsu"       ? otsu
                                                   : nullptr;
    if (measure == nullptr) {
        return {};
    }
    return [used = used_of(counts), measure](std::size_t t) { return measure(used, t); };
}

std::optional<std::int64_t> split_truth(std::string_view rule, const Counts& counts) {
    const std::vector<UsedBin> used = used_of(counts);
    if (rule == "huang") {
        const Grouped all = grouped(counts, 1024);
        return all.last_bin(
            static_cast<std::int64_t>(least_of(used_of(all.counts), criterion_of(rule, all.counts))));
    }
    if (const auto criterion = criterion_of(rule, counts)) {
        return static_cast<std::int64_t>(least_of(used, criterion));
    }
    return rule == "default"      ? imagej_truth(counts)
           : rule == "intermodes" ? intermodes_truth(counts)
           : rule == "isodata"    ? isodata_split(used)
           : rule == "li"         ? li_split(used)
           : rule == "mean"       ? static_cast<std::int64_t>(BinPart{used}.mean())
           : rule == "minimum"    ? minimum_truth(counts)
           : rule == "moments"    ? moments_split(used)
           : rule == "percentile" ? percentile_split(used)
           : rule == "renyi"      ? renyi_split(used, counts.size())
           : rule == "triangle"   ? std::optional(triangle_truth(counts))
                                  : std::nullopt;
}

} // namespace glproc::test
