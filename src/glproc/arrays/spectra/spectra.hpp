// Filters of Fourier transforms: each value times a number that depends on its frequency, with SciPy's bits.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace glproc {

struct FourierJob {
    enum class Do {
        product,   ///< times a number from each table
        shift,     ///< turned by the sum of such numbers, in radians; the result is complex
        ellipsoid, ///< times the transform of a line, disc or ball, of one to three axes
    };

    Do what = Do::product;
    std::vector<std::int64_t> shape;         ///< at least one axis
    std::vector<std::vector<double>> tables; ///< for each index along an axis a number
    bool is_complex = false;                 ///< the source has two numbers a value
};

/// The filter that a table is for.
enum class FourierFilter { gaussian, uniform, ellipsoid, shift };

/// An axis of a transform.
struct FourierAxis {
    std::int64_t count;  ///< of indices
    std::int64_t length; ///< of the array before it was transformed
    bool is_half;        ///< there are frequencies from 0 up alone
};

/// For each index along an axis. `value` is the filter's sigma, size or shift along it.
std::vector<double> fourier_table(FourierFilter filter, double value, const FourierAxis& axis);

void fourier_on_cpu(const FourierJob& job, std::span<const double> source, std::span<double> result,
                    const std::function<void()>& check = {});
/// Doubles in between.
void fourier_on_cpu(const FourierJob& job, std::span<const float> source, std::span<float> result,
                    const std::function<void()>& check = {});

} // namespace glproc
