#include "glproc/base/parallel.hpp"
#include "glproc/kinds/number_cast.hpp"
#include "glproc/kinds/spline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace glproc {

namespace {

constexpr std::size_t most_taps = most_spline_order + 1;

/// The values along one axis that a result is made of.
struct Taps {
    std::array<std::int64_t, most_taps> places{}; ///< in values
    std::array<double, most_taps> weights{};
    std::array<bool, most_taps> is_constant{}; ///< of `grid_constant`
    bool is_beyond = false;                    ///< the result is the constant
};

/// The whole ones of so many periods, and `more`. Where there are too many it wraps around, as on x86-64.
double whole_periods(double periods, std::int64_t period, std::uint64_t more = 0) {
    const std::uint64_t all = (static_cast<std::uint64_t>(long_of(periods)) + more) * static_cast<std::uint64_t>(period);
    return static_cast<double>(static_cast<std::int64_t>(all));
}

double folded_below(double place, std::int64_t length, SplineBorder border) {
    const auto last = static_cast<double>(length - 1);
    switch (border) {
    case SplineBorder::mirror: {
        const std::int64_t period = 2 * length - 2;
        place = whole_periods(-place / static_cast<double>(period), period) + place;
        return place <= -last ? place + static_cast<double>(period) : -place;
    }
    case SplineBorder::reflect: {
        const std::int64_t period = 2 * length;
        if (place < -static_cast<double>(period)) {
            place = whole_periods(-place / static_cast<double>(period), period) + place;
        }
        // A place just below 0 would become -1, which is beyond.
        return place < -static_cast<double>(length) ? place + static_cast<double>(period)
                                                    : (place > -1e-15 ? 1e-15 : -place) - 1;
    }
    case SplineBorder::wrap:
        return place + whole_periods(-place / last, length - 1, 1);
    case SplineBorder::grid_wrap:
        return place + whole_periods((-1 - place) / static_cast<double>(length), length, 1);
    case SplineBorder::nearest:
        return 0;
    default:
        return -1;
    }
}

double folded_above(double place, std::int64_t length, SplineBorder border) {
    const auto end = static_cast<double>(length);
    switch (border) {
    case SplineBorder::mirror: {
        const std::int64_t period = 2 * length - 2;
        place -= whole_periods(place / static_cast<double>(period), period);
        return place >= end ? static_cast<double>(period) - place : place;
    }
    case SplineBorder::reflect: {
        const std::int64_t period = 2 * length;
        place -= whole_periods(place / static_cast<double>(period), period);
        return place >= end ? static_cast<double>(period) - place - 1 : place;
    }
    case SplineBorder::wrap:
        return place - whole_periods(place / static_cast<double>(length - 1), length - 1);
    case SplineBorder::grid_wrap:
        return place - whole_periods(place / end, length);
    case SplineBorder::nearest:
        return end - 1;
    default:
        return -1;
    }
}

/// The place that stands for one beyond the array. Below 0 where there is none.
double folded_place(double place, std::int64_t length, SplineBorder border) {
    const bool is_below = place < 0;
    if (!is_below && !(place > static_cast<double>(length - 1))) {
        return place;
    }
    const bool is_constant = border == SplineBorder::constant;
    if (length <= 1 && !is_constant) {
        return 0;
    }
    return is_below ? folded_below(place, length, border) : folded_above(place, length, border);
}

/// x86-64 without extensions has no instruction for it.
double quick_floor(double x) {
    if (!(std::abs(x) < 0x1p52)) {
        return std::floor(x);
    }
    const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
    return whole > x ? whole - 1 : whole;
}

/// B-splines at the distances of the values from the place, which is `x` after the middle one; the last one is what is missing
/// to 1.
void weigh(double x, int order, std::array<double, most_taps>& w) {
    const double rest = 1.0 - x;
    const double half = 0.5 - x;
    const auto inner_cubic = [](double y) { return (y * y * (y - 2.0) * 3.0 + 4.0) / 6.0; };
    const auto outer_quartic = [](double y) {
        return y * (y * (y * (5.0 - y) / 6.0 - 1.25) + 5.0 / 24.0) + 55.0 / 96.0;
    };
    const auto inner_quintic = [](double y) {
        const double t = y * y;
        return t * (t * (0.25 - y / 12.0) - 0.5) + 0.55;
    };
    const auto outer_quintic = [](double y) {
        return y * (y * (y * (y * (y / 24.0 - 0.375) + 1.25) - 1.75) + 0.625) + 0.425;
    };
    switch (order) {
    case 1:
        w[0] = rest;
        break;
    case 2:
        w[0] = 0.5 * half * half;
        w[1] = 0.75 - x * x;
        break;
    case 3:
        w[0] = rest * rest * rest / 6.0;
        w[1] = inner_cubic(x);
        w[2] = inner_cubic(rest);
        break;
    case 4: {
        const double square = half * half;
        w[0] = square * square / 24.0;
        w[1] = outer_quartic(1.0 + x);
        w[2] = x * x * (x * x * 0.25 - 0.625) + 115.0 / 192.0;
        w[3] = outer_quartic(rest);
        break;
    }
    default: {
        const double square = rest * rest;
        w[0] = rest * square * square / 120.0;
        w[1] = outer_quintic(x + 1.0);
        w[2] = inner_quintic(x);
        w[3] = inner_quintic(rest);
        w[4] = outer_quintic(rest + 1.0);
    }
    }
    const auto last = static_cast<std::size_t>(order);
    w[last] = 1.0;
    for (std::size_t i = 0; i < last; ++i) {
        w[last] -= w[i];
    }
}

/// Along one axis of the source.
struct Axis {
    std::int64_t length;
    std::int64_t step;
};

std::vector<Axis> axes_of(const VolumeForm& form) {
    std::vector<Axis> axes(form.shape.size());
    std::int64_t step = 1;
    for (std::size_t i = axes.size(); i > 0; --i) {
        axes[i - 1] = {form.shape[i - 1], step};
        step *= form.shape[i - 1];
    }
    return axes;
}

void find_taps(const SplineJob& job, const Axis& axis, double place, Taps& taps) {
    const bool is_grid_constant = job.border == SplineBorder::grid_constant;
    if (!is_grid_constant && job.border != SplineBorder::nearest) {
        place = folded_place(place, axis.length, job.border);
        taps.is_beyond = !(place > -1.0);
        if (taps.is_beyond) {
            return;
        }
    }
    // A spline's own values go on beyond the array as the filter took it.
    const bool is_mirrored = job.border == SplineBorder::constant || job.border == SplineBorder::wrap;
    const SplineBorder beyond = is_mirrored ? SplineBorder::mirror : job.border;
    const double middle = quick_floor(job.order % 2 == 1 ? place : place + 0.5);
    if (job.order > 0) {
        weigh(place - middle, job.order, taps.weights);
    }
    const double first = middle - job.order / 2;
    if (first >= 0 && first + job.order < static_cast<double>(axis.length)) {
        const std::int64_t begin = static_cast<std::int64_t>(first) * axis.step;
        for (int i = 0; i <= job.order; ++i) {
            taps.places[static_cast<std::size_t>(i)] = begin + i * axis.step;
            taps.is_constant[static_cast<std::size_t>(i)] = false;
        }
        return;
    }
    for (int i = 0; i <= job.order; ++i) {
        double index = first + i;
        const bool is_inside = index >= 0 && index < static_cast<double>(axis.length);
        taps.is_constant[static_cast<std::size_t>(i)] = is_grid_constant && !is_inside;
        if (!is_inside) {
            index = is_grid_constant ? 0 : folded_place(index, axis.length, beyond);
        }
        const std::int64_t whole = std::clamp<std::int64_t>(long_of(index), 0, axis.length - 1);
        taps.places[static_cast<std::size_t>(i)] = whole * axis.step;
    }
}

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
        : job_(job), tables_(tables), axes_(axes_of(job.source)), own_(axes_.size()), taps_(axes_.size()),
          index_(job.result.shape.size()), sums_(results_at_once) {}

    template <class T>
    void compute(const T* source, std::int64_t first, std::int64_t count) {
        std::int64_t rest = first;
        for (std::size_t axis = index_.size(); axis > 0; --axis) {
            index_[axis - 1] = rest % job_.result.shape[axis - 1];
            rest /= job_.result.shape[axis - 1];
        }
        for (std::int64_t i = 0; i < count; ++i, advance()) {
            sums_[static_cast<std::size_t>(i)] = find(first + i) ? sum(source) : job_.constant;
        }
    }

    template <class T>
    void store(T* to, std::int64_t count) const {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i] = stored<T>(sums_[static_cast<std::size_t>(i)], job_.rounds);
        }
    }

  private:
    void advance() {
        std::size_t axis = index_.size();
        while (axis > 0 && ++index_[axis - 1] == job_.result.shape[axis - 1]) {
            index_[--axis] = 0;
        }
    }

    /// The taps along each axis; false where the result is the constant.
    bool find(std::int64_t result) {
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            if (!tables_.empty()) {
                taps_[axis] = &tables_[axis][static_cast<std::size_t>(index_[axis])];
            } else {
                find_taps(job_, axes_[axis], place_of(axis, result) + job_.padding, own_[axis]);
                taps_[axis] = &own_[axis];
            }
            if (taps_[axis]->is_beyond) {
                return false;
            }
        }
        return true;
    }

    double place_of(std::size_t axis, std::int64_t result) const {
        if (job_.matrix.empty()) {
            return job_.coordinates[axis * static_cast<std::size_t>(job_.result.count()) +
                                    static_cast<std::size_t>(result)];
        }
        const double* factor = job_.matrix.data() + axis * (index_.size() + 1);
        double place = 0.0;
        for (const std::int64_t i : index_) {
            place += static_cast<double>(i) * *factor++;
        }
        return place + *factor;
    }

    template <class T>
    double sum(const T* source) const {
        const bool has_constants = job_.border == SplineBorder::grid_constant;
        if (taps_.size() == 2 && !has_constants) {
            switch (job_.order) {
            case 0:
                return 0.0 + static_cast<double>(source[taps_[0]->places[0] + taps_[1]->places[0]]); // no -0
            case 1:
                return sum_of_image<1>(source);
            case 3:
                return sum_of_image<3>(source);
            default:
                break;
            }
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

    template <class T>
    double sum_of_any(const T* source) const {
        std::array<std::size_t, 64> tap{};
        const std::size_t axes = taps_.size();
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
};

/// Where places depend on one index each, they are few.
std::vector<std::vector<Taps>> tables_of(const SplineJob& job) {
    const std::vector<Axis> axes = axes_of(job.source);
    std::vector<std::vector<Taps>> tables(job.along.size());
    for (std::size_t axis = 0; axis < tables.size(); ++axis) {
        tables[axis].resize(job.along[axis].size());
        for (std::size_t i = 0; i < job.along[axis].size(); ++i) {
            find_taps(job, axes[axis], job.along[axis][i], tables[axis][i]);
        }
    }
    return tables;
}

} // namespace

void run_spline(const SplineJob& job, std::span<const std::byte> source, std::span<std::byte> result,
                const std::function<void()>& check) {
    const std::vector<std::vector<Taps>> tables = tables_of(job);
    const std::int64_t all = job.result.count();
    parallel_for(
        static_cast<std::size_t>((all + results_at_once - 1) / results_at_once), [&] { return Results(job, tables); },
        [&](Results& results, std::size_t part) {
            if (check) {
                check();
            }
            const std::int64_t first = static_cast<std::int64_t>(part) * results_at_once;
            const std::int64_t count = std::min(results_at_once, all - first);
            with_type(job.source.type, [&](auto from) {
                results.compute(reinterpret_cast<const decltype(from)*>(source.data()), first, count);
            });
            with_type(job.result.type, [&](auto to) {
                results.store(reinterpret_cast<decltype(to)*>(result.data()) + first, count);
            });
        });
}

} // namespace glproc
