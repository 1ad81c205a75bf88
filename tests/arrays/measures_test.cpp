// Measures of groups of values, by their definition.
#include "glproc/arrays/measures/measures.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/base/random_words.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace glproc;

namespace {

constexpr std::size_t group_count = 9; // the last has no values

template <class T>
constexpr Number number_of() {
    return std::is_same_v<T, double>         ? Number::f64
           : std::is_same_v<T, float>        ? Number::f32
           : std::is_same_v<T, std::uint8_t> ? Number::u8
                                             : Number::i64;
}

/// Values with their groups.
template <class T>
struct Sample {
    std::vector<T> values;
    std::vector<std::int32_t> groups;

    Sample(std::size_t count, std::uint32_t seed) {
        RandomWords words(seed);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t word = words();
            values.push_back(static_cast<T>(static_cast<double>(word >> 9) / (sizeof(T) == 1 ? 40000 : 7)));
            groups.push_back(static_cast<std::int32_t>((word >> 4) % (group_count - 1)));
        }
        for (std::size_t i = 1; i < count / 2; ++i) {
            groups[i] = i % 5 != 0 ? groups[i - 1] : groups[i]; // runs
        }
    }

    MeasureJob job() const { return {number_of<T>(), std::as_bytes(std::span(values)), {groups, group_count}}; }

    std::vector<std::size_t> places(std::size_t group) const {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (static_cast<std::size_t>(groups[i]) == group) {
                all.push_back(i);
            }
        }
        return all;
    }
};

struct Tables {
    explicit Tables(std::size_t size)
        : least(size * group_count), largest(size * group_count), least_at(group_count),
          largest_at(group_count), flags(group_count) {}

    Extremes room() { return {least, largest, least_at, largest_at, flags}; }

    std::vector<std::byte> least;
    std::vector<std::byte> largest;
    std::vector<std::int64_t> least_at;
    std::vector<std::int64_t> largest_at;
    std::vector<std::uint8_t> flags;
};

template <class T>
T at(const std::vector<std::byte>& bytes, std::size_t i) {
    return reinterpret_cast<const T*>(bytes.data())[i];
}

template <class T>
void check_order(const Sample<T>& sample) {
    Tables tables(sizeof(T));
    find_extremes(sample.job(), tables.room());
    std::vector<std::byte> below(sizeof(T) * group_count);
    std::vector<std::byte> above(below.size());
    find_middles(sample.job(), below, above);
    for (std::size_t group = 0; group < group_count; ++group) {
        std::vector<std::size_t> places = sample.places(group);
        std::stable_sort(places.begin(), places.end(),
                         [&](std::size_t a, std::size_t b) { return sample.values[a] < sample.values[b]; });
        const auto value = [&](std::size_t i) { return sample.values[places[i]]; };
        const std::size_t count = places.size();
        CAPTURE(group, count);
        CHECK(at<T>(tables.least, group) == (count > 0 ? value(0) : T{}));
        CHECK(at<T>(tables.largest, group) == (count > 0 ? value(count - 1) : T{}));
        CHECK(((tables.flags[group] & Extremes::ties_of_least) != 0) == (count > 1 && value(0) == value(1)));
        CHECK(((tables.flags[group] & Extremes::ties_of_largest) != 0) ==
              (count > 1 && value(count - 1) == value(count - 2)));
        if (count > 0) {
            CHECK(sample.values[static_cast<std::size_t>(tables.least_at[group])] == value(0));
            CHECK(sample.values[static_cast<std::size_t>(tables.largest_at[group])] == value(count - 1));
            CHECK(at<T>(below, group) == value((count - 1) / 2));
            CHECK(at<T>(above, group) == value(count / 2));
        }
    }
}

template <class T>
void check_sums(const Sample<T>& sample) {
    std::vector<std::int64_t> counts(group_count);
    std::vector<double> sums(group_count);
    count_and_sum(sample.job(), counts, sums);
    const std::vector<double> means{1.5, -2, 0, 7, 1e3, 0.1, 3, 4, 5};
    std::vector<double> squares(group_count);
    sum_squares(sample.job(), means, squares);
    constexpr std::int64_t step = 3;
    constexpr std::int64_t length = 5;
    std::vector<double> by_index(group_count);
    sum_by_index(sample.job(), step, length, by_index);
    for (std::size_t group = 0; group < group_count; ++group) {
        double sum = 0;
        double square = 0;
        double weighted = 0;
        for (const std::size_t i : sample.places(group)) {
            const auto value = static_cast<double>(sample.values[i]);
            sum += value;
            square += (value - means[group]) * (value - means[group]);
            weighted += value * static_cast<double>(static_cast<std::int64_t>(i) / step % length);
        }
        CAPTURE(group);
        CHECK(counts[group] == static_cast<std::int64_t>(sample.places(group).size()));
        CHECK(sums[group] == sum); // in this order
        CHECK(squares[group] == square);
        CHECK(by_index[group] == weighted);
    }
}

template <class T>
void check_all() {
    for (const std::size_t count : {std::size_t{1}, std::size_t{40}, std::size_t{300001}}) {
        const Sample<T> sample(count, static_cast<std::uint32_t>(count));
        check_order(sample);
        check_sums(sample);
    }
}

} // namespace

TEST_CASE("groups have the measures of their values") {
    limit_threads(3);
    check_all<double>();
    check_all<float>();
    check_all<std::uint8_t>();
    check_all<std::int64_t>();
    limit_threads(0);
}

TEST_CASE("values that are no number are the largest") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> values{nan, 2, HUGE_VAL, nan, -1, nan, 0.0, -0.0};
    const std::vector<std::int32_t> groups{0, 0, 0, 1, 2, 2, 3, 3};
    const MeasureJob job{Number::f64, std::as_bytes(std::span(values)), {groups, 4}};
    Tables tables(sizeof(double));
    find_extremes(job, tables.room());
    CHECK(at<double>(tables.least, 0) == 2);
    CHECK(std::isnan(at<double>(tables.largest, 0)));
    CHECK(std::isnan(at<double>(tables.least, 1)));
    CHECK(tables.largest_at[2] == 5);
    CHECK(tables.flags[2] == 0);
    CHECK(tables.flags[3] == (Extremes::ties_of_least | Extremes::ties_of_largest |
                              Extremes::two_zeros_least | Extremes::two_zeros_largest));
    std::vector<std::byte> below(4 * sizeof(double));
    std::vector<std::byte> above(below.size());
    find_middles(job, below, above);
    CHECK(at<double>(above, 0) == HUGE_VAL);
    CHECK(at<double>(below, 2) == -1);
    CHECK(std::isnan(at<double>(above, 2)));
}

TEST_CASE("places come group by group in their order") {
    const std::vector<std::int32_t> groups{2, 0, 2, 3, 0};
    std::vector<std::int64_t> starts(5);
    std::vector<std::int64_t> places(5);
    group_places({groups, 4}, starts, places);
    CHECK(starts == std::vector<std::int64_t>{0, 2, 2, 4, 5});
    CHECK(places == std::vector<std::int64_t>{1, 4, 0, 2, 3});
}

TEST_CASE("groups that change while they are measured touch nothing but the tables") {
    constexpr std::size_t count = 100000;
    const std::vector<double> values(count, 1.0);
    std::vector<std::int32_t> groups(count);
    for (const std::int32_t wrong : {-1, 4, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        for (std::size_t i = 0; i < count; ++i) {
            groups[i] = i % 3 == 0 ? wrong : static_cast<std::int32_t>(i % 4); // as another thread may leave them behind
        }
        const MeasureJob job{Number::f64, std::as_bytes(std::span(values)), {groups, 4}};
        std::vector<std::int64_t> counts(4);
        std::vector<double> sums(4);
        count_and_sum(job, counts, sums);
        CHECK(counts[0] + counts[1] + counts[2] + counts[3] == count);
        std::vector<double> squares(4);
        sum_squares(job, sums, squares);
        sum_by_index(job, 1, count, squares);
        Tables tables(sizeof(double));
        find_extremes(job, {std::span(tables.least).first(32), std::span(tables.largest).first(32), std::span(tables.least_at).first(4),
                            std::span(tables.largest_at).first(4), std::span(tables.flags).first(4)});
        std::vector<std::byte> below(4 * sizeof(double));
        std::vector<std::byte> above(below.size());
        find_middles(job, below, above);
        std::vector<std::int64_t> starts(5);
        std::vector<std::int64_t> places(count);
        group_places({groups, 4}, starts, places);
        CHECK(starts[4] == count);
    }
}
