// Filters of Fourier transforms, by their formulas.
#include "glproc/arrays/spectra/spectra.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <complex>

using namespace glproc;

namespace {

using Do = FourierJob::Do;

/// J1 by its integral, which the trapezium rule gives exactly but for rounding.
double j1(double x) {
    constexpr int steps = 2000;
    const double pi = std::acos(-1.0);
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        const double angle = 2 * pi * i / steps;
        sum += std::cos(angle - x * std::sin(angle));
    }
    return sum / steps;
}

std::vector<double> table(std::int64_t length, double step) {
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < length; ++i) {
        numbers.push_back(static_cast<double>(i) * step);
    }
    return numbers;
}

FourierJob job_of(Do what, const std::vector<std::int64_t>& shape, bool is_complex) {
    FourierJob job{.what = what, .shape = shape, .tables = {}, .is_complex = is_complex};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        job.tables.push_back(table(shape[axis], 0.7 + static_cast<double>(axis)));
    }
    return job;
}

std::complex<double> expected(const FourierJob& job, std::size_t place, std::complex<double> value) {
    double product = 1;
    double sum = 0;
    double squares = 0;
    for (std::size_t axis = job.shape.size(); axis > 0; --axis) {
        const auto length = static_cast<std::size_t>(job.shape[axis - 1]);
        const double here = job.tables[axis - 1][place % length];
        place /= length;
        product *= here;
        sum += here;
        squares += here * here;
    }
    if (job.what == Do::product) {
        return value * product;
    }
    if (job.what == Do::shift) {
        return value * std::polar(1.0, sum);
    }
    const double r = std::sqrt(squares);
    const double factor = r == 0                  ? 1
                          : job.shape.size() == 1 ? std::sin(r) / r
                          : job.shape.size() == 2 ? 2 * j1(r) / r
                                                  : 3 * (std::sin(r) - r * std::cos(r)) / (r * r * r);
    return value * factor;
}

} // namespace

TEST_CASE("spectra are multiplied by what their frequency says") {
    for (const Do what : {Do::product, Do::shift, Do::ellipsoid}) {
        for (const std::vector<std::int64_t>& shape :
             {std::vector<std::int64_t>{1}, {13}, {1, 7}, {9, 14}, {3, 1, 5}, {150, 8, 40}}) {
            for (const bool is_complex : {false, true}) {
                const FourierJob job = job_of(what, shape, is_complex);
                std::size_t count = 1;
                for (const std::int64_t length : shape) {
                    count *= static_cast<std::size_t>(length);
                }
                const std::size_t parts = is_complex ? 2 : 1;
                const std::size_t made = is_complex || what == Do::shift ? 2 : 1;
                std::vector<double> source;
                for (std::size_t i = 0; i < count * parts; ++i) {
                    source.push_back(static_cast<double>(i * 37 % 101) - 50);
                }
                std::vector<double> result(count * made, -1);
                fourier_on_cpu(job, source, result);
                double worst = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    const std::complex<double> value(source[i * parts], is_complex ? source[i * 2 + 1] : 0);
                    const std::complex<double> got(result[i * made], made == 2 ? result[i * 2 + 1] : 0);
                    const std::complex<double> wanted = expected(job, i, value);
                    worst = std::max(worst, std::abs(got - wanted) / (1 + std::abs(wanted)));
                }
                CAPTURE(static_cast<int>(what), shape, is_complex);
                CHECK(worst < 1e-11);
            }
        }
    }
}
