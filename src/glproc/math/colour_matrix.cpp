#include "glproc/math/colour_matrix.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace glproc {

namespace {

using Matrix = std::array<std::array<double, 3>, 3>; // rows of columns

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            result[row][column] =
                a[row][0] * b[0][column] + a[row][1] * b[1][column] + a[row][2] * b[2][column];
        }
    }
    return result;
}

/// A turn by `angle` about the axis of greys: Rodrigues' formula.
Matrix turn_about_greys(double angle) {
    const double along = 1 / std::sqrt(3.0); // each component of the axis
    const double c = std::cos(angle);
    const double shared = (1 - c) * along * along;
    const double s = std::sin(angle) * along;
    return {{{c + shared, shared - s, shared + s},
             {shared + s, c + shared, shared - s},
             {shared - s, shared + s, c + shared}}};
}

} // namespace

std::array<double, 9> saturation_and_hue(double saturation, double hue) {
    constexpr std::array<double, 3> luma{0.2126, 0.7152, 0.0722};
    constexpr Matrix grey{luma, luma, luma}; // each colour becomes its luma
    Matrix colour{};                         // and the rest of it
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            colour[row][column] = (row == column ? 1.0 : 0.0) - grey[row][column];
        }
    }
    const double angle = hue * (std::numbers::pi / 180);
    const Matrix turned = product(product(colour, turn_about_greys(angle)), colour);
    std::array<double, 9> result{};
    for (std::size_t i = 0; i < 9; ++i) {
        result[i] = grey[i / 3][i % 3] + saturation * turned[i / 3][i % 3];
    }
    return result;
}

} // namespace glproc
