// Choices that measurements decided: tables of rows, each beside the code that asks.
#pragma once

#include "glproc/gl/context.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace glproc {

inline constexpr int any_radius = std::numeric_limits<int>::max();

/// The choice that measured best on a renderer: a method, a number, or whether to do something.
template <class Choice>
struct TuningRow {
    std::string_view renderer; ///< part of GL_RENDERER or GL_VENDOR, lower case; empty: any other
    int max_radius;            ///< the row counts up to this radius
    Choice choice;
    std::string_view measured; ///< figure, device, driver, date; bench/notebook.md has more
};

/// A table. The first row that matches counts. It compiles only if the last row matches everywhere.
template <class Choice, std::size_t count>
consteval auto tuning(const TuningRow<Choice> (&rows)[count]) { // NOLINT: only an array counts a list of rows
    if (!rows[count - 1].renderer.empty() || rows[count - 1].max_radius != any_radius) {
        throw std::logic_error("the last row must match any renderer and any radius");
    }
    return std::to_array(rows);
}

template <class Choice, std::size_t count>
Choice tuned(const std::array<TuningRow<Choice>, count>& rows, const DeviceInfo& device, int radius = 0) {
    const auto matches = [&](const TuningRow<Choice>& row) {
        return radius <= row.max_radius && device.is(row.renderer);
    };
    return std::find_if(rows.begin(), rows.end() - 1, matches)->choice;
}

} // namespace glproc
