#include "cli/words/magick_layers.hpp"

#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/thesaurus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// ImageMagick counts from the edge that gravity names, glproc to the right and down.
std::pair<int, int> offset_of(const MagickPlace& place, const std::string& gravity) {
    return {gravity.find("east") == std::string::npos ? place.x : -place.x,
            gravity.find("south") == std::string::npos ? place.y : -place.y};
}

/// Text whose baseline, or whose corner by gravity, is at a place.
std::string text_at(const MagickPlace& place, const std::string& text, const std::string& gravity,
                    MagickState& state) {
    const double size = std::max(std::atof(state.point_size.c_str()), 1.0);
    if (state.font.empty()) {
        state.say("the place is the same, the font is glproc's own");
    }
    std::string call = fmt::format("draw --text {}", shell_word(text));
    if (gravity.empty()) {
        const double ascent = 0.94; // of the font that glproc takes, above the baseline
        call += fmt::format(" --at={},{:.0f}", place.x, std::round(place.y - ascent * size));
    } else {
        const auto [x, y] = offset_of(place, gravity);
        call += fmt::format(" --gravity {} --margin 0{}", gravity,
                            x == 0 && y == 0 ? "" : fmt::format(" --at={},{}", x, y));
    }
    return call +
           fmt::format(" --size {:.6g} --color {}{}", size, shell_word(state.fill),
                       state.font.empty() ? "" : " --font " + shell_word(state.font)) +
           (state.box == "transparent" ? "" : " --box " + shell_word(state.box));
}

/// All numbers of "10,10 50,40"; none where anything else stands there.
std::vector<double> points_in(const std::string& text) {
    const std::optional<Geometry> g = geometry_in(text);
    return g && !g->is_percent ? g->numbers : std::vector<double>();
}

bool has_line(const MagickState& state) {
    return state.stroke != "transparent";
}

std::string figure(const std::string& flag, const MagickState& state) {
    const std::string line = has_line(state) ? state.stroke_width : "0";
    const std::string colour = has_line(state) ? fmt::format(" --color {}", shell_word(state.stroke)) : "";
    const std::string fill =
        state.fill == "transparent" ? "" : fmt::format(" --fill {}", shell_word(state.fill));
    return fmt::format("draw {}{} --stroke {}{}", flag, fill, line, colour);
}

/// "10,20 'Hello'" behind the word text.
Text drawn_text(const std::string& value, MagickState& state) {
    const std::size_t space = std::min(value.find(' '), value.size());
    const std::vector<double> at = points_in(value.substr(0, space));
    std::string text = value.substr(std::min(space + 1, value.size()));
    if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front()) {
        text = text.substr(1, text.size() - 2);
    }
    if (at.size() != 2 || text.empty()) {
        return std::nullopt;
    }
    const MagickPlace place{.x = static_cast<int>(at[0]), .y = static_cast<int>(at[1])};
    return text_at(place, text, state.gravity, state);
}

} // namespace

Text compose_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 23> known{{{"over", "over"},
                                                {"srcover", "over"},
                                                {"atop", "atop"},
                                                {"srcatop", "atop"},
                                                {"plus", "plus"},
                                                {"add", "plus"},
                                                {"multiply", "multiply"},
                                                {"screen", "screen"},
                                                {"overlay", "overlay"},
                                                {"darken", "darken"},
                                                {"lighten", "lighten"},
                                                {"colordodge", "color-dodge"},
                                                {"colorburn", "color-burn"},
                                                {"hardlight", "hard-light"},
                                                {"softlight", "soft-light"},
                                                {"difference", "difference"},
                                                {"exclusion", "exclusion"},
                                                {"hue", "hue"},
                                                {"saturate", "saturation"},
                                                {"colorize", "color"},
                                                {"luminize", "luminosity"},
                                                {"minussrc", "subtract"},
                                                {"dividesrc", "divide"}}};
    std::string name = lower(value);
    if (name == "blend" || name == "dissolve") {
        state.mode = name;
        return "";
    }
    std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
    state.mode = named(known, name);
    if (name == "hue" || name == "saturate" || name == "colorize" || name == "luminize") {
        state.say(fmt::format("ImageMagick has another formula for {} of some colours", state.mode));
    } else if (state.mode == "divide") {
        state.say("ImageMagick divides by what is opaque of the second image alone");
    }
    return state.mode.empty() ? Text() : Text("");
}

/// "+10+20 hello".
Text annotate_of(const std::string& value, MagickState& state) {
    const std::size_t space = value.find(' ');
    const std::string at = value.substr(0, space);
    const std::optional<MagickPlace> place = at == "0" ? MagickPlace{} : place_in(at);
    const bool is_turned = place && place->has_size && (place->width != 0 || place->height != 0);
    if (!place || is_turned || space == std::string::npos) {
        return std::nullopt;
    }
    return text_at(*place, value.substr(space + 1), state.gravity, state);
}

/// "rectangle 10,10 50,40".
Text draw_of(const std::string& value, MagickState& state) {
    const std::size_t space = std::min(value.find(' '), value.size());
    const std::string kind = lower(value.substr(0, space));
    const std::string rest = value.substr(std::min(space + 1, value.size()));
    if (kind == "text") {
        return drawn_text(rest, state);
    }
    const std::vector<double> n = points_in(rest);
    if (kind == "rectangle" && n.size() == 4) {
        // ImageMagick's line is around the pixels of both corners, glproc's inside its rectangle.
        const double line = has_line(state) ? std::max(std::atof(state.stroke_width.c_str()), 1.0) : 1;
        const double out = std::floor((line - 1) / 2);
        return figure(fmt::format("--rect {:.6g},{:.6g},{:.6g},{:.6g}", std::min(n[0], n[2]) - out,
                                  std::min(n[1], n[3]) - out, std::abs(n[2] - n[0]) + line,
                                  std::abs(n[3] - n[1]) + line),
                      state);
    }
    if (kind == "circle" && n.size() == 4) {
        return figure(
            fmt::format("--circle {:.6g},{:.6g},{:.6g}", n[0], n[1], std::hypot(n[2] - n[0], n[3] - n[1])),
            state);
    }
    if (kind == "line" && n.size() == 4) {
        return fmt::format("draw --line {:.6g},{:.6g},{:.6g},{:.6g} --color {} --stroke {}", n[0], n[1], n[2],
                           n[3], shell_word(has_line(state) ? state.stroke : state.fill), state.stroke_width);
    }
    if (kind == "point" && n.size() == 2) {
        return fmt::format("draw --rect {:.6g},{:.6g},1,1 --fill {} --stroke 0", n[0], n[1],
                           shell_word(state.fill));
    }
    return kind == "polygon" && n.size() >= 6 && n.size() % 2 == 0
               ? Text(figure(fmt::format("--polygon {:.6g}", fmt::join(n, ",")), state))
               : std::nullopt;
}

Text blend_of(const std::string& file, const MagickState& state) {
    const std::optional<MagickPlace> place = state.offset.empty() ? MagickPlace{} : place_in(state.offset);
    const bool is_shared = state.mode == "blend" || state.mode == "dissolve";
    const std::optional<Geometry> share = is_shared ? geometry_in(state.share) : std::nullopt;
    const bool has_share =
        share && share->numbers.size() == 1 && share->numbers[0] >= 0 && share->numbers[0] <= 100;
    const bool is_placed = !state.offset.empty() || !state.gravity.empty();
    const bool has_mask = state.inputs.size() == 3; // which is as large as the first image there
    if (!place || place->has_size || state.mode.empty() || (is_shared && !has_share) ||
        (has_mask && is_placed)) {
        return std::nullopt;
    }
    const auto [x, y] = offset_of(*place, state.gravity);
    return fmt::format("blend --with {}{}{}{}{}", shell_word(file),
                       is_shared              ? fmt::format(" --opacity {:.6g}%", share->numbers[0])
                       : state.mode == "over" ? ""
                                              : " --mode " + state.mode,
                       has_mask ? " --mask " + shell_word(state.inputs[2]) : "",
                       state.gravity.empty() ? "" : " --gravity " + state.gravity,
                       x == 0 && y == 0 ? "" : fmt::format(" --at={},{}", x, y));
}

} // namespace glproc::cli
