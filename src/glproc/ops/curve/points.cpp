#include "glproc/ops/curve/points.hpp"

#include <fmt/format.h>

namespace glproc {

void check_curve(std::span<const CurvePoint> points) {
    constexpr double least_step = 1e-6;
    check_limit("the number of points", static_cast<double>(points.size()), {2, 256});
    double last = 2 * curve_limit.low;
    for (const CurvePoint& point : points) {
        check_limit("x", point.x, curve_limit);
        check_limit("y", point.y, curve_limit);
        if (point.x - last < least_step) {
            throw Error(ErrorCode::usage,
                        fmt::format("the points of a curve have {} after {}", point.x.value, last),
                        fmt::format("x must grow by {} or more from point to point", least_step));
        }
        last = point.x;
    }
}

std::vector<CurvePoint> FieldText<std::vector<CurvePoint>>::parse(const FieldContext& c,
                                                                  std::string_view text) {
    const std::vector<Level> numbers = parse_levels(c, text);
    if (numbers.size() % 2 != 0) {
        throw Error(ErrorCode::usage, fmt::format("--{} has an x without its y", c.name),
                    fmt::format("--{} takes x,y x,y ...", c.name));
    }
    std::vector<CurvePoint> points;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        points.push_back({numbers[i], numbers[i + 1]});
    }
    check_curve(points);
    return points;
}

std::string FieldText<std::vector<CurvePoint>>::print(const std::vector<CurvePoint>& points) {
    std::string text;
    for (const CurvePoint& point : points) {
        text += fmt::format("{}{},{}", text.empty() ? "" : " ", point.x.value, point.y.value);
    }
    return text;
}

} // namespace glproc
