#include "cli/words/magick_flags.hpp"

#include "cli/words/magick_geometry.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// A value of a picture: percent, or a code of its 16 bits.
std::string level_of(double number, bool is_percent) {
    return is_percent ? fmt::format("{:.6g}%", number) : fmt::format("{:.6g}/65535", number);
}

/// "RADIUSxSIGMA", where sigma is 1 by default, and radius 0 follows from sigma.
Text sigma_of(const std::string& operation, const std::optional<Geometry>& g, bool has_radius) {
    if (!g || g->is_percent || g->numbers.empty()) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    const double sigma = n.size() > 1 ? n[1] : 1;
    return fmt::format("{} --sigma {:.6g}{}", operation, sigma,
                       has_radius && n[0] > 0 ? fmt::format(" --radius {:.0f}", n[0]) : "");
}

Text blur_of(const std::string& value, MagickState&) {
    return sigma_of("blur", geometry_in(value), true);
}

Text sharpen_of(const std::string& value, MagickState&) {
    return sigma_of("unsharp", geometry_in(value), false);
}

Text unsharp_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    Text text = sigma_of("unsharp", g, false);
    if (text && g->numbers.size() > 2) {
        *text += fmt::format(" --amount {:.6g}", g->numbers[2]);
    }
    if (text && g->numbers.size() > 3) {
        *text += fmt::format(" --threshold {:.6g}", g->numbers[3]);
    }
    return text;
}

/// The side of a square there, a radius here.
Text median_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const double side = g && !g->numbers.empty() ? g->numbers[0] : 0;
    const bool is_square = g && (g->numbers.size() == 1 || (g->numbers.size() == 2 && g->numbers[1] == side));
    const bool is_odd = std::fmod(side, 2) == 1;
    return is_square && is_odd ? Text(fmt::format("median --radius {:.0f}", (side - 1) / 2)) : std::nullopt;
}

Text edge_of(const std::string& value, MagickState&) {
    return value == "1" ? Text("convolve --kernel '-1 -1 -1; -1 8 -1; -1 -1 -1'") : std::nullopt;
}

/// The numbers of a square, row by row, which are not flipped there; their sum becomes 1 unless it is 0.
Text convolve_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const std::size_t count = g ? g->numbers.size() : 0;
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(double(count))));
    if (count == 0 || side * side != count || side % 2 == 0) {
        return std::nullopt;
    }
    std::string rows;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        rows += fmt::format("{}{:.6g}", i == 0 ? "" : i % side == 0 ? "; " : " ", g->numbers[count - 1 - i]);
        sum += g->numbers[i];
    }
    return fmt::format("convolve --kernel '{}'{}", rows,
                       sum == 0 || sum == 1 ? "" : fmt::format(" --scale 1/{:.6g}", sum));
}

Text levels_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || state.is_plus) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    const double white = n.size() > 1 ? n[1] : (g->is_percent ? 100 : 65535) - n[0];
    return fmt::format("levels --black {} --white {}", level_of(n[0], g->is_percent),
                       level_of(white, g->is_percent)) +
           (n.size() > 2 ? fmt::format(" --gamma {:.6g}", n[2]) : "");
}

Text gamma_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    return g && g->numbers.size() == 1 ? Text(fmt::format("levels --gamma {}", value)) : std::nullopt;
}

Text stretch_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const bool is_even = g && g->is_percent && (g->numbers.size() == 1 || g->numbers[0] == g->numbers[1]);
    return is_even ? Text(fmt::format("levels --auto={:.6g}", g->numbers[0])) : std::nullopt;
}

/// Lightness, saturation and hue in percent of what they are.
Text modulate_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g) {
        return std::nullopt;
    }
    return g->numbers.size() <= 3 ? Text(fmt::format("adjust --modulate {:.6g}", fmt::join(g->numbers, ","))) : std::nullopt;
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

Text threshold_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    return g && g->numbers.size() == 1
               ? Text(fmt::format("threshold --at {}", level_of(g->numbers[0], g->is_percent)))
               : std::nullopt;
}

Text auto_threshold_of(const std::string& value, MagickState&) {
    const std::string rule = lower(value);
    return rule == "otsu" || rule == "triangle" ? Text(fmt::format("threshold --rule {}", rule))
                                                : std::nullopt;
}

Text border_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || g->is_percent) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    return fmt::format("pad --margin {0:.0f},{1:.0f},{0:.0f},{1:.0f} --background {2}", n[0],
                       n.size() > 1 ? n[1] : n[0], state.border);
}

/// "WxH+X+Y" counts from where gravity says. Without X and Y it cuts the image into tiles.
Text crop_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    const std::size_t plus = value.find('+');
    if (g && g->numbers.size() == 2) {
        state.difference = fmt::format("ImageMagick cuts tiles of {0} there; -crop {0}+0+0 is the one at the top left", value);
    }
    if (!g || g->numbers.size() != 4 || plus == std::string::npos) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    const bool is_shifted = n[2] != 0 || n[3] != 0;
    if ((!state.gravity.empty() && is_shifted) || n[2] < 0 || n[3] < 0) {
        return std::nullopt;
    }
    const std::string size =
        g->is_percent ? fmt::format("{:.6g}%x{:.6g}%", n[0], n[1]) : fmt::format("{:.0f}x{:.0f}", n[0], n[1]);
    return state.gravity.empty() ? fmt::format("crop {}+{:.0f}+{:.0f}", size, n[2], n[3])
                                 : fmt::format("crop {} --gravity {}", size, state.gravity);
}

Text extent_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || g->is_percent || g->numbers.size() != 2) {
        return std::nullopt;
    }
    return fmt::format("pad --size {} --gravity {} --background {}", value,
                       state.gravity.empty() ? "northwest" : state.gravity, state.background);
}

void say_enlarges(const std::string& value, MagickState& state) {
    if (value.ends_with('<')) {
        state.difference =
            "ImageMagick enlarges only images that are smaller there; resize makes each that size";
    }
}

Text resize_of(const std::string& value, MagickState& state) {
    say_enlarges(value, state);
    return size_of("resize", value);
}

Text sample_of(const std::string& value, MagickState& state) {
    say_enlarges(value, state);
    return size_of("resize --filter nearest", value);
}

/// So many values of each channel, at the same distance, as a curve with a step in the middle between two
/// codes of 8 bits. From 9 values on no one types it.
Text posterize_of(const std::string& value, MagickState& state) {
    constexpr double white = 255;
    const std::optional<Geometry> g = geometry_in(value);
    const double count = g && g->numbers.size() == 1 ? g->numbers[0] : 0;
    if (count < 2 || count > 8 || count != std::floor(count)) {
        state.difference = "ImageMagick rounds each channel to so many values there; convert --colors N "
                           "chooses N colours of the image";
        return std::nullopt;
    }
    const auto level = [&](double step) { return std::floor(white * step / (count - 1) + 0.5); };
    std::string points = "0,0";
    for (double step = 0; step < count - 1; ++step) {
        const double edge = std::floor(white * (2 * step + 1) / (2 * (count - 1)));
        points += fmt::format(",{}/255,{}/255,{}/255,{}/255", edge, level(step), edge + 1, level(step + 1));
    }
    return "curve --points " + points;
}

/// "90>" turns wide images only.
Text rotate_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (value.ends_with('>') || value.ends_with('<')) {
        state.difference =
            fmt::format("ImageMagick turns only images that are {} there; rotate turns each that it is given",
                        value.ends_with('>') ? "wider than high" : "higher than wide");
    }
    if (!g || g->numbers.size() != 1) {
        return std::nullopt;
    }
    const bool is_quarter = std::fmod(g->numbers[0], 90) == 0;
    return fmt::format("rotate --angle {:.6g}{}", g->numbers[0],
                       is_quarter ? "" : fmt::format(" --background {}", state.background));
}

Text colorspace_of(const std::string& value, MagickState&) {
    const std::string space = lower(value);
    return space == "gray" || space == "grey"                   ? Text("gray")
           : space == "lab" || space == "hsv" || space == "hsl" ? Text(fmt::format("color --space {}", space))
                                                                : std::nullopt;
}

Text append_of(const std::string&, MagickState& state) {
    return state.is_plus ? "append" : "append --direction down";
}

Text evaluate_sequence_of(const std::string& value, MagickState&) {
    const std::string how = lower(value);
    const bool is_known = how == "mean" || how == "median" || how == "min" || how == "max";
    return is_known ? Text(fmt::format("stack --by {}", how)) : std::nullopt;
}

Text depth_of(const std::string& value, MagickState&) {
    return value == "8" || value == "16" ? Text(fmt::format("--depth {}", value))
           : value == "32"               ? Text("--depth f32")
                                         : std::nullopt;
}

Text compression_of(const std::string& value, MagickState&) {
    const std::string name = lower(value);
    return fmt::format("--compression {}", name == "group4" || name == "fax" ? "g4"
                                           : name == "zip"                   ? "deflate"
                                           : name == "rle"                   ? "packbits"
                                                                             : name);
}

Text alpha_of(const std::string& value, MagickState& state) {
    const std::string how = lower(value);
    return how == "off" || how == "deactivate" ? Text("convert --alpha drop")
           : how == "on" || how == "set"       ? Text("convert --alpha add")
           : how == "remove"                   ? Text(fmt::format("--background {}", state.background))
                                               : std::nullopt;
}

Text sampling_of(const std::string& value, MagickState&) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> known{{{"4:2:0", "420"},
                                                                                  {"2x2", "420"},
                                                                                  {"4:2:2", "422"},
                                                                                  {"2x1", "422"},
                                                                                  {"4:4:4", "444"},
                                                                                  {"1x1", "444"}}};
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const auto& row) { return row.first == value; });
    return found == known.end() ? Text() : Text(fmt::format("--subsampling {}", found->second));
}

/// Notes a word for the flags that follow.
template <std::string MagickState::*Member>
Text noted(const std::string& value, MagickState& state) {
    state.*Member =
        value.find_first_of("#()") == std::string::npos ? lower(value) : fmt::format("'{}'", value);
    return "";
}

Text composite_of(const std::string&, MagickState& state) {
    state.composes = true;
    return "";
}

/// What is written the same whatever the value.
template <std::size_t Size>
struct Literal {
    char text[Size];
    constexpr Literal(const char (&from)[Size]) { std::copy_n(from, Size, text); }
};
template <Literal text>
Text always(const std::string&, MagickState&) {
    return text.text;
}
/// The value behind these words.
template <Literal text>
Text with_value(const std::string& value, MagickState&) {
    return std::string(text.text) + " " + value;
}

constexpr std::array<MagickFlag, 53> flags{{
    {"resize", true, resize_of},
    {"scale", true, resize_of},
    {"thumbnail", true, resize_of},
    {"adaptive-resize", true, resize_of},
    {"sample", true, sample_of},
    {"blur", true, blur_of},
    {"gaussian-blur", true, blur_of},
    {"sharpen", true, sharpen_of},
    {"unsharp", true, unsharp_of},
    {"median", true, median_of},
    {"edge", true, edge_of},
    {"convolve", true, convolve_of},
    {"negate", false, always<"invert">},
    {"flip", false, always<"flip --axis y">},
    {"flop", false, always<"flip --axis x">},
    {"rotate", true, rotate_of},
    {"posterize", true, posterize_of},
    {"crop", true, crop_of},
    {"extent", true, extent_of},
    {"border", true, border_of},
    {"threshold", true, threshold_of},
    {"auto-threshold", true, auto_threshold_of},
    {"monochrome", false, always<"threshold --rule otsu">},
    {"normalize", false, always<"levels --auto">},
    {"auto-level", false, always<"levels --auto=0">},
    {"contrast-stretch", true, stretch_of},
    {"level", true, levels_of},
    {"gamma", true, gamma_of},
    {"modulate", true, modulate_of},
    {"brightness-contrast", true, brightness_contrast_of},
    {"equalize", false, always<"equalize">},
    {"colorspace", true, colorspace_of},
    {"despeckle", false, always<"median --radius 1">},
    {"append", false, append_of},
    {"average", false, always<"stack">},
    {"evaluate-sequence", true, evaluate_sequence_of},
    {"composite", false, composite_of},
    {"repage", false, always<"">},
    {"trim", false, always<"trim">},
    {"quality", true, with_value<"--quality">},
    {"colors", true, with_value<"--colors">},
    {"compress", true, compression_of},
    {"strip", false, always<"--strip=all">},
    {"depth", true, depth_of},
    {"flatten", false,
     [](const std::string&, MagickState& state) {
         return Text(fmt::format("--background {}", state.background));
     }},
    {"alpha", true, alpha_of},
    {"interlace", true, always<"--progressive">},
    {"sampling-factor", true, sampling_of},
    {"format", true, with_value<"--to">},
    {"background", true, noted<&MagickState::background>},
    {"bordercolor", true, noted<&MagickState::border>},
    {"gravity", true, noted<&MagickState::gravity>},
    {"auto-orient", false, always<"">},
}};

} // namespace

std::span<const MagickFlag> magick_flags() {
    return flags;
}

const MagickFlag* find_magick(std::string_view name) {
    const auto found =
        std::find_if(flags.begin(), flags.end(), [&](const MagickFlag& flag) { return flag.name == name; });
    return found == flags.end() ? nullptr : &*found;
}

} // namespace glproc::cli
