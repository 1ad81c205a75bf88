#include "glproc/arrays/number_cast.hpp"
#include "glproc/arrays/splines/taps.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

namespace glproc {

namespace {

/// As SciPy's interpolation stores a value: within the type, to the nearest integer.
template <class T>
T stored(double value, bool rounds) {
    if constexpr (std::is_integral_v<T>) {
        if (rounds) {
            constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
            constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
            value = value > 0 ? value + 0.5 : std::is_unsigned_v<T> ? 0.0 : value - 0.5;
            if (value > most || value < least) {
                return value > most ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
            }
        }
    }
    return number_cast<T>(value);
}

constexpr std::int64_t results_at_once = 4096;

/// Results one after another, in the order of their indices.
class Results {
  public:
    Results(const SplineJob& job, const std::vector<std::vector<Taps>>& tables)
        : job_(job), tables_(tables), axes_(axes_of(job)), own_(axes_.size()), taps_(axes_.size()),
          index_(job.result.shape.size()), sums_(results_at_once),
          has_tables_(!tables.empty() && std::ranges::none_of(tables, &std::vector<Taps>::empty)),
          is_bilinear_(!has_tables_ && job.order == 1 && axes_.size() == 2 && axes_[1].step == 1),
          padding_(job.along.empty() ? job.padding : 0) {
        for (std::size_t axis = 0; job.matrix.empty() && axis < axes_.size(); ++axis) {
            const auto results = static_cast<std::size_t>(job.result.count());
            places_.push_back(job.along.empty() ? job.coordinates.data() + axis * results
                                                : job.along[axis].data());
        }
        if (job.order == 0 && has_tables_) {
            for (const Taps& taps : tables.back()) {
                columns_.push_back(taps.is_beyond ? beyond : taps.is_constant[0] ? constant : taps.places[0]);
            }
        }
    }

    template <class T>
    void compute(const T* source, std::int64_t first, std::int64_t count) {
        std::int64_t rest = first;
        for (std::size_t axis = index_.size(); axis > 0; --axis) {
            index_[axis - 1] = rest % job_.result.shape[axis - 1];
            rest /= job_.result.shape[axis - 1];
        }
        if (!columns_.empty()) {
            return copy(source, count);
        }
        const auto by_taps = [&](std::int64_t i, double& result) {
            result = find(first + i) ? sum(source) : job_.constant;
            return true; // for each()
        };
        if (is_bilinear_) {
            return each(
                count, [&](std::int64_t i, double& sum) { return between_four(source, first + i, sum); },
                by_taps);
        }
        if (job_.order == 0 && !has_tables_) {
            return each(
                count, [&](std::int64_t i, double& sum) { return beside_one(source, first + i, sum); },
                by_taps);
        }
        if (axes_.size() == 1) {
            return compute_line<1>(source, first, count, by_taps);
        }
        each(count, by_taps, [](std::int64_t, double&) {});
    }

    /// The order is a constant within the loop.
    template <int Order, class T>
    void compute_line(const T* source, std::int64_t first, std::int64_t count, const auto& by_taps) {
        if constexpr (Order < most_spline_order) {
            if (job_.order > Order) {
                return compute_line<Order + 1>(source, first, count, by_taps);
            }
        }
        each(
            count, [&](std::int64_t i, double& sum) { return on_line<Order>(source, first + i, sum); },
            by_taps);
    }

    /// Results by `quick`, or where it returns false by `other`.
    void each(std::int64_t count, const auto& quick, const auto& other) {
        for (std::int64_t i = 0; i < count; ++i, advance()) {
            double& result = sums_[static_cast<std::size_t>(i)];
            if (!quick(i, result)) {
                other(i, result);
            }
        }
    }

    template <class T>
    void store(T* to, std::int64_t count) const {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = stored<T>(sums_[static_cast<std::size_t>(i)], job_.rounds);
        }
    }

  private:
    // Marks in columns_.
    static constexpr std::int64_t beyond = std::numeric_limits<std::int64_t>::min(); ///< Taps::is_beyond
    static constexpr std::int64_t constant = beyond + 1;                             ///< Taps::is_constant

    /// Order 0 by tables: the place of a row is found once.
    template <class T>
    void copy(const T* source, std::int64_t count) {
        const std::size_t last = axes_.size() - 1;
        for (std::int64_t i = 0; i < count; advance()) {
            std::int64_t row = 0;
            bool is_beyond = false;
            bool is_constant = false;
            for (std::size_t axis = 0; axis < last; ++axis) {
                const Taps& taps = tables_[axis][static_cast<std::size_t>(index_[axis])];
                row += taps.places[0];
                is_beyond |= taps.is_beyond;
                is_constant |= taps.is_constant[0];
            }
            const std::int64_t end = std::min(i + job_.result.shape[last] - index_[last], count);
            const std::int64_t* column = columns_.data() + index_[last];
            index_[last] += end - i - 1;
            for (; i < end; ++i, ++column) {
                const bool has_value = *column > constant && !is_beyond && !is_constant;
                sums_[static_cast<std::size_t>(i)] = has_value ? 0.0 + static_cast<double>(source[row + *column])
                                                     : is_beyond || *column == beyond ? job_.constant
                                                                                      : 0.0 + job_.constant;
            }
        }
    }

    [[gnu::always_inline]] void advance() {
        std::size_t axis = index_.size();
        while (axis > 0 && ++index_[axis - 1] == job_.result.shape[axis - 1]) {
            index_[--axis] = 0;
        }
    }

    /// The taps along each axis; false where the result is the constant.
    bool find(std::int64_t result) {
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            if (has_tables_ || (!tables_.empty() && !tables_[axis].empty())) {
                taps_[axis] = &tables_[axis][static_cast<std::size_t>(index_[axis])];
            } else {
                find_taps(job_, axes_[axis], place_of(axis, result), own_[axis]);
                taps_[axis] = &own_[axis];
            }
            if (taps_[axis]->is_beyond) {
                return false;
            }
        }
        return true;
    }

    /// The same as sum() for a place on a line, all of whose values are inside, as most are. False elsewhere.
    template <int Order, class T>
    bool on_line(const T* source, std::int64_t result, double& sum) const {
        std::int64_t first = 0;
        std::array<double, most_taps> weights;
        if (!find_inner_taps(Order, axes_[0], place_of(0, result), first, weights)) {
            return false;
        }
        double total = 0.0;
        for (std::int64_t i = 0; i <= Order; ++i) {
            total += static_cast<double>(source[first + i * axes_[0].step]) * weights[static_cast<std::size_t>(i)];
        }
        sum = total;
        return true;
    }

    /// The same as nearest() for a place whose nearest value is inside. False elsewhere.
    template <class T>
    bool beside_one(const T* source, std::int64_t result, double& value) const {
        std::array<double, most_taps> none;
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            std::int64_t begin = 0;
            if (!find_inner_taps(0, axes_[axis], place_of(axis, result), begin, none)) {
                return false;
            }
            source += begin;
        }
        value = 0.0 + static_cast<double>(*source);
        return true;
    }

    /// The same as sum_of_image<1>(), for a place between four values, as most places are. False elsewhere.
    template <class T>
    bool between_four(const T* source, std::int64_t result, double& sum) const {
        const double y = place_of(0, result);
        const double x = place_of(1, result);
        if (!(y >= 0 && x >= 0 && y < static_cast<double>(axes_[0].length - 1) &&
              x < static_cast<double>(axes_[1].length - 1))) {
            return false;
        }
        const auto row = static_cast<std::int64_t>(y);
        const auto column = static_cast<std::int64_t>(x);
        const double above = 1.0 - (y - static_cast<double>(row));
        const double before = 1.0 - (x - static_cast<double>(column));
        const double below = 1.0 - above;
        const double after = 1.0 - before;
        const T* const first = source + row * axes_[0].step + column;
        const T* const second = first + axes_[0].step;
        sum = 0.0 + static_cast<double>(first[0]) * above * before;
        sum += static_cast<double>(first[1]) * above * after;
        sum += static_cast<double>(second[0]) * below * before;
        sum += static_cast<double>(second[1]) * below * after;
        return true;
    }

    [[gnu::always_inline]] double place_of(std::size_t axis, std::int64_t result) const {
        if (places_.empty()) {
            return place_by_matrix(axis) + job_.padding;
        }
        return places_[axis][job_.along.empty() ? result : index_[axis]] + padding_;
    }

    [[gnu::always_inline]] double place_by_matrix(std::size_t axis) const {
        const double* factor = job_.matrix.data() + axis * (index_.size() + 1);
        double place = 0.0;
        for (const std::int64_t i : index_) {
            place += static_cast<double>(i) * *factor++;
        }
        return place + *factor;
    }

    template <class T>
    double nearest(const T* source) const {
        std::int64_t place = 0;
        bool is_constant = false;
        for (const Taps* taps : taps_) {
            place += taps->places[0];
            is_constant |= taps->is_constant[0];
        }
        return 0.0 + (is_constant ? job_.constant : static_cast<double>(source[place]));
    }

    template <class T>
    double sum(const T* source) const {
        if (job_.order == 0) {
            return nearest(source);
        }
        const bool is_common = job_.border != SplineBorder::grid_constant && (job_.order == 1 || job_.order == 3);
        if (is_common && taps_.size() == 2) {
            return job_.order == 1 ? sum_of_image<1>(source) : sum_of_image<3>(source);
        }
        if (is_common && taps_.size() == 3) {
            return job_.order == 1 ? sum_of_volume<1>(source) : sum_of_volume<3>(source);
        }
        return sum_of_any(source);
    }

    template <int Order, class T>
    double sum_of_image(const T* source) const {
        const Taps& rows = *taps_[0];
        const Taps& columns = *taps_[1];
        double sum = 0.0;
        for (std::size_t i = 0; i <= Order; ++i) {
            const T* const row = source + rows.places[i];
            for (std::size_t j = 0; j <= Order; ++j) {
                sum += static_cast<double>(row[columns.places[j]]) * rows.weights[i] * columns.weights[j];
            }
        }
        return sum;
    }

    template <int Order, class T>
    double sum_of_volume(const T* source) const {
        const Taps& planes = *taps_[0];
        const Taps& rows = *taps_[1];
        const Taps& columns = *taps_[2];
        double sum = 0.0;
        for (std::size_t h = 0; h <= Order; ++h) {
            for (std::size_t i = 0; i <= Order; ++i) {
                const T* const row = source + planes.places[h] + rows.places[i];
                for (std::size_t j = 0; j <= Order; ++j) {
                    sum += static_cast<double>(row[columns.places[j]]) * planes.weights[h] * rows.weights[i] *
                           columns.weights[j];
                }
            }
        }
        return sum;
    }

    template <class T>
    double sum_of_any(const T* source) const {
        const std::size_t axes = taps_.size();
        std::array<std::size_t, 64> tap; // of NumPy's axes, which are fewer
        std::fill_n(tap.begin(), axes, 0);
        const auto order = static_cast<std::size_t>(job_.order);
        double sum = 0.0;
        for (;;) {
            std::int64_t place = 0;
            bool is_constant = false;
            for (std::size_t axis = 0; axis < axes; ++axis) {
                place += taps_[axis]->places[tap[axis]];
                is_constant |= taps_[axis]->is_constant[tap[axis]];
            }
            double value = is_constant ? job_.constant : static_cast<double>(source[place]);
            for (std::size_t axis = 0; order > 0 && axis < axes; ++axis) {
                value *= taps_[axis]->weights[tap[axis]];
            }
            sum += value;
            std::size_t axis = axes;
            while (axis > 0 && ++tap[axis - 1] > order) {
                tap[--axis] = 0;
            }
            if (axis == 0) {
                return sum;
            }
        }
    }

    const SplineJob& job_;
    const std::vector<std::vector<Taps>>& tables_;
    std::vector<Axis> axes_;
    std::vector<Taps> own_;
    std::vector<const Taps*> taps_;
    std::vector<std::int64_t> index_;
    std::vector<double> sums_;
    bool has_tables_; ///< for each axis
    bool is_bilinear_;
    std::vector<const double*> places_; ///< along each axis, by index or by result, if there is no matrix
    double padding_;
    std::vector<std::int64_t> columns_; ///< of order 0 by tables, the place of each index of the last axis
};

/// Where places depend on one index each, they are few. An axis whose places are hardly used again has none.
std::vector<std::vector<Taps>> tables_of(const SplineJob& job) {
    const std::vector<Axis> axes = axes_of(job);
    std::vector<std::vector<Taps>> tables(job.along.size());
    for (std::size_t axis = 0; axis < tables.size(); ++axis) {
        const std::size_t length = job.along[axis].size();
        tables[axis].resize(static_cast<std::size_t>(job.result.count()) < 4 * length ? 0 : length);
        for (std::size_t i = 0; i < tables[axis].size(); ++i) {
            find_taps(job, axes[axis], job.along[axis][i], tables[axis][i]);
        }
    }
    return tables;
}

void run_filtered(const SplineJob& job, std::span<const std::byte> source, std::span<std::byte> result,
                  const Check& check) {
    SplineFilterJob filter{
        .source = job.source, .result = Number::f64, .axes = {}, .order = job.order, .border = job.border};
    for (std::size_t axis = 0; axis < job.source.shape.size(); ++axis) {
        filter.axes.push_back(static_cast<int>(axis));
    }
    std::vector<std::byte> coefficients(static_cast<std::size_t>(job.source.count()) * sizeof(double));
    run_spline_filter(filter, source, coefficients, check);
    SplineJob rest = job;
    rest.filters = false;
    rest.source.type = Number::f64;
    rest.run_on_cpu(coefficients, result, check);
}

} // namespace

std::int64_t SplineJob::run_on_cpu(SourceBytes from, ResultBytes to, const Check& check) const {
    if (filters) {
        run_filtered(*this, from, to, check);
        return 0;
    }
    const std::vector<std::vector<Taps>> tables = tables_of(*this);
    const std::int64_t all = result.count();
    parallel_for(
        static_cast<std::size_t>(covering(all, results_at_once)), [&] { return Results(*this, tables); },
        [&](Results& results, std::size_t part) {
            if (check) {
                check();
            }
            const std::int64_t first = static_cast<std::int64_t>(part) * results_at_once;
            const std::int64_t count = std::min(results_at_once, all - first);
            with_type(source.type, [&](auto type) {
                results.compute(reinterpret_cast<const decltype(type)*>(from.data()), first, count);
            });
            with_type(result.type, [&](auto type) {
                results.store(reinterpret_cast<decltype(type)*>(to.data()) + first, count);
            });
        });
    return 0;
}

} // namespace glproc
