// The stains of a slide as a parameter.
#pragma once

#include "glproc/op/field.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// How much red, green and blue each of three stains absorbs.
struct Stains {
    std::string name; ///< he, hdab, hed, or of the file
    std::array<std::array<double, 3>, 3> absorbed = {};

    /// Throws Error(usage) for another name.
    static Stains of(std::string_view name);
};

template <>
struct FieldText<Stains> {
    /// A name, or a file with three rows of three numbers. A row of zeros absorbs what is at right angles to
    /// the other two.
    static Stains parse(const FieldContext& context, std::string_view text);
    static std::string print(const Stains& stains) { return stains.name; }
    static std::string range(const Limit&) { return "he, hdab, hed or a file of 3x3 numbers"; }
};

/// The parameters of lib/stains.glsl. Throws Error(usage) for stains that cannot be told apart.
std::vector<float> stain_params(const Stains& stains, bool as_light);

} // namespace glproc
