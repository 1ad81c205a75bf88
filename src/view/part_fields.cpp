// The fields by which a step says a part of the picture.
#include "view/document.hpp"

#include <algorithm>
#include <vector>

namespace glproc::view {

bool names_part(const FieldInfo& field) {
    return field.value == "X,Y,W,H"; // as the help has it
}

bool names_aspect(const FieldInfo& field) {
    return field.value == "W:H";
}

void forget_part(Step& step, const FieldInfo& field) {
    const std::vector<FieldInfo>& fields = step.op->fields;
    const auto says_part = [](const FieldInfo& one) {
        return names_part(one) || names_aspect(one) || one.value.starts_with("WxH[");
    };
    if (says_part(field) && std::any_of(fields.begin(), fields.end(), names_part)) {
        std::erase_if(step.given, [&](const auto& value) {
            const FieldInfo* given = field_called(*step.op, value.first);
            return given != nullptr && says_part(*given);
        });
    }
}

} // namespace glproc::view
