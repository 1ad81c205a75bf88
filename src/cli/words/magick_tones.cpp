#include "cli/words/magick_tones.hpp"

#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/image/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// A value of a picture: percent, or a code of its 16 bits.
std::string level_of(double number, bool is_percent) {
    return is_percent ? fmt::format("{:.6g}%", number) : fmt::format("{:.6g}/65535", number);
}

std::array<double, 3> rgb_of(const Colour& colour) {
    return {colour.red, colour.green, colour.blue};
}

/// Each colour times its factor, plus its offset, as a call of matrix.
std::string diagonal(const std::array<double, 3>& factors, const std::array<double, 3>& offsets) {
    std::string text = "matrix --matrix ";
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            text += fmt::format("{:.6g},", row == column ? factors[row] : 0);
        }
        text += fmt::format("{:.6g}{}", offsets[row], row == 2 ? "" : ",");
    }
    return text;
}

} // namespace

/// With a plus, black and white become these values.
Text levels_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    const double white = n.size() > 1 ? n[1] : (g->is_percent ? 100 : 65535) - n[0];
    const char* const side = state.is_plus ? "out-" : "";
    return fmt::format("levels --{0}black {1} --{0}white {2}", side, level_of(n[0], g->is_percent),
                       level_of(white, g->is_percent)) +
           (n.size() > 2 ? fmt::format(" --gamma {:.6g}", n[2]) : "");
}

/// "black,white": with a plus, black and white become these colours.
Text level_colours_of(const std::string& value, MagickState& state) {
    const std::size_t comma = value.find(',');
    const std::optional<Colour> black = colour_from(value.substr(0, comma));
    const std::optional<Colour> white =
        comma == std::string::npos ? std::nullopt : colour_from(value.substr(comma + 1));
    if (!black || !white) {
        return std::nullopt;
    }
    std::array<double, 3> factors{};
    std::array<double, 3> offsets{};
    for (std::size_t c = 0; c < 3; ++c) {
        const double low = rgb_of(*black)[c];
        const double range = rgb_of(*white)[c] - low;
        if (range == 0 && !state.is_plus) {
            return std::nullopt;
        }
        factors[c] = state.is_plus ? range : 1 / range;
        offsets[c] = state.is_plus ? low : -low / range;
    }
    return diagonal(factors, offsets);
}

/// Of all colours, or of each.
Text gamma_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || g->is_percent ||
        (g->numbers.size() != 1 && (g->numbers.size() != 3 || !state.channel.empty()))) {
        return std::nullopt;
    }
    if (g->numbers.size() == 1) {
        return fmt::format("levels --gamma {}", value);
    }
    std::string text;
    for (std::size_t c = 0; c < 3; ++c) {
        text += fmt::format("{}levels --gamma {:.6g} --channels {}", c == 0 ? "" : " then ", g->numbers[c],
                            "rgb"[c]);
    }
    return text;
}

/// Percents of the pixels, or their number.
Text stretch_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || g->numbers.empty() || g->numbers.size() > 2 || (!g->is_percent && !state.size)) {
        return std::nullopt;
    }
    const double unit = g->is_percent ? 1 : 100 / (double{1} * state.size->width * state.size->height);
    const double low = g->numbers[0] * unit;
    const double high = g->numbers.back() * unit;
    if (low != high) {
        state.say(fmt::format("ImageMagick clips {:.4g}% of the dark and {:.4g}% of the bright pixels there; "
                              "--auto clips as many of both",
                              low, high));
    }
    return low + high <= 100 ? Text(fmt::format("levels --auto={:.6g}", (low + high) / 2)) : std::nullopt;
}

Text normalize_of(const std::string&, MagickState& state) {
    return stretch_of("0.15x0.05%", state);
}

Text auto_level_of(const std::string&, MagickState& state) {
    state.say("ImageMagick takes black and white from all channels there; levels takes them from luma, which "
              "in grey images is the same");
    return "levels --auto=0";
}

/// Lightness, saturation and hue in percent of what they are.
Text modulate_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    return g && g->numbers.size() <= 3
               ? Text(fmt::format("adjust --modulate {:.6g}", fmt::join(g->numbers, ",")))
               : std::nullopt;
}

/// Both are a line through the values: its slope and height in the terms of `adjust`.
Text brightness_contrast_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const double contrast = g && g->numbers.size() > 1 ? g->numbers[1] : 0;
    if (!g || std::abs(contrast) >= 100) {
        return std::nullopt;
    }
    const double slope = std::tan(std::numbers::pi * (contrast / 100 + 1) / 4);
    const double brightness = g->numbers[0] * (1 + slope) / (200 * slope);
    return fmt::format("adjust --brightness {:.4g}", brightness) +
           (contrast == 0 ? "" : fmt::format(" --contrast {:.4g}", std::log2(slope) / 2));
}

/// "3x50%": a logistic curve of this strength around this value, as points of a curve.
Text sigmoidal_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    const double strength = g && !g->numbers.empty() ? g->numbers[0] : 0;
    const double middle = g && g->numbers.size() > 1 ? g->numbers[1] / (g->is_percent ? 100 : 65535) : 0.5;
    if (strength <= 0 || strength > 20 || state.is_plus) {
        return std::nullopt;
    }
    const auto logistic = [&](double v) { return 1 / (1 + std::exp(strength * (middle - v))); };
    constexpr int steps = 16;
    std::string points;
    for (int i = 0; i <= steps; ++i) {
        const double v = i / double{steps};
        points += fmt::format("{}{:.4g},{:.4g}", i == 0 ? "" : ",", v,
                              (logistic(v) - logistic(0)) / (logistic(1) - logistic(0)));
    }
    return "curve --points " + points;
}

/// "multiply 1.5", "add 10%": numbers without % are codes of 16 bits where they are values.
Text evaluate_of(const std::string& value, MagickState&) {
    const std::string how = lower(value.substr(0, value.find(' ')));
    const std::optional<Geometry> g =
        geometry_in(value.substr(std::min(value.find(' '), value.size() - 1) + 1));
    if (!g || g->numbers.size() != 1) {
        return std::nullopt;
    }
    const double number = g->numbers[0] * (g->is_percent ? 655.35 : 1); // as ImageMagick counts
    const std::string level = level_of(g->numbers[0], g->is_percent);
    const std::string other = level_of(-g->numbers[0], g->is_percent);
    if (how == "add" || how == "subtract") {
        return fmt::format("adjust --brightness={}", how == "add" ? level : other);
    }
    if (how == "set") {
        return fmt::format("levels --out-black {0} --out-white {0}", level);
    }
    if ((how == "multiply" || how == "divide") && number > 0) {
        const double factor = how == "multiply" ? number : 1 / number;
        return factor > 1 ? fmt::format("levels --white {:.6g}%", 100 / factor)
                          : fmt::format("levels --out-white {:.6g}%", 100 * factor);
    }
    if (how == "pow" && number >= 0.1 && number <= 10) {
        return fmt::format("levels --gamma {:.6g}", 1 / number);
    }
    if (how == "threshold") { // of each channel; a step between two codes of 8 bits
        const double code = std::floor(number * 255 / 65535);
        return code >= 0 && code < 255
                   ? Text(fmt::format("curve --points 0,0,{0}/255,0,{1}/255,1,1,1", code, code + 1))
                   : std::nullopt;
    }
    return std::nullopt;
}

/// So many values of each channel, at the same distance.
Text posterize_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const double count = g && g->numbers.size() == 1 ? g->numbers[0] : 0;
    return count >= 2 && count <= 256 && count == std::floor(count)
               ? Text(fmt::format("posterize --levels {}", count))
               : std::nullopt;
}

/// In the middle it takes the darker one of the image and its negative.
Text solarize_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    const bool is_middle = g && g->numbers.size() == 1 && g->numbers[0] == (g->is_percent ? 50 : 32768);
    return is_middle && state.is_first && !state.has_alpha && state.inputs.size() == 1
               ? Text(fmt::format("invert then blend --with {} --mode min", shell_word(state.inputs.front())))
               : std::nullopt;
}

/// So many percent of -fill, of all colours or of each.
Text colorize_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    const std::optional<Colour> fill = colour_from(state.fill);
    const std::size_t count = g ? g->numbers.size() : 0;
    if (!fill || (count != 1 && count != 3)) {
        return std::nullopt;
    }
    std::array<double, 3> factors{};
    std::array<double, 3> offsets{};
    for (std::size_t c = 0; c < 3; ++c) {
        const double share = g->numbers[count == 1 ? 0 : c] / 100;
        factors[c] = 1 - share;
        offsets[c] = share * rgb_of(*fill)[c];
    }
    return diagonal(factors, offsets);
}

Text matrix_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    return g && g->numbers.size() == 9
               ? Text(fmt::format("matrix --matrix {:.6g}", fmt::join(g->numbers, ",")))
               : std::nullopt;
}

Text threshold_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (state.each_channel && g && g->numbers.size() == 1) {
        const double edge = std::floor(255 * g->numbers[0] / (g->is_percent ? 100 : 65535));
        return edge < 0 || edge >= 255
                   ? Text()
                   : Text(fmt::format("curve --points 0,0,{0}/255,0,{1}/255,1,1,1", edge, edge + 1));
    }
    return g && g->numbers.size() == 1
               ? Text(fmt::format("threshold --at {}", level_of(g->numbers[0], g->is_percent)))
               : std::nullopt;
}

Text auto_threshold_of(const std::string& value, MagickState&) {
    const std::string rule = lower(value);
    return rule == "otsu" || rule == "triangle" ? Text(fmt::format("threshold --rule {}", rule))
                                                : std::nullopt;
}

} // namespace glproc::cli
