#include "glproc/ops/threshold/rule.hpp"

#include <fmt/format.h>

namespace glproc {

ThresholdRule FieldText<ThresholdRule>::parse(const FieldContext& context, std::string_view text) {
    const std::size_t colon = text.find(':');
    const SplitRule rule = FieldText<SplitRule>::parse(context, text.substr(0, colon));
    if (colon == std::string_view::npos) {
        return rule;
    }
    if (rule != SplitRule::otsu) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} {}: {} makes two classes and takes no number", context.name, text,
                                name_of(rule)),
                    fmt::format("write --{} {}, or --{} otsu:3", context.name, name_of(rule), context.name));
    }
    const std::string name = std::string(context.name) + " otsu";
    return {rule, parse_integer({name, "classes", threshold_classes_limit}, text.substr(colon + 1))};
}

std::string FieldText<ThresholdRule>::print(const ThresholdRule& value) {
    return value.classes == 2 ? std::string(name_of(value.rule))
                              : fmt::format("{}:{}", name_of(value.rule), value.classes);
}

} // namespace glproc
