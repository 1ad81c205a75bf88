// ICC.1:2022: header 7.2, tag table 7.3, types mluc 10.15, para 10.18, sf32 10.23, XYZ 10.31; adaptation by Bradford, annex E.
#include "glproc/image/made_profile.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace glproc {

namespace {

using Three = std::array<double, 3>;
using Matrix = std::array<double, 9>; // by rows

Three product(const Matrix& m, const Three& v) {
    return {m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
            m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix made{};
    for (std::size_t i = 0; i < 9; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            made[i] += a[i / 3 * 3 + k] * b[3 * k + i % 3];
        }
    }
    return made;
}

Matrix inverse(const Matrix& m) {
    const double det = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                       m[2] * (m[3] * m[7] - m[4] * m[6]);
    return {(m[4] * m[8] - m[5] * m[7]) / det, (m[2] * m[7] - m[1] * m[8]) / det, (m[1] * m[5] - m[2] * m[4]) / det,
            (m[5] * m[6] - m[3] * m[8]) / det, (m[0] * m[8] - m[2] * m[6]) / det, (m[2] * m[3] - m[0] * m[5]) / det,
            (m[3] * m[7] - m[4] * m[6]) / det, (m[1] * m[6] - m[0] * m[7]) / det, (m[0] * m[4] - m[1] * m[3]) / det};
}

Three xyz_of(double x, double y) {
    return {x / y, 1, (1 - x - y) / y};
}

constexpr Three d50{0.9642, 1, 0.8249};

/// From a white to that of profiles.
Matrix adaptation(const Three& white) {
    constexpr Matrix cones{0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296};
    const Three from = product(cones, white);
    const Three to = product(cones, d50);
    const Matrix scale{to[0] / from[0], 0, 0, 0, to[1] / from[1], 0, 0, 0, to[2] / from[2]};
    return product(inverse(cones), product(scale, cones));
}

/// Red, green and blue as columns of XYZ, whose sum is the white.
Matrix to_xyz(const Chromaticities& c, const Three& white) {
    Matrix m{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Three xyz = xyz_of(c[2 * i], c[2 * i + 1]);
        m[i] = xyz[0];
        m[3 + i] = xyz[1];
        m[6 + i] = xyz[2];
    }
    const Three shares = product(inverse(m), white);
    for (std::size_t i = 0; i < 9; ++i) {
        m[i] *= shares[i % 3];
    }
    return m;
}

/// A block of a profile, big-endian.
class Block {
  public:
    void number(std::uint32_t value, int bytes = 4) {
        for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
            bytes_ += static_cast<char>(value >> static_cast<unsigned>(shift) & 255U);
        }
    }
    void text(std::string_view text) { bytes_ += text; }
    void fixed(double value) { number(static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(value * 65536)))); }
    void zeros(std::size_t count) { bytes_.append(count, '\0'); }
    void align() { zeros((4 - bytes_.size() % 4) % 4); }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

std::string begun(std::string_view type) {
    return std::string(type) + std::string(4, '\0');
}

std::string words(std::string_view text) {
    Block block;
    block.text(begun("mluc"));
    block.number(1);
    block.number(12);
    block.text("enUS");
    block.number(static_cast<std::uint32_t>(2 * text.size()));
    block.number(28);
    for (const char c : text) {
        block.number(static_cast<unsigned char>(c), 2);
    }
    return block.bytes();
}

std::string xyz(const Three& v) {
    Block block;
    block.text(begun("XYZ "));
    for (const double value : v) {
        block.fixed(value);
    }
    return block.bytes();
}

std::string curve(double gamma) {
    Block block;
    block.text(begun("para"));
    block.number(gamma == 0 ? 3 : 0, 2);
    block.zeros(2);
    if (gamma != 0) {
        block.fixed(gamma);
        return block.bytes();
    }
    for (const double value : {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}) {
        block.fixed(value);
    }
    return block.bytes();
}

std::string matrix(const Matrix& m) {
    Block block;
    block.text(begun("sf32"));
    for (const double value : m) {
        block.fixed(value);
    }
    return block.bytes();
}

bool is_possible(const ProfileColours& colours) {
    bool possible = colours.gamma >= 0 && colours.gamma < 100;
    for (std::size_t i = colours.is_grey ? 6 : 0; i < 8; i += 2) {
        const double x = colours.chromaticities[i];
        const double y = colours.chromaticities[i + 1];
        possible = possible && x > -1 && x < 1 && y > 0.001 && y < 1; // NaN is none of it
    }
    return possible;
}

} // namespace

std::vector<std::byte> made_profile(const ProfileColours& colours) {
    if (!is_possible(colours)) {
        return {};
    }
    const Chromaticities& c = colours.chromaticities;
    const Three white = xyz_of(c[6], c[7]);
    const Matrix adapted = adaptation(white);
    std::vector<std::pair<std::string_view, std::string>> tags{{"desc", words(colours.name)},
                                                               {"cprt", words("No copyright, use freely")},
                                                               {"wtpt", xyz(d50)},
                                                               {"chad", matrix(adapted)}};
    if (colours.is_grey) {
        tags.emplace_back("kTRC", curve(colours.gamma));
    } else {
        const Matrix m = product(adapted, to_xyz(c, white));
        constexpr std::array<std::string_view, 6> names{"rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"};
        for (std::size_t i = 0; i < 3; ++i) {
            if (!std::isfinite(m[i] + m[3 + i] + m[6 + i])) {
                return {};
            }
            tags.emplace_back(names[i], xyz({m[i], m[3 + i], m[6 + i]}));
            tags.emplace_back(names[3 + i], curve(colours.gamma));
        }
    }
    Block table;
    Block data;
    const std::size_t first = 128 + 4 + 12 * tags.size();
    table.number(static_cast<std::uint32_t>(tags.size()));
    for (const auto& [name, tag] : tags) {
        table.text(name);
        table.number(static_cast<std::uint32_t>(first + data.bytes().size()));
        table.number(static_cast<std::uint32_t>(tag.size()));
        data.text(tag);
        data.align();
    }
    Block whole;
    whole.number(static_cast<std::uint32_t>(first + data.bytes().size()));
    whole.zeros(4);
    whole.number(0x04300000);
    whole.text(colours.is_grey ? "mntrGRAYXYZ " : "mntrRGB XYZ ");
    for (const std::uint32_t part : {2000U, 1U, 1U, 0U, 0U, 0U}) { // no date of today in files
        whole.number(part, 2);
    }
    whole.text("acsp");
    whole.zeros(28);
    for (const double value : d50) {
        whole.fixed(value);
    }
    whole.zeros(128 - whole.bytes().size());
    whole.text(table.bytes());
    whole.text(data.bytes());
    const auto* bytes = reinterpret_cast<const std::byte*>(whole.bytes().data());
    return {bytes, bytes + whole.bytes().size()};
}

std::vector<std::byte> srgb_profile(bool is_grey) {
    return made_profile({.name = is_grey ? "Grey with the curve of sRGB" : "sRGB", .is_grey = is_grey});
}

} // namespace glproc
