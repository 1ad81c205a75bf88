#include "glproc/ops/channels/stains.hpp"

#include "glproc/base/error.hpp"
#include "glproc/ops/convolve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

using Absorbed = std::array<double, 3>;

constexpr double darkest = 1e-6; // as in lib/stains.glsl

struct NamedStains {
    std::string_view name;
    std::array<Absorbed, 3> absorbed;
};

// hed is of the paper, hdab and he of G. Landini's Colour Deconvolution for ImageJ; hed and hdab are
// scikit-image's, too.
constexpr std::array<NamedStains, 3> known_stains{{
    {"he", {{{0.644211, 0.716556, 0.266844}, {0.092789, 0.954111, 0.283111}, {}}}},
    {"hdab", {{{0.650, 0.704, 0.286}, {0.268, 0.570, 0.776}, {}}}},
    {"hed", {{{0.65, 0.70, 0.29}, {0.07, 0.99, 0.11}, {0.27, 0.57, 0.78}}}},
}};

constexpr std::string_view what_stains_are =
    "a file has a row for each stain: how much red, green and blue it absorbs";

Absorbed across(const Absorbed& a, const Absorbed& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double inner(const Absorbed& a, const Absorbed& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A row of zeros becomes one at right angles to the other two.
std::array<Absorbed, 3> completed(std::array<Absorbed, 3> rows) {
    const auto empty = std::ranges::find(rows, Absorbed{});
    if (empty != rows.end()) {
        const auto at = static_cast<std::size_t>(empty - rows.begin());
        *empty = across(rows[(at + 1) % 3], rows[(at + 2) % 3]);
    }
    return rows;
}

} // namespace

Stains Stains::of(std::string_view name) {
    const auto known = std::ranges::find(known_stains, name, &NamedStains::name);
    if (known == known_stains.end()) {
        throw Error(ErrorCode::usage, fmt::format("there are no stains '{}'", name), "write he, hdab or hed");
    }
    return {std::string(name), known->absorbed};
}

Stains FieldText<Stains>::parse(const FieldContext& context, std::string_view text) {
    if (std::ranges::find(known_stains, text, &NamedStains::name) != known_stains.end()) {
        return Stains::of(text);
    }
    Kernel rows;
    try {
        rows = FieldText<Kernel>::parse(context, text);
    } catch (const Error& error) {
        throw Error(error.code(), error.what(),
                    fmt::format("write --{} he, hdab or hed; {}", context.name, what_stains_are));
    }
    if (rows.width != 3 || rows.height != 3) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: {} rows of {} numbers instead of 3x3", text, rows.height, rows.width),
                    std::string(what_stains_are));
    }
    Stains stains{std::string(text), {}};
    for (std::size_t i = 0; i < 9; ++i) {
        stains.absorbed[i / 3][i % 3] = rows.weights[i];
    }
    return stains;
}

std::vector<float> stain_params(const Stains& stains, bool as_light) {
    const std::array<Absorbed, 3> rows = completed(stains.absorbed);
    const double volume = inner(rows[0], across(rows[1], rows[2]));
    const double unit =
        std::sqrt(inner(rows[0], rows[0]) * inner(rows[1], rows[1]) * inner(rows[2], rows[2]));
    if (!(std::abs(volume) > 1e-4 * unit) || !std::isfinite(unit)) {
        throw Error(ErrorCode::usage, fmt::format("the stains of {} cannot be told apart", stains.name),
                    std::string(what_stains_are));
    }
    std::vector<float> params;
    for (std::size_t stain = 0; stain < 3; ++stain) { // a column of the inverse
        const Absorbed column = across(rows[(stain + 1) % 3], rows[(stain + 2) % 3]);
        for (const double weight : column) {
            params.push_back(static_cast<float>(weight / volume / (as_light ? 1 : std::log2(darkest))));
        }
    }
    return params;
}

} // namespace glproc
