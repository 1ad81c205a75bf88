#include "cli/words/magick_channels.hpp"

#include "cli/words/magick_names.hpp"
#include "cli/words/thesaurus.hpp"

#include <array>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// On a transparent one nothing changes.
std::string on_background(const MagickState& state) {
    return state.background == "transparent" ? ""
                                             : fmt::format("--background {}", shell_word(state.background));
}

} // namespace

Text colorspace_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 9> known{{{"gray", "gray"},
                                               {"grey", "gray"},
                                               {"rec709luma", "gray"},
                                               {"rec601luma", "gray --luma rec601"},
                                               {"lab", "color --space lab"},
                                               {"hsv", "color --space hsv"},
                                               {"hsb", "color --space hsv"},
                                               {"hsl", "color --space hsl"},
                                               {"xyz", "color --space xyz"}}};
    const std::string space = lower(value);
    if (space == "srgb" || space == "rgb") { // which is linear there
        state.is_linear = space == "rgb";
        return "";
    }
    const std::string_view call = named(known, space);
    if (call.starts_with("color")) {
        state.say("ImageMagick turns it back into sRGB in most formats as it writes; color keeps its values");
    }
    return call.empty() ? Text() : Text(call);
}

/// The channels and the number of colours of the file that is written.
Text type_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 9> known{{{"grayscale", "gray"},
                                               {"grayscalematte", "gray then convert --alpha add"},
                                               {"grayscalealpha", "gray then convert --alpha add"},
                                               {"truecolor", "convert --alpha drop"},
                                               {"truecolormatte", "convert --alpha add"},
                                               {"truecoloralpha", "convert --alpha add"},
                                               {"palette", "--colors 256"},
                                               {"bilevel", "threshold --rule otsu"},
                                               {"palettematte", "--colors 256"}}};
    const std::string type = lower(value);
    if (type == "bilevel") {
        state.say("ImageMagick dithers there; threshold does not");
    }
    const std::string_view call = named(known, type);
    return call.empty() ? Text() : Text(call);
}

Text channel_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 6> known{
        {{"red", "r"}, {"green", "g"}, {"blue", "b"}, {"alpha", "a"}, {"opacity", "a"}, {"gray", "r"}}};
    const std::string name = lower(value);
    state.channel = named(known, name);
    if (state.channel.empty() && name.find_first_not_of("rgba") == std::string::npos) {
        state.channel = name;
    }
    state.each_channel = name == "rgb";
    if (name == "all" || name == "default" || name == "rgb") {
        state.channel.clear();
        return "";
    }
    return state.channel.empty() ? Text() : Text("");
}

Text separate_of(const std::string&, MagickState& state) {
    if (state.channel.size() == 1) {
        return fmt::format("channels --extract {}", state.channel);
    }
    state.say("ImageMagick numbers the files there");
    return state.channel.empty() ? Text("split") : Text();
}

Text alpha_of(const std::string& value, MagickState& state) {
    const std::string how = lower(value);
    return how == "off" || how == "deactivate"                ? Text("convert --alpha drop")
           : how == "on" || how == "set" || how == "activate" ? Text("convert --alpha add")
           : how == "opaque"  ? Text("convert --alpha drop then convert --alpha add")
           : how == "extract" ? Text("channels --extract a")
           : how == "remove"  ? Text(on_background(state))
                              : std::nullopt;
}

/// Several files would be layers.
Text flatten_of(const std::string&, MagickState& state) {
    return state.inputs.size() > 1 ? Text() : on_background(state);
}

} // namespace glproc::cli
