#include "glproc/ops/levels/channel_names.hpp"

#include <fmt/format.h>

namespace glproc {

std::array<bool, 4> ChannelNames::in(const Form& form) const {
    const auto has = [this](const char* any) { return letters.find_first_of(any) != std::string::npos; };
    const bool is_grey = form.channels < 3;
    return {has(is_grey ? "rgb" : "r"), has(is_grey ? "rgb" : "g"), has(is_grey ? "rgb" : "b"),
            has("a") && form.has_alpha()};
}

ChannelNames FieldText<ChannelNames>::parse(const FieldContext& c, std::string_view text) {
    ChannelNames names{""};
    for (const char letter : text) {
        if (letter == ',') { // "r,g,b" is "rgb"
            continue;
        }
        if (std::string_view("rgba").find(letter) == std::string_view::npos) {
            throw Error(ErrorCode::usage,
                        fmt::format("--{} {}: there is no channel '{}'", c.name, text, letter),
                        fmt::format("--{} takes {}, such as rgb", c.name, range({})));
        }
        if (names.letters.find(letter) != std::string::npos) {
            refuse_twice(c, text, {&letter, 1});
        }
        names.letters += letter;
    }
    return names;
}

} // namespace glproc
