#include "glproc/ops/filter.hpp"

#include <fmt/format.h>

namespace glproc {

Border FieldText<Border>::parse(const FieldContext& c, std::string_view text) {
    if (text == "reflect") {
        throw Error(
            ErrorCode::usage, fmt::format("--{} reflect is ambiguous", c.name),
            "'mirror' is dcb|abcd|cba (OpenCV REFLECT_101), 'symmetric' is dcba|abcd|dcba (SciPy reflect)");
    }
    const std::size_t colon = text.find(':');
    const BorderMode mode = FieldText<BorderMode>::parse(c, text.substr(0, colon));
    if (colon == std::string_view::npos) {
        return mode;
    }
    if (mode != BorderMode::constant) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} takes no value", c.name, name_of(mode)),
                    fmt::format("only constant does: --{} constant:0.5", c.name));
    }
    return {mode, parse_number({c.name, "", {}}, text.substr(colon + 1))};
}

std::string FieldText<Border>::print(const Border& border) {
    const std::string mode(name_of(border.mode));
    return border.mode == BorderMode::constant ? fmt::format("{}:{}", mode, border.value) : mode;
}

} // namespace glproc
