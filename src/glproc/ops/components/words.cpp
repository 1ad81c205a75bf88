// How parameters of `components` are written.
#include "glproc/ops/components.hpp"

#include <algorithm>
#include <cctype>

namespace glproc {

MaskThreshold FieldText<MaskThreshold>::parse(const FieldContext& c, std::string_view text) {
    const bool is_word = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
    return is_word ? MaskThreshold{.rule = FieldText<SplitRule>::parse(c, text)}
                   : MaskThreshold{.at = parse_level(c, text)};
}

std::vector<ComponentMeasure> FieldText<std::vector<ComponentMeasure>>::parse(const FieldContext& c,
                                                                              std::string_view text) {
    std::vector<ComponentMeasure> measures;
    for (const std::string_view part : split_list(text)) {
        const auto measure = FieldText<ComponentMeasure>::parse(c, part);
        if (std::find(measures.begin(), measures.end(), measure) != measures.end()) {
            refuse_twice(c, text, part);
        }
        measures.push_back(measure);
    }
    return measures;
}

std::string FieldText<std::vector<ComponentMeasure>>::print(const std::vector<ComponentMeasure>& measures) {
    std::string text;
    for (const ComponentMeasure measure : measures) {
        text += text.empty() ? "" : ",";
        text += name_of(measure);
    }
    return text;
}

std::string FieldText<MaskThreshold>::print(const MaskThreshold& value) {
    return value.rule ? std::string(name_of(*value.rule)) : FieldText<Level>::print(value.at);
}

std::string FieldText<MaskThreshold>::range(const Limit& limit) {
    return FieldText<Level>::range(limit) + ", or a rule of threshold, such as otsu";
}

} // namespace glproc
