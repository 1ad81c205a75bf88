// The rule that chooses the thresholds of an image.
#pragma once

#include "glproc/ops/histogram/split.hpp"

namespace glproc {

inline constexpr Limit threshold_classes_limit{2, most_classes};

/// A rule, and into how many classes it cuts the histogram: more than two by Otsu's alone.
struct ThresholdRule {
    constexpr ThresholdRule() = default;
    constexpr ThresholdRule(SplitRule by, int number = 2)
        : rule(by), classes(number) {} // implicit: {.rule = SplitRule::otsu}

    SplitRule rule = SplitRule::otsu;
    int classes = 2;
};

/// The name of a rule, or "otsu:N".
template <>
struct FieldText<ThresholdRule> {
    static ThresholdRule parse(const FieldContext& context, std::string_view text);
    static std::string print(const ThresholdRule& value);
    static std::string range(const Limit&) { return FieldText<SplitRule>::range({}) + "|otsu:N"; }
    static std::vector<Choice> choices() { return FieldText<SplitRule>::choices(); }
};

} // namespace glproc
