#include "glproc/kinds/filter.hpp"

#include "glproc/math/srgb.hpp"
#include "glproc/op/level.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glproc {

Border FieldText<Border>::parse(const FieldContext& c, std::string_view text) {
    if (text == "reflect") {
        throw Error(
            ErrorCode::usage, fmt::format("--{} reflect is ambiguous", c.name),
            "'mirror' is dcb|abcd|cba (OpenCV REFLECT_101), 'symmetric' is dcba|abcd|dcba (SciPy reflect)");
    }
    if (const std::optional<Colour> colour = colour_from(text); colour && text.find(',') == text.npos) {
        const bool is_number = text.find_first_not_of("0123456789./") == std::string_view::npos;
        if (!is_number) {
            return Border(*colour); // "white" is "constant:white"
        }
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
    const std::string_view value = text.substr(colon + 1);
    if (const std::optional<Colour> colour = colour_from(value)) {
        const bool is_number = value.find_first_not_of("0123456789./%+-eE") == std::string_view::npos;
        return is_number ? Border(mode, colour->red) : Border(*colour);
    }
    const std::optional<Level> level = level_from(value); // of a float image, which may go beyond 0 to 1
    if (!level) {
        throw Error(
            ErrorCode::usage, fmt::format("--{} {} has no value that can be read", c.name, text),
            fmt::format(
                "--{} constant:V takes a number, a percentage such as 50%, a value such as 128/255, or {}",
                c.name, FieldText<Colour>::range({})));
    }
    return {mode, level->value};
}

Border linear_border(const Border& border, Depth depth) {
    const double full = max_code(depth);
    const auto light = [&](double value) {
        return linear_of_srgb(std::nearbyint(std::clamp(value, 0.0, 1.0) * full) / full);
    };
    Border result = border;
    result.value = light(border.value);
    if (border.colour) {
        const Colour& c = *border.colour;
        result.colour = Colour{light(c.red), light(c.green), light(c.blue), c.alpha};
    }
    return result;
}

void check_border(const Border& border, const Form& form) {
    if (border.mode != BorderMode::constant) {
        return;
    }
    if (border.colour && !border.colour->is_grey() && form.channels < 3) {
        throw Error(ErrorCode::usage,
                    fmt::format("the border {} is a colour, but the image is grey", hex_of(*border.colour)),
                    "choose a grey, such as constant:0.5");
    }
    if (border.colour && border.colour->alpha != 1 && !form.has_alpha()) {
        throw Error(
            ErrorCode::usage,
            fmt::format("the border {} is transparent, but the image has no alpha", hex_of(*border.colour)),
            "glproc convert IN OUT --alpha add gives it one; in a chain: convert --alpha add then ...");
    }
    if (form.depth != Depth::f32 && (border.value < 0 || border.value > 1)) {
        throw Error(
            ErrorCode::usage,
            fmt::format("the border constant:{} is out of range: 0 is black and 1 white", border.value),
            border.value > 1
                ? spelling_of("constant:", border.value, form.depth)
                : "constant:V takes 0 to 1, a percentage such as 50%, a value such as 128/255, or a colour");
    }
}

std::string FieldText<Border>::print(const Border& border) {
    const std::string mode(name_of(border.mode));
    if (border.mode != BorderMode::constant) {
        return mode;
    }
    return border.colour ? fmt::format("{}:{}", mode, hex_of(*border.colour))
                         : fmt::format("{}:{}", mode, border.value);
}

} // namespace glproc
