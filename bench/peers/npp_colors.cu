// NPP: one picture over another, and colour spaces.
#include "npp.hpp"
#include "npp_rows.hpp"

#include <nppi_arithmetic_and_logical_operations.h>
#include <nppi_color_conversion.h>

namespace peers::npp {

namespace {

/// The picture with each row one place higher, and the first one below the last.
class Moved {
  public:
    explicit Moved(const Picture& picture) : picture_(picture), bytes_(4 * picture.size.pixels()) {
        const std::size_t row = step_of(picture.size);
        const std::size_t rest = row * (picture.size.height - 1);
        peers::check(cudaMemcpy(bytes_.data(), picture.bytes.data() + row, rest, cudaMemcpyDeviceToDevice));
        peers::check(cudaMemcpy(bytes_.data() + rest, picture.bytes.data(), row, cudaMemcpyDeviceToDevice));
    }
    const std::uint8_t* data() const { return bytes_.data(); }
    double sample(int x, int y, int channel) const {
        return picture_.sample(x, (y + 1) % picture_.size.height, channel);
    }

  private:
    const Picture& picture_;
    DeviceArray<std::uint8_t> bytes_;
};

/// The upper picture over the lower one. NPP says only of some of its rules whether colours are
/// premultiplied.
std::vector<Truth> over(const Picture& upper, const Moved& lower) {
    const auto alphas = [&](int x, int y) {
        const double above = upper.sample(x, y, 3) / 255.0;
        return std::array<double, 2>{above, (1 - above) * lower.sample(x, y, 3) / 255};
    };
    const Truth premultiplied = [&upper, &lower, alphas](int x, int y, int c) {
        const auto [above, below] = alphas(x, y);
        return c == 3 ? 255 * (above + below) : above * upper.sample(x, y, c) + below * lower.sample(x, y, c);
    };
    const Truth straight = [premultiplied, alphas](int x, int y, int c) {
        const auto [above, below] = alphas(x, y);
        const double value = premultiplied(x, y, c);
        return c == 3 || above + below == 0 ? value : value / (above + below);
    };
    return {premultiplied, straight};
}

/// The same of colours that are premultiplied already.
Truth over_premultiplied(const Picture& upper, const Moved& lower) {
    return [&](int x, int y, int c) {
        const double rest = 1 - upper.sample(x, y, 3) / 255.0;
        return std::min(255.0, upper.sample(x, y, c) + rest * lower.sample(x, y, c));
    };
}

double cube_root_part(double value) {
    return value > 0.008856 ? std::cbrt(value) : 7.787 * value + 16.0 / 116;
}

/// CIE Lab of D65 from three channels from 0 to 255, as NPP documents it: without the transfer of sRGB.
double lab(std::array<double, 3> rgb, int channel) {
    for (double& value : rgb) {
        value /= 255;
    }
    const auto [r, g, b] = rgb;
    const double x = cube_root_part((0.412453 * r + 0.35758 * g + 0.180423 * b) / 0.950455);
    const double y = cube_root_part(0.212671 * r + 0.71516 * g + 0.072169 * b);
    const double z = cube_root_part((0.019334 * r + 0.119193 * g + 0.950227 * b) / 1.088753);
    const std::array<double, 3> values{(116 * y - 16) * 2.55, 500 * (x - y) + 128, 200 * (y - z) + 128};
    return std::clamp(values[channel], 0.0, 255.0);
}

/// Hue, saturation and value; all of the circle is this many codes.
double hsv(const std::array<double, 3>& rgb, int channel, double circle) {
    const auto [r, g, b] = rgb;
    const double most = std::max({r, g, b});
    const double range = most - std::min({r, g, b});
    if (channel > 0) {
        return channel == 2 ? most : most == 0 ? 0 : 255 * range / most;
    }
    if (range == 0) {
        return 0;
    }
    const double sixth = most == r ? (g - b) / range : most == g ? 2 + (b - r) / range : 4 + (r - g) / range;
    return circle * (sixth < 0 ? sixth + 6 : sixth) / 6;
}

std::array<double, 3> colour_at(const Picture& picture, int channels, int x, int y) {
    const auto at = [&](int c) { return double(packed_sample(picture, channels, x, y, c)); };
    return {at(0), at(1), at(2)};
}

/// Blue comes first there.
std::array<double, 3> turned(const std::array<double, 3>& v) {
    return {v[2], v[1], v[0]};
}

void to_lab(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const int step = 3 * size.width;
    const DeviceArray<std::uint8_t> out(3 * size.pixels());
    report.variant(
        "NPP BGRToLab, 3 channels, no transfer", 6.0 * static_cast<double>(size.pixels()),
        [&] {
            check(nppiBGRToLab_8u_C3R_Ctx(picture.bytes.data(), step, out.data(), step, extent(size),
                                          context()));
        },
        [&] {
            const auto truth = [&](int x, int y, int c) { return lab(turned(colour_at(picture, 3, x, y)), c); };
            return right_in_places(size, out, truth, 2, Places::all, {3, 3});
        });
}

void to_hsv(Report& report, const Picture& picture, const DeviceArray<std::uint8_t>& out) {
    const Size size = picture.size;
    report.variant(
        "NPP RGBToHSV, alpha left out", 8.0 * static_cast<double>(size.pixels()),
        [&] {
            check(nppiRGBToHSV_8u_AC4R_Ctx(picture.bytes.data(), step_of(size), out.data(), step_of(size),
                                           extent(size), context()));
        },
        [&] {
            std::vector<Truth> rules;
            for (const double circle : {255, 256, 180}) {
                rules.push_back(
                    [&, circle](int x, int y, int c) { return hsv(colour_at(picture, 4, x, y), c, circle); });
            }
            return right_by_one(size, out, rules, 2, Places::all, {4, 3});
        });
}

void to_ycbcr(Report& report, const Picture& picture, const DeviceArray<std::uint8_t>& out) {
    const Size size = picture.size;
    static const Npp32f twist[3][4] = {{0.299F, 0.587F, 0.114F, 0},
                                       {-0.168736F, -0.331264F, 0.5F, 128},
                                       {0.5F, -0.418688F, -0.081312F, 128}};
    report.variant(
        "NPP ColorTwist32f, alpha left out", 8.0 * static_cast<double>(size.pixels()),
        [&] {
            check(nppiColorTwist32f_8u_AC4R_Ctx(picture.bytes.data(), step_of(size), out.data(),
                                                step_of(size), extent(size), twist, context()));
        },
        [&] {
            const auto truth = [&](int x, int y, int c) {
                const std::array<double, 3> rgb = colour_at(picture, 4, x, y);
                const double sum =
                    twist[c][0] * rgb[0] + twist[c][1] * rgb[1] + twist[c][2] * rgb[2] + twist[c][3];
                return std::clamp(sum, 0.0, 255.0);
            };
            return right_in_places(size, out, truth, 1, Places::all, {4, 3});
        });
}

} // namespace

void blend(Report& report, const Picture& picture) {
    const Size size = picture.size;
    const Moved lower(picture);
    const DeviceArray<std::uint8_t> out(4 * size.pixels());
    const auto run = [&](NppiAlphaOp op) {
        check(nppiAlphaComp_8u_AC4R_Ctx(picture.bytes.data(), step_of(size), lower.data(), step_of(size),
                                        out.data(), step_of(size), extent(size), op, context()));
    };
    const double bytes = 12.0 * static_cast<double>(size.pixels());
    report.variant(
        "NPP AlphaComp over", bytes, [&] { run(NPPI_OP_ALPHA_OVER); },
        [&] { return right_by_one(size, out, over(picture, lower), 2); });
    report.variant(
        "NPP AlphaComp over, premultiplied", bytes, [&] { run(NPPI_OP_ALPHA_OVER_PREMUL); },
        [&] { return right_in_places(size, out, over_premultiplied(picture, lower), 2); });
}

void color(Report& report, const Picture& picture) {
    to_lab(report, picture);
    const DeviceArray<std::uint8_t> out(4 * picture.size.pixels());
    to_hsv(report, picture, out);
    to_ycbcr(report, picture, out);
}

} // namespace peers::npp
