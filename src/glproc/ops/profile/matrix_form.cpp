#include "glproc/ops/profile/matrix_form.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>

namespace glproc {

namespace {

using Bytes = std::span<const std::byte>;

std::uint32_t number(Bytes bytes, std::size_t at, std::size_t size = 4) {
    std::uint32_t value = 0;
    for (const std::byte byte : bytes.subspan(at, size)) {
        value = value << 8U | std::to_integer<std::uint32_t>(byte);
    }
    return value;
}

bool is(Bytes bytes, std::size_t at, std::string_view name) {
    return std::equal(name.begin(), name.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char c, std::byte b) { return static_cast<unsigned char>(c) == std::to_integer<unsigned char>(b); });
}

/// s15Fixed16Number.
double fixed(Bytes bytes, std::size_t at) {
    return static_cast<std::int32_t>(number(bytes, at)) / 65536.0;
}

class Tags {
  public:
    /// Nothing where the table of tags goes beyond the end.
    static std::optional<Tags> of(Bytes icc) {
        constexpr std::size_t header = 128;
        constexpr std::size_t entry = 12;
        if (icc.size() < header + 4 || number(icc, header) > (icc.size() - header - 4) / entry) {
            return {};
        }
        return Tags(icc, icc.subspan(header + 4, number(icc, header) * entry));
    }

    /// Of A2B0, D2B0 and the like, which come before matrices.
    bool has_tables() const {
        for (std::size_t at = 0; at < entries_.size(); at += 12) {
            if (is(entries_, at + 1, "2B") || is(entries_, at + 1, "2D") || is(entries_, at + 1, "2A")) {
                return true;
            }
        }
        return false;
    }

    /// Empty where there is none.
    Bytes find(std::string_view name) const {
        for (std::size_t at = 0; at < entries_.size(); at += 12) {
            const std::size_t begin = number(entries_, at + 4);
            const std::size_t size = number(entries_, at + 8);
            if (is(entries_, at, name)) {
                return begin <= icc_.size() && size <= icc_.size() - begin ? icc_.subspan(begin, size) : Bytes{};
            }
        }
        return {};
    }

  private:
    Tags(Bytes icc, Bytes entries) : icc_(icc), entries_(entries) {}

    Bytes icc_;
    Bytes entries_;
};

ProfileCurve power(double exponent) {
    if (exponent == 1) { // no power, and none for values below 0
        return {.end = std::numeric_limits<float>::max(), .slope = 1};
    }
    return {.exponent = exponent};
}

/// ICC.1, 10.18: types 0 and 3, which cameras and screens have.
std::optional<ProfileCurve> parametric(Bytes tag) {
    const std::uint32_t type = number(tag, 8, 2);
    if ((type != 0 && (type != 3 || tag.size() < 32)) || tag.size() < 16) {
        return {};
    }
    const double exponent = fixed(tag, 12);
    if (type == 0) {
        return exponent > 0 ? std::optional(power(exponent)) : std::nullopt;
    }
    const ProfileCurve curve{.end = fixed(tag, 28),
                             .slope = fixed(tag, 24),
                             .factor = fixed(tag, 16),
                             .summand = fixed(tag, 20),
                             .exponent = exponent};
    const bool rises = exponent > 0 && curve.factor > 0 && curve.slope > 0 && curve.factor * curve.end + curve.summand >= 0;
    return rises && curve.end > 0 ? std::optional(curve) : std::nullopt; // black is black
}

std::optional<ProfileCurve> curve_of(Bytes tag) {
    if (tag.size() < 12) {
        return {};
    }
    if (is(tag, 0, "para")) {
        return parametric(tag);
    }
    const std::uint32_t count = is(tag, 0, "curv") ? number(tag, 8) : 2;
    if (count == 0) {
        return power(1);
    }
    const double exponent = count == 1 && tag.size() >= 14 ? number(tag, 12, 2) / 256.0 : 0;
    return exponent > 0 ? std::optional(power(exponent)) : std::nullopt; // else a table
}

std::optional<std::array<double, 9>> inverse(const std::array<double, 9>& m) {
    std::array<double, 9> made{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t a = (j + 1) % 3;
            const std::size_t b = (j + 2) % 3;
            const std::size_t c = (i + 1) % 3;
            const std::size_t d = (i + 2) % 3;
            made[3 * i + j] = m[3 * a + c] * m[3 * b + d] - m[3 * a + d] * m[3 * b + c];
        }
    }
    const double determinant = m[0] * made[0] + m[1] * made[3] + m[2] * made[6];
    if (std::abs(determinant) < 1e-4) { // as Little CMS has it
        return {};
    }
    for (double& value : made) {
        value /= determinant;
    }
    return made;
}

std::array<double, 9> product(const std::array<double, 9>& a, const std::array<double, 9>& b) {
    std::array<double, 9> made{};
    for (std::size_t i = 0; i < 9; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            made[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
        }
    }
    return made;
}

} // namespace

double ProfileCurve::light_of_end() const {
    return std::pow(factor * end + summand, exponent);
}

double ProfileCurve::value_of(double light) const {
    return light < light_of_end() ? (slope > 0 ? light / slope : 0) : (std::pow(light, 1 / exponent) - summand) / factor;
}

std::optional<MatrixProfile> matrix_profile(std::span<const std::byte> icc) {
    const std::optional<Tags> tags = Tags::of(icc);
    if (!tags || !is(icc, 16, "RGB ") || !is(icc, 20, "XYZ ") || tags->has_tables()) {
        return {};
    }
    constexpr std::array<std::string_view, 3> colours{"r", "g", "b"};
    MatrixProfile profile;
    for (std::size_t c = 0; c < 3; ++c) {
        const Bytes xyz = tags->find(std::string(colours[c]) + "XYZ");
        const std::optional<ProfileCurve> curve = curve_of(tags->find(std::string(colours[c]) + "TRC"));
        if (xyz.size() < 20 || !is(xyz, 0, "XYZ ") || !curve) {
            return {};
        }
        profile.curves[c] = *curve;
        for (std::size_t row = 0; row < 3; ++row) {
            profile.to_xyz[3 * row + c] = fixed(xyz, 8 + 4 * row);
        }
    }
    return profile;
}

std::optional<MatrixConversion> MatrixConversion::between(const MatrixProfile& from, const MatrixProfile& to) {
    const auto from_xyz = inverse(to.to_xyz);
    if (!from_xyz) {
        return {};
    }
    MatrixConversion made;
    made.from_ = from.curves;
    made.matrix_ = product(*from_xyz, from.to_xyz);
    made.to_ = to.curves;
    return made;
}

double MatrixConversion::largest_error() const {
    constexpr double most_light = 4; // and of exponents: others are for the library
    constexpr double light_error = 0x1p-21;
    const auto is_steep = [](const ProfileCurve& curve) { return curve.exponent > most_light; };
    if (std::any_of(from_.begin(), from_.end(), is_steep) ||
        std::any_of(matrix_.begin(), matrix_.end(), [](double value) { return std::abs(value) > most_light; })) {
        return std::numeric_limits<double>::infinity();
    }
    double most = 0;
    for (const ProfileCurve& curve : to_) {
        most = std::max(most, curve.value_of(light_error) - curve.value_of(0));
    }
    return most;
}

std::vector<float> MatrixConversion::params() const {
    std::vector<float> params;
    const auto add = [&](std::initializer_list<double> values) {
        for (const double value : values) {
            params.push_back(static_cast<float>(value));
        }
    };
    for (const ProfileCurve& c : from_) {
        add({c.end, c.slope, c.factor, c.summand, c.exponent});
    }
    for (const double value : matrix_) {
        add({value});
    }
    for (const ProfileCurve& c : to_) {
        add({c.light_of_end(), c.slope > 0 ? 1 / c.slope : 0, 1 / c.exponent, 1 / c.factor, -c.summand / c.factor});
    }
    return params;
}

} // namespace glproc
