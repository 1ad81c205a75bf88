#include "support/threshold_parts.hpp"

namespace glproc::test {

namespace {

/// Counted from the mean of all, so that the values of classes are not much larger than their differences.
double worth_of(const BinPart& part, double middle) {
    const double pixels = part.pixels();
    const double sum = part.sum([&](double bin, double count) { return (bin - middle) * count; });
    return sum * sum / pixels;
}

/// H(u, v) of Liao, Chen and Chung: what the class from one used bin to another adds.
std::vector<std::vector<double>> table_of(BinSpan used) {
    const double middle = BinPart{used}.mean();
    std::vector<std::vector<double>> table(used.size());
    for (std::size_t first = 0; first < used.size(); ++first) {
        for (std::size_t last = first; last < used.size(); ++last) {
            table[first].push_back(worth_of({used.subspan(first, last + 1 - first)}, middle));
        }
    }
    return table;
}

double number_of_combinations(std::size_t of, int parts) {
    double number = 1;
    for (int i = 0; i < parts; ++i) {
        number *= (static_cast<double>(of) - i) / (i + 1);
    }
    return number;
}

/// Tries all ends of the classes from one used bin on.
struct Search {
    const std::vector<std::vector<double>>& table;
    std::vector<std::size_t> ends = {};
    std::vector<std::size_t> best_ends = {};
    double most = -1;

    void try_all(std::size_t first, int classes, double before) {
        if (classes == 1) {
            if (const double sum = before + table[first].back(); sum > most) {
                most = sum;
                best_ends = ends;
            }
            return;
        }
        for (std::size_t last = first; last + static_cast<std::size_t>(classes) <= table.size(); ++last) {
            ends.push_back(last);
            try_all(last + 1, classes - 1, before + table[first][last - first]);
            ends.pop_back();
        }
    }
};

} // namespace

double variance_between(const Counts& counts, const std::vector<std::int64_t>& splits) {
    const std::vector<UsedBin> used = used_of(counts);
    const double middle = BinPart{used}.mean();
    double sum = 0;
    BinSpan rest = used;
    for (const std::int64_t split : splits) {
        const auto [lower, upper] = parts_of(rest, static_cast<std::size_t>(split));
        sum += worth_of(lower, middle);
        rest = upper.used;
    }
    return sum + worth_of({rest}, middle);
}

std::optional<std::vector<std::int64_t>> otsu_truth(const Counts& counts, int classes) {
    constexpr double most_combinations = 1.5e6;
    const std::vector<UsedBin> used = used_of(counts);
    if (used.size() < static_cast<std::size_t>(classes) ||
        number_of_combinations(used.size() - 1, classes - 1) > most_combinations) {
        return std::nullopt;
    }
    const std::vector<std::vector<double>> table = table_of(used);
    Search search{table};
    search.try_all(0, classes, 0);
    std::vector<std::int64_t> splits;
    for (const std::size_t end : search.best_ends) {
        splits.push_back(static_cast<std::int64_t>(used[end].bin));
    }
    return splits;
}

} // namespace glproc::test
