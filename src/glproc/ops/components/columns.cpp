#include "glproc/ops/components/columns.hpp"

#include "glproc/ops/components/chosen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr double no_figure = std::numeric_limits<double>::quiet_NaN();

/// n times the sum of products, minus the product of sums: n squared times a moment.
double central_sum(WideSum products, std::uint64_t sum, std::uint64_t other, std::uint64_t count) {
    const WideSum a = products * count;
    const WideSum b = WideSum{sum} * other;
    return a >= b ? static_cast<double>(a - b) : -static_cast<double>(b - a);
}

/// The ellipse with the same second moments: the squares of its semi-axes, divided by 4.
struct Ellipse {
    double large = 0;
    double small = 0;
};

Ellipse ellipse_of(const ComponentSums& sums) {
    const SecondMoments m = second_moments(sums);
    const double middle = (m.xx + m.yy) / 2;
    const double apart = std::hypot((m.xx - m.yy) / 2, m.xy);
    return {middle + apart, std::max(middle - apart, 0.0)};
}

/// As scikit-image: from the axis of rows to the major axis.
double orientation_of(const ComponentSums& sums) {
    const SecondMoments m = second_moments(sums);
    return std::atan2(2 * m.xy, m.yy - m.xx) / 2;
}

double eccentricity_of(const ComponentSums& sums) {
    const Ellipse ellipse = ellipse_of(sums);
    return ellipse.large == 0 ? 0 : std::sqrt(1 - ellipse.small / ellipse.large);
}

double mean_of(std::uint64_t sum, std::uint64_t count) {
    return static_cast<double>(sum) / static_cast<double>(count);
}

double ratio(double a, double b) {
    return b == 0 ? no_figure : a / b;
}

double area_of(const Measured& c) {
    return static_cast<double>(c.sums().area);
}

/// The length of the outline by the weights of a perimeter estimator.
double perimeter_of(const Measured& c) {
    const LabelledSums& sums = c.labelled();
    const double straight = static_cast<double>(sums.straight) + static_cast<double>(sums.bent) / 2;
    const double diagonal = static_cast<double>(sums.diagonal) + static_cast<double>(sums.bent) / 2;
    return straight + diagonal * std::numbers::sqrt2;
}

double circularity_of(const Measured& c) {
    const double perimeter = perimeter_of(c);
    return ratio(4 * std::numbers::pi * area_of(c), perimeter * perimeter);
}

/// ImageJ's 4 A / (pi major^2), of the same major axis as in the table.
double roundness_of(const Measured& c) {
    return ratio(area_of(c), 4 * std::numbers::pi * ellipse_of(c.sums()).large);
}

std::int64_t box_width(const Measured& c) {
    return c.sums().right - c.sums().left + 1;
}

std::int64_t box_height(const Measured& c) {
    return c.sums().bottom - c.sums().top + 1;
}

/// A column with numbers of a shape. A measure has one of its own name, or several.
struct ShapeColumn {
    ComponentMeasure measure;
    const char* name;
    const char* unit;
    int decimals; ///< of real numbers; below 0 of whole ones
    double (*value)(const Measured&);
};

constexpr int whole_number = -1;

std::span<const ShapeColumn> shape_columns() {
    using enum ComponentMeasure;
    using In = const Measured&;
    constexpr int whole = whole_number;
    static const std::array all{
        ShapeColumn{area, "area", "pixels", whole, area_of},
        ShapeColumn{box, "left", "pixels", whole, [](In c) { return double(c.sums().left); }},
        ShapeColumn{box, "top", "pixels", whole, [](In c) { return double(c.sums().top); }},
        ShapeColumn{box, "width", "pixels", whole, [](In c) { return double(box_width(c)); }},
        ShapeColumn{box, "height", "pixels", whole, [](In c) { return double(box_height(c)); }},
        ShapeColumn{centroid, "x", "pixels", 2, [](In c) { return mean_of(c.sums().x, c.sums().area); }},
        ShapeColumn{centroid, "y", "pixels", 2, [](In c) { return mean_of(c.sums().y, c.sums().area); }},
        ShapeColumn{axes, "major", "pixels", 2,
                    [](In c) { return 4 * std::sqrt(ellipse_of(c.sums()).large); }},
        ShapeColumn{axes, "minor", "pixels", 2,
                    [](In c) { return 4 * std::sqrt(ellipse_of(c.sums()).small); }},
        ShapeColumn{orientation, "orientation", "radians", 4, [](In c) { return orientation_of(c.sums()); }},
        ShapeColumn{eccentricity, "eccentricity", "", 4, [](In c) { return eccentricity_of(c.sums()); }},
        ShapeColumn{roundness, "roundness", "", 4, roundness_of},
        ShapeColumn{extent, "extent", "", 4,
                    [](In c) { return area_of(c) / double(box_width(c) * box_height(c)); }},
        ShapeColumn{touches, "touches", "", whole,
                    [](In c) { return double(is_outside(c.sums(), c.all.picture)); }},
        ShapeColumn{perimeter, "perimeter", "pixels", 2, perimeter_of},
        ShapeColumn{circularity, "circularity", "", 4, circularity_of},
        ShapeColumn{euler, "euler", "", whole, [](In c) { return double(c.labelled().euler); }},
        ShapeColumn{holes, "holes", "", whole, [](In c) { return double(1 - c.labelled().euler); }},
        ShapeColumn{hull_area, "hull_area", "pixels", whole, [](In c) { return double(c.hull().area); }},
        ShapeColumn{solidity, "solidity", "", 4, [](In c) { return area_of(c) / double(c.hull().area); }},
        ShapeColumn{feret_max, "feret_max", "pixels", 2, [](In c) { return c.hull().feret_max; }},
        ShapeColumn{feret_min, "feret_min", "pixels", 2, [](In c) { return c.hull().feret_min; }},
        ShapeColumn{feret_angle, "feret_angle", "degrees", 2, [](In c) { return c.hull().feret_angle; }},
        ShapeColumn{rect_area, "rect_area", "pixels", 2, [](In c) { return c.hull().rect_area; }},
        ShapeColumn{rect_length, "rect_length", "pixels", 2, [](In c) { return c.hull().rect_length; }},
        ShapeColumn{rect_width, "rect_width", "pixels", 2, [](In c) { return c.hull().rect_width; }},
        ShapeColumn{rect_angle, "rect_angle", "degrees", 2, [](In c) { return c.hull().rect_angle; }},
    };
    return all;
}

Column column_of(const ShapeColumn& shape) {
    if (shape.decimals == whole_number) {
        return {{shape.name, ColumnType::whole, shape.unit},
                [value = shape.value](const Measured& c) { return static_cast<std::int64_t>(value(c)); }};
    }
    return {{shape.name, ColumnType::real, shape.unit, shape.decimals}, shape.value};
}

/// The value of a measure of one channel of the second picture.
double value_of(ComponentMeasure measure, const Measured& c, std::size_t channel) {
    const auto values = [&]() -> const ComponentValues& { return c.labelled().values.at(channel); };
    const auto spread = [&]() -> const ValueSpread& {
        return c.all.spreads[c.at * static_cast<std::size_t>(c.all.with.channels) + channel];
    };
    using enum ComponentMeasure;
    switch (measure) {
    case mean:
        return values().mean(c.all.with.depth);
    case min:
        return values().least;
    case max:
        return values().largest;
    case sum:
        return values().sum(c.all.with.depth);
    case stddev:
        return spread().stddev;
    case skewness:
        return spread().skewness;
    case median:
        return spread().median;
    case mode:
        return spread().mode;
    default:
        return no_figure;
    }
}

/// A column for each channel of the picture whose values were measured.
std::vector<Column> value_columns(ComponentMeasure measure, const Form& with) {
    constexpr std::array names{"r", "g", "b", "a"};
    std::vector<Column> columns;
    for (int c = 0; c < with.channels; ++c) {
        const bool is_alpha = with.has_alpha() && c + 1 == with.channels;
        const std::string channel = is_alpha ? "_a"
                                    : with.channels < 3
                                        ? ""
                                        : fmt::format("_{}", names.at(static_cast<std::size_t>(c)));
        columns.push_back(
            {{fmt::format("{}{}", name_of(measure), channel), ColumnType::real},
             [measure, c](const Measured& m) { return value_of(measure, m, static_cast<std::size_t>(c)); }});
        columns.back().as.is_float_measure = with.depth == Depth::f32;
    }
    return columns;
}

/// All names that a column may have, and their measures.
const std::map<std::string, ComponentMeasure, std::less<>>& all_columns() {
    static const auto all = [] {
        std::map<std::string, ComponentMeasure, std::less<>> found;
        for (const EnumRow<ComponentMeasure>& row : enum_rows<ComponentMeasure>) {
            for (const int channels : {2, 4}) {
                for (const Column& column : columns_of(row.value, {1, 1, channels})) {
                    found.emplace(column.as.name, row.value);
                }
            }
        }
        return found;
    }();
    return all;
}

} // namespace

SecondMoments second_moments(const ComponentSums& sums) {
    const double square = static_cast<double>(sums.area) * static_cast<double>(sums.area);
    return {central_sum(sums.xx, sums.x, sums.x, sums.area) / square,
            central_sum(sums.xy, sums.x, sums.y, sums.area) / square,
            central_sum(sums.yy, sums.y, sums.y, sums.area) / square};
}

std::vector<Column> columns_of(ComponentMeasure measure, const Form& with) {
    std::vector<Column> columns;
    for (const ShapeColumn& shape : shape_columns()) {
        if (shape.measure == measure) {
            columns.push_back(column_of(shape));
        }
    }
    return columns.empty() ? value_columns(measure, with) : columns;
}

std::optional<ComponentMeasure> measure_of_column(std::string_view name) {
    const auto found = all_columns().find(name);
    return found == all_columns().end() ? std::nullopt : std::optional(found->second);
}

std::optional<Column> column_named(std::string_view name, const Form& with) {
    const std::optional<ComponentMeasure> measure = measure_of_column(name);
    for (Column& column : measure ? columns_of(*measure, with) : std::vector<Column>()) {
        if (column.as.name == name) {
            return std::move(column);
        }
    }
    return std::nullopt;
}

std::vector<std::string> columns_like(std::string_view word) {
    std::vector<std::string> begun;
    std::vector<std::string> all;
    for (const auto& [name, measure] : all_columns()) {
        all.push_back(name);
        if (!word.empty() && (name.starts_with(word) || name_of(measure) == word)) {
            begun.push_back(name);
        }
    }
    const std::string nearest = begun.empty() ? did_you_mean(word, all) : "";
    return nearest.empty() ? begun : std::vector{nearest};
}

ComponentNeeds needs_of(const std::vector<ComponentMeasure>& measures) {
    using enum ComponentMeasure;
    const auto has = [&](std::initializer_list<ComponentMeasure> some) {
        return std::find_first_of(measures.begin(), measures.end(), some.begin(), some.end()) !=
               measures.end();
    };
    ComponentNeeds needs;
    needs.moments = has({axes, orientation, eccentricity, roundness});
    needs.outlines = has({perimeter, circularity, euler, holes});
    needs.hulls = has({hull_area, solidity, feret_max, feret_min, feret_angle, rect_area, rect_length,
                       rect_width, rect_angle});
    needs.ranks = has({median, mode});
    needs.spreads = needs.ranks || has({stddev, skewness});
    needs.values = needs.spreads || has({mean, min, max, sum});
    return needs;
}

} // namespace glproc
