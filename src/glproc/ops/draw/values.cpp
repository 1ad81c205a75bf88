#include "glproc/ops/draw/values.hpp"

#include "glproc/base/error.hpp"
#include "glproc/op/pixel_length.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc {

namespace {

struct Unit {
    std::string_view name;
    double metres;
};

constexpr std::array<Unit, 9> units{{{"nm", 1e-9},
                                     {"um", 1e-6},
                                     {"µm", 1e-6},
                                     {"mm", 1e-3},
                                     {"cm", 1e-2},
                                     {"m", 1},
                                     {"km", 1e3},
                                     {"in", 0.0254},
                                     {"px", 0}}};

double metres_of(const std::string& name) {
    for (const Unit& unit : units) {
        if (unit.name == name) {
            return unit.metres;
        }
    }
    return -1;
}

} // namespace

Points Points::in(int width, int height) const {
    std::vector<double> pixels = numbers;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        pixels[i] = PixelLength<double>{pixels[i], shares[i]}.in(i % 2 == 0 ? width : height);
    }
    return pixels;
}

Points FieldText<Points>::parse(const FieldContext& c, std::string_view text) {
    Points points;
    for (const std::string_view part : split_numbers(c, text)) {
        const PixelLength<double> number = FieldText<PixelLength<double>>::parse(c, part);
        points.numbers.push_back(number.pixels);
        points.shares.push_back(number.share);
    }
    if (std::all_of(points.shares.begin(), points.shares.end(), [](double share) { return share == 0; })) {
        points.shares.clear();
    }
    return points;
}

std::string FieldText<Points>::print(const Points& points) {
    std::string text;
    for (std::size_t i = 0; i < points.numbers.size(); ++i) {
        const double share = points.shares.empty() ? 0 : points.shares[i];
        text += (i == 0 ? "" : ",") + FieldText<PixelLength<double>>::print({points.numbers[i], share});
    }
    return text;
}

Length FieldText<Length>::parse(const FieldContext& c, std::string_view text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
    // "e" of "1em" is no exponent; no unit begins with e.
    Length length{parse_number({c.name, c.unit, {1e-12, 1e12}}, text.substr(0, end)), {}};
    std::string_view unit = text.substr(end);
    unit.remove_prefix(std::min(unit.find_first_not_of(", "), unit.size()));
    length.unit = unit;
    if (!unit.empty() && metres_of(length.unit) < 0) {
        throw Error(ErrorCode::usage, fmt::format("--{} {}: no unit '{}'", c.name, text, unit),
                    "units are nm, um, mm, cm, m, km, in and px");
    }
    return length;
}

std::string FieldText<Length>::print(const Length& length) {
    return print_number(length.number) + (length.unit.empty() ? "" : "," + length.unit);
}

double ratio_of(const Length& length, const Length& by) {
    const std::string& unit = by.unit.empty() ? length.unit : by.unit;
    if (length.unit == unit) {
        return length.number / by.number;
    }
    const double above = metres_of(length.unit);
    const double below = metres_of(unit);
    if (above <= 0 || below <= 0) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} and {} do not measure the same", FieldText<Length>::print(length),
                                FieldText<Length>::print(by)),
                    "write both with a unit: --scale-bar 50,um --pixel-size 0.325,um");
    }
    return length.number * above / (by.number * below);
}

} // namespace glproc
