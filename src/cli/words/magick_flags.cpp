#include "cli/words/magick_flags.hpp"

#include "cli/words/magick_channels.hpp"
#include "cli/words/magick_filters.hpp"
#include "cli/words/magick_layers.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/magick_resize.hpp"
#include "cli/words/magick_settings.hpp"
#include "cli/words/magick_sizes.hpp"
#include "cli/words/magick_tones.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/op/op.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

Text trim_of(const std::string&, MagickState& state) {
    if (state.fuzz.empty()) {
        return "trim";
    }
    const bool is_percent = state.fuzz.ends_with('%');
    state.say("ImageMagick's -fuzz is the mean over the channels, --tolerance the most of one");
    return fmt::format("trim --tolerance {}{}", state.fuzz, is_percent ? "" : "/65535");
}

Text append_of(const std::string&, MagickState& state) {
    const std::string& gravity = state.gravity;
    const bool at_end = gravity.find(state.is_plus ? "south" : "east") != std::string::npos;
    const bool is_middle =
        !gravity.empty() && gravity.find(state.is_plus ? "north" : "west") == std::string::npos;
    return fmt::format("append{}{}{}", state.is_plus ? "" : " --direction down",
                       at_end      ? " --align end"
                       : is_middle ? " --align center"
                                   : "",
                       fmt::format(" --background {}", shell_word(state.background)));
}

Text evaluate_sequence_of(const std::string& value, MagickState&) {
    const std::string how = lower(value);
    const bool is_known = how == "mean" || how == "median" || how == "min" || how == "max";
    return is_known ? Text(fmt::format("stack --by {}", how)) : std::nullopt;
}

/// -metric and -compare measure how two files differ, of which the second may be the last of the call.
Text compare_of(const std::string&, MagickState& state) {
    std::string files;
    for (const std::string& file : state.inputs) {
        files += " " + shell_word(file);
    }
    if (state.inputs.size() == 2 && !state.output.empty()) {
        files += " --map-style red --map";
    }
    state.difference = fmt::format("glproc compare{} {}", files, shell_word(state.output));
    return std::nullopt;
}

/// Notes a word for the flags that follow.
template <std::string MagickState::*Member>
Text noted(const std::string& value, MagickState& state) {
    state.*Member = value;
    return "";
}
Text gravity_of(const std::string& value, MagickState& state) {
    state.gravity = lower(value) == "none" ? "" : lower(value);
    return "";
}
/// "gray50" and "none" are colours there alone.
template <std::string MagickState::*Member>
Text colour_of(const std::string& value, MagickState& state) {
    std::string colour = lower(value);
    const bool is_grey = colour.starts_with("gray") || colour.starts_with("grey");
    if (is_grey && colour.size() > 4) {
        colour = colour.substr(4) + "%";
    }
    state.*Member = colour == "none" ? "transparent" : colour;
    return value.find('(') == std::string::npos ? Text("") : Text();
}

/// "DejaVu-Sans-Bold" there, "DejaVu Sans Bold" here.
Text font_of(const std::string& value, MagickState& state) {
    state.font = value;
    std::replace(state.font.begin(), state.font.end(), '-', ' ');
    return "";
}

Text composite_of(const std::string&, MagickState&) {
    return ""; // magick_call() lays the second file on the first
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
    return std::string(text.text) + " " + shell_word(value);
}
/// What is nearest, and in what it differs.
template <Literal text, Literal difference>
Text nearly(const std::string&, MagickState& state) {
    state.say(difference.text);
    return text.text;
}

constexpr auto ignored = always<"">;

// Those that nothing here equals are found_by words of the operations that are nearest.
constexpr auto flags = std::to_array<MagickFlag>({
    // Sizes and places.
    {"resize", 1, resize_of, "resize"},
    {"thumbnail", 1, resize_of, "thumbnail"},
    {"scale", 1, scale_of, "resize"},
    {"sample", 1, sample_of, "resize"},
    {"adaptive-resize", 1, adaptive_resize_of, "resize"},
    {"interpolative-resize", 1, interpolative_resize_of, "resize"},
    {"magnify", 0, magnify_of},
    {"geometry", 1, geometry_of, "resize"},
    {"filter", 1, filter_of, "resize"},
    {"crop", 1, crop_of, "crop"},
    {"extent", 1, extent_of, "pad"},
    {"border", 1, border_of, "pad"},
    {"frame", 1, frame_of, "pad"},
    {"shave", 1, shave_of, "crop"},
    {"chop", 1, chop_of, "crop"},
    {"splice", 1, splice_of, "pad"},
    {"roll", 1, roll_of, "pad"},
    {"trim", 0, trim_of, "trim"},
    {"rotate", 1, rotate_of, "rotate"},
    {"flip", 0, always<"flip --axis y">},
    {"flop", 0, always<"flip --axis x">},
    {"transpose", 0, transpose_of},
    {"transverse", 0, transverse_of},
    {"repage", 1, ignored},
    {"+repage", 0, ignored},
    {"auto-orient", 0, ignored},
    {"distort", 2, distort_of, "warp"},
    // Neighbours.
    {"blur", 1, blur_of, "blur"},
    {"gaussian-blur", 1, blur_of, "blur"},
    {"sharpen", 1, sharpen_of, "unsharp"},
    {"unsharp", 1, unsharp_of, "unsharp"},
    {"median", 1, median_of, "median"},
    {"statistic", 2, statistic_of, "local"},
    {"noise", 1, noise_of, "median"},
    {"+noise", 1, add_noise_of, "noise"},
    {"despeckle", 0, nearly<"median --radius 1", "ImageMagick's despeckle keeps more detail; a median removes the same specks">},
    {"edge", 1, edge_of, "sobel"},
    {"canny", 1, canny_of, "canny"},
    {"convolve", 1, convolve_of, "convolve"},
    {"virtual-pixel", 1, edges_of, "blur"},
    {"morphology", 2, morphology_of, "morphology"},
    {"emboss", 1,
     nearly<"convolve --kernel '-2 -1 0; -1 1 1; 0 1 2'", "ImageMagick's emboss also equalizes the histogram, and has another kernel">},
    {"lat", 1, local_threshold_of, "threshold"},
    {"vignette", 1,
     nearly<"vignette --amount 0.6", "ImageMagick fades all beyond an ellipse into the background there; vignette darkens the corners">},
    // Values.
    {"negate", 0, always<"invert">},
    {"level", 1, levels_of, "levels"},
    {"level-colors", 1, level_colours_of, "levels"},
    {"gamma", 1, gamma_of, "levels"},
    {"auto-level", 0, auto_level_of},
    {"normalize", 0, normalize_of},
    {"contrast-stretch", 1, stretch_of, "levels"},
    {"linear-stretch", 1, stretch_of, "levels"},
    {"equalize", 0,
     nearly<"equalize", "ImageMagick equalizes the brightness of all channels with one curve, which shifts colours; in grey images both are the "
                        "same within a level">},
    {"modulate", 1, modulate_of, "adjust"},
    {"brightness-contrast", 1, brightness_contrast_of, "adjust"},
    {"sigmoidal-contrast", 1, sigmoidal_of, "curve"},
    {"evaluate", 2, evaluate_of, "levels"},
    {"clamp", 0, ignored},
    {"posterize", 1, posterize_of, "posterize"},
    {"solarize", 1, solarize_of, "curve"},
    {"threshold", 1, threshold_of, "threshold"},
    {"auto-threshold", 1, auto_threshold_of, "threshold"},
    {"monochrome", 0, nearly<"threshold --rule otsu", "ImageMagick dithers there; threshold does not">},
    // Colours and channels.
    {"sepia-tone", 1,
     nearly<"matrix --matrix 0.393,0.769,0.189,0.349,0.686,0.168,0.272,0.534,0.131", "ImageMagick's sepia has other tones, and stretches the contrast">},
    {"colorize", 1, colorize_of, "matrix"},
    {"color-matrix", 1, matrix_of, "matrix"},
    {"recolor", 1, matrix_of, "matrix"},
    {"colorspace", 1, colorspace_of, "color"},
    {"grayscale", 1, colorspace_of, "gray"},
    {"type", 1, type_of, "convert"},
    {"channel", 1, channel_of, "channels"},
    {"+channel", 0,
     [](const std::string&, MagickState& state) {
         state.channel.clear();
         return Text("");
     }},
    {"separate", 0, separate_of, "split"},
    {"combine", 0, always<"merge">},
    {"alpha", 1, alpha_of, "convert"},
    {"profile", 1, with_value<"profile --to">, "profile"},
    {"+profile", 1, always<"--strip=all">},
    // Several images, and what is drawn.
    {"append", 0, append_of},
    {"average", 0, always<"stack">},
    {"evaluate-sequence", 1, evaluate_sequence_of, "stack"},
    {"composite", 0, composite_of, "blend"},
    {"compose", 1, compose_of, "blend"},
    {"flatten", 0, flatten_of, "blend"},
    {"compare", 0, compare_of},
    {"metric", 1, compare_of},
    {"annotate", 2, annotate_of, "draw"},
    {"draw", 1, draw_of, "draw"},
    {"clone", 1, nullptr, "pipe"},
    {"+clone", 0, nullptr, "pipe"},
    {"delete", 1, nullptr, "pipe"},
    {"+delete", 0, nullptr, "pipe"},
    {"+swap", 0, nullptr, "pipe"},
    {"write", 1, nullptr, "pipe"},
    {"fft", 0, nullptr},
    {"layers", 1, nullptr, "video"},
    {"coalesce", 0, ignored},
    // The file that is written.
    {"quality", 1, quality_of, "convert"},
    {"colors", 1, colours_of, "convert"},
    {"compress", 1, compression_of, "convert"},
    {"depth", 1, depth_of, "convert"},
    {"interlace", 1, interlace_of, "convert"},
    {"sampling-factor", 1, sampling_of, "convert"},
    {"strip", 0, always<"--strip=all">},
    {"format", 1, file_format_of},
    {"identify", 0, nullptr, "info"},
    {"print", 1, nullptr, "info"},
    {"define", 1, define_of, "convert"},
    {"size", 1, nullptr},
    {"dispose", 1, nullptr, "video"},
    {"deconstruct", 0, nullptr, "video"},
    {"reverse", 0, nullptr, "video"},
    {"delay", 1, nullptr, "video"},
    {"loop", 1, nullptr, "video"},
    // What the flags behind them count on.
    {"background", 1, colour_of<&MagickState::background>},
    {"bordercolor", 1, colour_of<&MagickState::border>},
    {"mattecolor", 1, colour_of<&MagickState::matte>},
    {"fill", 1, colour_of<&MagickState::fill>},
    {"stroke", 1, colour_of<&MagickState::stroke>},
    {"undercolor", 1, colour_of<&MagickState::box>},
    {"strokewidth", 1, noted<&MagickState::stroke_width>},
    {"pointsize", 1, noted<&MagickState::point_size>},
    {"fuzz", 1, noted<&MagickState::fuzz>},
    {"gravity", 1, gravity_of},
    {"font", 1, font_of},
    {"path", 1, noted<&MagickState::path>},
    {"dither", 1, ignored},
    {"+dither", 0, ignored},
    {"antialias", 0, ignored},
    {"verbose", 0, ignored},
    {"monitor", 0, ignored},
    {"quiet", 0, ignored},
    {"interpolate", 1, ignored},
    {"page", 1, ignored},
    {"scene", 1, ignored},
    {"adjoin", 0, ignored},
    {"+adjoin", 0, ignored},
    {"limit", 2, ignored},
});

} // namespace

void MagickState::say(const std::string& text) {
    remark += remark.empty() ? text : "; " + text;
}

const std::vector<MagickFlag>& magick_flags() {
    static const std::vector<MagickFlag> all = [] {
        std::vector<MagickFlag> made(flags.begin(), flags.end());
        for (const OpInfo* op : operations()) {
            for (const auto& [word, arguments] : op->found_by) {
                if (kind_of(word) == WordKind::magick_flag) {
                    std::string_view name = word.substr(0, word.find(' '));
                    name.remove_prefix(name[0] == '-' ? 1 : 0);
                    made.push_back(
                        {name, static_cast<int>(std::ranges::count(word, ' ')), nullptr, op->name});
                }
            }
        }
        return made;
    }();
    return all;
}

const MagickFlag* find_magick(std::string_view name) {
    const auto found = std::ranges::find(magick_flags(), name, &MagickFlag::name);
    return found == magick_flags().end() ? nullptr : &*found;
}

std::string no_equal(const MagickFlag& flag, const std::string& value) {
    const bool is_plus = flag.name.starts_with('+');
    return fmt::format("{}{}{}{} has no equal in glproc{}", is_plus ? "" : "-", flag.name,
                       value.empty() ? "" : " ", value,
                       flag.topic.empty() ? "" : fmt::format("; see: glproc help {}", flag.topic));
}

} // namespace glproc::cli
