#include "glproc/files/codecs/tiff/lab.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace glproc::codecs {
namespace {

/// X, Y and Z, each for that of D50, to linear sRGB, whose white was adapted to D50 by Bradford's matrix.
constexpr std::array<std::array<double, 3>, 3> to_rgb{{{3.021982492, -1.617208959, -0.404773533},
                                                       {-0.943709308, 1.916130097, 0.027579211},
                                                       {0.069387619, -0.228993873, 1.159606254}}};

/// CIE 15: the inverse of the cube root with its straight start.
double of_root(double root) {
    constexpr double joint = 6.0 / 29;
    return root > joint ? root * root * root : 3 * joint * joint * (root - 4.0 / 29);
}

double encoded(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// What pow() gives, for 8 bits from a table: near black, where a curve is steepest, a step of it is a
/// twentieth of a code.
template <class T>
class Curve {
  public:
    Curve() {
        if constexpr (sizeof(T) == 1) {
            codes_.resize(steps + 1);
            for (std::size_t i = 0; i < codes_.size(); ++i)
                codes_[i] = code_of(static_cast<double>(i) / steps);
        }
    }

    T operator()(double linear) const {
        const double clipped = std::clamp(linear, 0.0, 1.0);
        if constexpr (sizeof(T) == 1) {
            return codes_[static_cast<std::size_t>(clipped * steps + 0.5)];
        } else {
            return code_of(clipped);
        }
    }

  private:
    static constexpr std::size_t steps = 65535;
    static T code_of(double linear) {
        return static_cast<T>(std::nearbyint(encoded(linear) * std::numeric_limits<T>::max()));
    }

    std::vector<T> codes_;
};

template <class T>
void convert(std::size_t channels, std::span<std::byte> rows) {
    using Signed = std::make_signed_t<T>;
    static const Curve<T> curve;
    constexpr double units = sizeof(T) == 1 ? 1 : 256; // of a* and b*
    const std::span<T> values(reinterpret_cast<T*>(rows.data()), rows.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); i += channels) {
        const double lightness = values[i] * 100.0 / std::numeric_limits<T>::max();
        const double y = (lightness + 16) / 116;
        const std::array<double, 3> xyz{of_root(y + static_cast<Signed>(values[i + 1]) / units / 500),
                                        of_root(y),
                                        of_root(y - static_cast<Signed>(values[i + 2]) / units / 200)};
        for (std::size_t c = 0; c < 3; ++c) {
            const auto& row = to_rgb.at(c);
            values[i + c] = curve(row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2]);
        }
    }
}

} // namespace

void lab_to_rgb(const Form& form, std::span<std::byte> rows) {
    const auto channels = static_cast<std::size_t>(form.channels);
    if (form.depth == Depth::u8) {
        convert<std::uint8_t>(channels, rows);
    } else {
        convert<std::uint16_t>(channels, rows);
    }
}

} // namespace glproc::codecs
