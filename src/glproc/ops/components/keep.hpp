// The filter of components: --keep 'area > 50 and circularity > 0.8'.
#pragma once

#include "glproc/op/field.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// Comparisons of measures with numbers, joined by and, or, not and parentheses; not comes before and, and
/// before or. Measures are named as columns of the table. A value that is missing meets no comparison.
struct ComponentFilter {
    enum class Step { less, at_most, more, at_least, equal, unequal, both, either, opposite };
    struct Part {
        Step step = Step::less;
        std::string measure = {}; ///< of a comparison
        double number = 0;

        bool compares() const { return step < Step::both; }
        bool operator==(const Part&) const = default;
    };

    std::string text = {};        ///< as it was typed
    std::vector<Part> parts = {}; ///< each behind the parts that it joins

    /// `value` gives the measure of a part that compares.
    bool keeps(const std::function<double(std::size_t part)>& value) const;
    bool operator==(const ComponentFilter&) const = default;
};

/// Throws Error(usage), which names the word that it does not understand.
template <>
struct FieldText<ComponentFilter> {
    static ComponentFilter parse(const FieldContext& c, std::string_view text);
    static std::string print(const ComponentFilter& filter) { return filter.text; }
    static std::string range(const Limit&) { return "such as 'area > 50 and solidity >= 0.9'"; }
};

} // namespace glproc
