#include "glproc/arrays/splines/taps.hpp"

#include "glproc/arrays/number_cast.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

namespace {

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

} // namespace

std::vector<Axis> axes_of(const SplineJob& job) {
    const std::vector<std::int64_t>& shape = job.source.shape;
    std::vector<Axis> axes(shape.size());
    std::int64_t step = 1;
    for (std::size_t i = axes.size(); i > 0; --i) {
        axes[i - 1] = {shape[i - 1], job.steps.empty() ? step : job.steps[i - 1]};
        step *= shape[i - 1];
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
    std::int64_t begin = 0;
    if (find_inner_taps(job.order, axis, place, begin, taps.weights)) {
        for (int i = 0; i <= job.order; ++i) {
            taps.places[static_cast<std::size_t>(i)] = begin + i * axis.step;
            taps.is_constant[static_cast<std::size_t>(i)] = false;
        }
        return;
    }
    const double middle = quick_floor(job.order % 2 == 1 ? place : place + 0.5);
    if (job.order > 0) {
        weigh(place - middle, job.order, taps.weights);
    }
    const int before = job.order / 2;
    const double first = middle - before;
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

} // namespace glproc
