// HDR to SDR, against the formulas of BT.2100 and BT.2390 once more.
#include "glproc/kinds/hdr.hpp"

#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::WithinAbs;

namespace {

using Colour = std::array<double, 3>;

double pq(double nits) {
    const double y = std::pow(nits / 10000, 0.1593017578125);
    return std::pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375);
}

double nits(double value) {
    const double p = std::pow(value, 1 / 78.84375);
    return 10000 * std::pow(std::max(p - 0.8359375, 0.0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125);
}

double hlg_scene(double v) {
    return v <= 0.5 ? v * v / 3 : (std::exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12;
}

/// From 0 … peak to 0 … 203 cd/m2.
double toned(double light, double peak) {
    if (peak <= 203) {
        return light;
    }
    const double e1 = std::min(pq(light) / pq(peak), 1.0);
    const double most = pq(203) / pq(peak);
    const double knee = 1.5 * most - 0.5;
    double e2 = e1;
    if (e1 >= knee) {
        const double t = (e1 - knee) / (1 - knee);
        e2 = (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee) + (-2 * t * t * t + 3 * t * t) * most;
    }
    return nits(e2 * pq(peak));
}

/// BT.2087 has it to four digits; these are its numbers to more.
constexpr std::array<Colour, 3> bt2020_to_bt709{
    {{1.660491, -0.587641, -0.072850}, {-0.124550, 1.132900, -0.008349}, {-0.018151, -0.100579, 1.118730}}};

Colour naive(const Colour& v, HdrCurve curve, double peak) {
    Colour light{};
    for (std::size_t i = 0; i < 3; ++i) {
        light[i] = curve == HdrCurve::pq ? nits(v[i]) : curve == HdrCurve::hlg ? hlg_scene(v[i]) : 203 * std::pow(v[i], 2.4);
    }
    if (curve == HdrCurve::hlg) {
        const double luma = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2];
        for (double& one : light) {
            one *= 1000 * std::pow(luma, 0.2);
        }
        peak = 1000;
    }
    const double most = std::max({light[0], light[1], light[2]});
    const double gain = curve == HdrCurve::power || most == 0 ? 1 : toned(most, peak) / most;
    Colour made{};
    for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            sum += bt2020_to_bt709[i][k] * light[k] * gain / 203;
        }
        made[i] = std::pow(std::clamp(sum, 0.0, 1.0), 1 / 2.4);
    }
    return made;
}

/// How far codes lie from the formulas, rounded once.
struct Misses {
    int most = 0;    ///< codes
    double share = 0; ///< of values that are not the same
};

Misses misses_of(const ToSdr& op, const Image& image) {
    const Image made = whole(op, image);
    REQUIRE(made.depth() == Depth::u8);
    REQUIRE(made.channels() == image.channels());
    const double full = max_code(image.depth());
    Misses misses;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const Colour in{image.at(x, y, 0) / full, image.at(x, y, 1) / full, image.at(x, y, 2) / full};
            const Colour out = naive(in, op.curve, op.peak);
            for (int c = 0; c < 3; ++c) {
                const double wanted = std::nearbyint(255 * out[static_cast<std::size_t>(c)]);
                const int off = static_cast<int>(std::abs(made.at(x, y, c) - wanted));
                misses.most = std::max(misses.most, off);
                misses.share += off > 0 ? 1.0 / (3.0 * image.width() * image.height()) : 0;
            }
            if (image.channels() == 4) {
                CHECK(made.at(x, y, 3) == std::nearbyint(255 * image.at(x, y, 3) / full));
            }
        }
    }
    return misses;
}

void check_formulas(const ToSdr& op, const Image& image) {
    const Misses misses = misses_of(op, image);
    CHECK(misses.most <= 1);
    CHECK(misses.share < 1e-3);
}

} // namespace

TEST_CASE("to SDR: codes are those of the formulas, rounded") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (const int channels : {3, 4}) {
            const Image image = random_image({97, 81, channels, depth}, 3);
            for (const double peak : {100.0, 203.0, 400.0, 1000.0, 4000.0, 10000.0}) {
                INFO(static_cast<int>(depth) << " bits, peak " << peak);
                check_formulas({.curve = HdrCurve::pq, .peak = peak}, image);
            }
            check_formulas({.curve = HdrCurve::hlg}, image);
            check_formulas({.curve = HdrCurve::power}, image);
        }
    }
}

TEST_CASE("to SDR: every grey of 8 bits, and greys stay grey") {
    Image greys(256, 1, 3, Depth::u8);
    for (std::size_t i = 0; i < 768; ++i) {
        greys.values<std::uint8_t>()[i] = static_cast<std::uint8_t>(i / 3);
    }
    for (const HdrCurve curve : {HdrCurve::pq, HdrCurve::hlg, HdrCurve::power}) {
        const ToSdr op{.curve = curve};
        check_formulas(op, greys);
        const Image made = whole(op, greys);
        for (int x = 0; x < 256; ++x) {
            CHECK(made.at(x, 0, 0) == made.at(x, 0, 1));
            CHECK(made.at(x, 0, 0) == made.at(x, 0, 2));
            CHECK((x == 0 || made.at(x, 0, 0) >= made.at(x - 1, 0, 0)));
        }
        CHECK(made.at(0, 0, 0) == 0);
        CHECK(made.at(255, 0, 0) == 255);
    }
}

TEST_CASE("to SDR: published numbers") {
    CHECK_THAT(pq_of(203), WithinAbs(0.58, 0.001)); // BT.2408: 58 %
    CHECK_THAT(pq_of(1000), WithinAbs(0.7518, 1e-4));
    CHECK_THAT(light_of_pq(pq_of(100)), WithinAbs(100, 1e-9));
    const std::array<double, 9> matrix = between_primaries(bt2020_primaries, bt709_primaries);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        CHECK_THAT(matrix[i], WithinAbs(bt2020_to_bt709[i / 3][i % 3], 2e-6));
    }
    for (const Primaries& from : {bt2020_primaries, display_p3_primaries, dci_p3_primaries}) {
        const std::array<double, 9> any = between_primaries(from, bt709_primaries);
        for (std::size_t row = 0; row < 3; ++row) {
            CHECK_THAT(any[3 * row] + any[3 * row + 1] + any[3 * row + 2], WithinAbs(1, 1e-12));
        }
    }
    const std::array<double, 9> none = between_primaries(bt709_primaries, bt709_primaries);
    for (std::size_t i = 0; i < none.size(); ++i) {
        CHECK_THAT(none[i], WithinAbs(i % 4 == 0 ? 1 : 0, 1e-12));
    }
}
