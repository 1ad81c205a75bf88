#include "glproc/arrays/spectra/spectra.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace glproc {

namespace {

/// Values that a thread takes at once, of products and of functions that take longer.
constexpr std::int64_t products_at_once = 1 << 18;
constexpr std::int64_t functions_at_once = 1 << 14;

/// By Horner's rule, the highest power first.
template <std::size_t N>
double polynomial(double x, const std::array<double, N>& coefficients) {
    double sum = coefficients[0];
    for (std::size_t i = 1; i < N; ++i) {
        sum = sum * x + coefficients[i];
    }
    return sum;
}

/// The Bessel function J1 of numbers that are not negative. Its bits depend on the approximation: rational
/// functions up to 5 and beyond, by S. L. Moshier, Methods and Programs for Mathematical Functions (1989).
double bessel_j1(double x) {
    constexpr std::array near_top = {-8.99971225705559398224E8, 4.52228297998194034323E11,
                                     -7.27494245221818276015E13, 3.68295732863852883286E15};
    constexpr std::array near_bottom = {1.0,
                                        6.20836478118054335476E2,
                                        2.56987256757748830383E5,
                                        8.35146791431949253037E7,
                                        2.21511595479792499675E10,
                                        4.74914122079991414898E12,
                                        7.84369607876235854894E14,
                                        8.95222336184627338078E16,
                                        5.32278620332680085395E18};
    constexpr std::array cosine_top = {7.62125616208173112003E-4, 7.31397056940917570436E-2,
                                       1.12719608129684925192E0,  5.11207951146807644818E0,
                                       8.42404590141772420927E0,  5.21451598682361504063E0,
                                       1.00000000000000000254E0};
    constexpr std::array cosine_bottom = {5.71323128072548699714E-4, 6.88455908754495404082E-2,
                                          1.10514232634061696926E0,  5.07386386128601488557E0,
                                          8.39985554327604159757E0,  5.20982848682361821619E0,
                                          9.99999999999999997461E-1};
    constexpr std::array sine_top = {5.10862594750176621635E-2, 4.98213872951233449420E0,
                                     7.58238284132545283818E1,  3.66779609360150777800E2,
                                     7.10856304998926107277E2,  5.97489612400613639965E2,
                                     2.11688757100572135698E2,  2.52070205858023719784E1};
    constexpr std::array sine_bottom = {1.0,
                                        7.42373277035675149943E1,
                                        1.05644886038262816351E3,
                                        4.98641058337653607651E3,
                                        9.56231892404756170795E3,
                                        7.99704160447350683650E3,
                                        2.82619278517639096600E3,
                                        3.36093607810698293419E2};
    constexpr double first_root = 1.46819706421238932572E1; // squared, as the next
    constexpr double second_root = 4.92184563216946036703E1;
    constexpr double three_quarters_of_pi = 2.35619449019234492885;
    constexpr double root_of_two_over_pi = 0.79788456080286535588;
    if (x <= 5.0) {
        const double z = x * x;
        const double ratio = polynomial(z, near_top) / polynomial(z, near_bottom);
        return ratio * x * (z - first_root) * (z - second_root);
    }
    const double w = 5.0 / x;
    const double z = w * w;
    const double p = polynomial(z, cosine_top) / polynomial(z, cosine_bottom);
    const double q = polynomial(z, sine_top) / polynomial(z, sine_bottom);
    const double phase = x - three_quarters_of_pi;
    return (p * std::cos(phase) - w * q * std::sin(phase)) * root_of_two_over_pi / std::sqrt(x);
}

/// The transform of a line, a disc or a ball at a distance from the middle.
double ellipsoid_at(double distance, std::size_t axes) {
    if (distance <= 0.0) {
        return 1.0;
    }
    switch (axes) {
    case 1:
        return std::sin(distance) / distance;
    case 2:
        return 2.0 * bessel_j1(distance) / distance;
    default:
        return 3.0 * (std::sin(distance) - distance * std::cos(distance)) / (distance * distance * distance);
    }
}

template <class T>
class FourierLines {
  public:
    FourierLines(const FourierJob& job, std::span<const T> source, std::span<T> result)
        : job_(job), source_(source), result_(result), length_(job.shape.back()) {}

    /// A part of a line.
    void line(std::int64_t n, std::int64_t first, std::int64_t end) const {
        const double outer = outer_of(n);
        const std::span here =
            std::span(job_.tables.back())
                .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
        const std::int64_t parts = job_.is_complex ? 2 : 1;
        const std::int64_t at = n * length_ + first;
        const T* const from = source_.data() + at * parts;
        if (job_.what == FourierJob::Do::shift) {
            shift(here, outer, from, result_.data() + at * 2);
            return;
        }
        T* const to = result_.data() + at * parts;
        if (job_.what == FourierJob::Do::product) {
            multiply(here, from, to, [outer](double factor) { return outer * factor; });
        } else {
            const std::size_t axes = job_.shape.size();
            multiply(here, from, to,
                     [&](double radius) { return ellipsoid_at(std::sqrt(outer + radius * radius), axes); });
        }
    }

  private:
    template <class Factor>
    void multiply(std::span<const double> table, const T* from, T* to, const Factor& factor_at) const {
        if (job_.is_complex) {
            for (std::size_t x = 0; x < table.size(); ++x) {
                const double factor = factor_at(table[x]);
                to[2 * x] = static_cast<T>(from[2 * x] * factor);
                to[2 * x + 1] = static_cast<T>(from[2 * x + 1] * factor);
            }
            return;
        }
        for (std::size_t x = 0; x < table.size(); ++x) {
            to[x] = static_cast<T>(from[x] * factor_at(table[x]));
        }
    }

    void shift(std::span<const double> table, double outer, const T* from, T* to) const {
        for (const double here : table) {
            const double angle = outer + here;
            const double cosine = std::cos(angle);
            const double sine = std::sin(angle);
            if (job_.is_complex) {
                to[0] = static_cast<T>(from[0] * cosine - from[1] * sine);
                to[1] = static_cast<T>(from[0] * sine + from[1] * cosine);
            } else { // an imaginary part of 0 would change the signs of zeros
                to[0] = static_cast<T>(from[0] * cosine);
                to[1] = static_cast<T>(from[0] * sine);
            }
            from += job_.is_complex ? 2 : 1;
            to += 2;
        }
    }

    /// The product or sum for all axes but the last.
    double outer_of(std::int64_t line) const {
        std::int64_t step = static_cast<std::int64_t>(source_.size()) / (job_.is_complex ? 2 : 1) / length_;
        double made = job_.what == FourierJob::Do::product ? 1.0 : 0.0;
        for (std::size_t axis = 0; axis + 1 < job_.shape.size(); ++axis) {
            step /= job_.shape[axis];
            const double here = job_.tables[axis][static_cast<std::size_t>(line / step % job_.shape[axis])];
            made = job_.what == FourierJob::Do::product ? made * here
                   : job_.what == FourierJob::Do::shift ? made + here
                                                        : made + here * here;
        }
        return made;
    }

    const FourierJob& job_;
    std::span<const T> source_;
    std::span<T> result_;
    std::int64_t length_;
};

template <class T>
void run_fourier(const FourierJob& job, std::span<const T> source, std::span<T> result,
                 const std::function<void()>& check) {
    const FourierLines<T> lines(job, source, result);
    const std::int64_t length = job.shape.back();
    const std::int64_t count = static_cast<std::int64_t>(source.size()) / (job.is_complex ? 2 : 1) / length;
    const bool is_quick = job.what == FourierJob::Do::product;
    const std::int64_t at_once = is_quick ? products_at_once : functions_at_once;
    const std::int64_t lines_at_once = std::max<std::int64_t>(1, at_once / length);
    const std::int64_t parts_of_line = covering(length, at_once);
    const std::int64_t groups = covering(count, lines_at_once);
    parallel_for(static_cast<std::size_t>(groups * parts_of_line), [&](std::size_t i) {
        if (check) {
            check();
        }
        const std::int64_t line = static_cast<std::int64_t>(i) / parts_of_line * lines_at_once;
        const std::int64_t first = static_cast<std::int64_t>(i) % parts_of_line * at_once;
        for (std::int64_t n = line; n < std::min(count, line + lines_at_once); ++n) {
            lines.line(n, first, std::min(first + at_once, length));
        }
    });
}

/// A table's number for a frequency; `step` is the filter's value by the length of the transform.
double table_value(FourierFilter filter, double step, double frequency) {
    switch (filter) {
    case FourierFilter::gaussian: {
        const double exponent = -2.0 * step * step * frequency * frequency;
        return std::abs(exponent) > 50.0 ? 0.0 : std::exp(exponent);
    }
    case FourierFilter::uniform:
        if (step <= 0 || frequency == 0) {
            return frequency == 0 ? 1.0 : 0.0;
        }
        return std::sin(step * frequency) / (step * frequency);
    case FourierFilter::ellipsoid:
    case FourierFilter::shift:
        break;
    }
    return step * frequency;
}

} // namespace

std::vector<double> fourier_table(FourierFilter filter, double value, const FourierAxis& axis) {
    const auto all = static_cast<double>(axis.length);
    const double step = filter == FourierFilter::gaussian ? value * std::numbers::pi / all
                        : filter == FourierFilter::shift  ? -2.0 * std::numbers::pi * value / all
                                                          : std::numbers::pi * value / all;
    const std::int64_t from_zero =
        axis.is_half ? axis.count : (axis.count + 1) / 2; // the others are negative
    std::vector<double> table(static_cast<std::size_t>(axis.count));
    parallel_for(static_cast<std::size_t>(covering(axis.count, functions_at_once)), [&](std::size_t part) {
        const std::int64_t first = static_cast<std::int64_t>(part) * functions_at_once;
        for (std::int64_t i = first; i < std::min(first + functions_at_once, axis.count); ++i) {
            const std::int64_t frequency = i < from_zero ? i : i - axis.count;
            table[static_cast<std::size_t>(i)] = table_value(filter, step, static_cast<double>(frequency));
        }
    });
    return table;
}

void fourier_on_cpu(const FourierJob& job, std::span<const double> source, std::span<double> result,
                    const std::function<void()>& check) {
    run_fourier(job, source, result, check);
}

void fourier_on_cpu(const FourierJob& job, std::span<const float> source, std::span<float> result,
                    const std::function<void()>& check) {
    run_fourier(job, source, result, check);
}

} // namespace glproc
