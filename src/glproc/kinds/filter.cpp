#include "glproc/kinds/filter.hpp"

#include "glproc/op/srgb.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

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
        const bool is_number = value.find_first_not_of("0123456789./+-eE") == std::string_view::npos;
        return is_number ? Border(mode, colour->red) : Border(*colour);
    }
    double number = 0; // of a float image, which may go beyond 0 to 1
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size() || !std::isfinite(number)) {
        throw Error(ErrorCode::usage, fmt::format("--{} {} has no value that can be read", c.name, text),
                    fmt::format("--{} constant:V takes a number, a fraction of codes such as 128/255, or {}",
                                c.name, FieldText<Colour>::range({})));
    }
    return {mode, number};
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
                    fmt::format("the border {} is a colour, and the picture is grey", hex_of(*border.colour)),
                    "choose a grey, such as constant:0.5");
    }
    if (form.depth != Depth::f32 && (border.value < 0 || border.value > 1)) {
        const bool is_code = border.value > 1 && border.value <= max_code(form.depth);
        throw Error(
            ErrorCode::usage,
            fmt::format("the border constant:{} is out of range: 0 is black and 1 white", border.value),
            is_code ? fmt::format("for the code {0} of {1} write constant:{0}/{1}", border.value,
                                  max_code(form.depth))
                    : "constant:V takes 0 to 1, a fraction of codes such as 128/255, or a colour");
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
