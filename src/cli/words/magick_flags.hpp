// ImageMagick's flags, and what is the same here.
#pragma once

#include "cli/words/magick_geometry.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::cli {

/// What flags before the one that is read say.
struct MagickState {
    std::string gravity = {};
    std::string background = "white";
    std::string border = "#dfdfdf";
    std::string matte = "#bdbdbd";
    std::string fill = "black";
    std::string stroke = "transparent";
    std::string box = "transparent"; ///< behind letters
    std::string stroke_width = "1";
    std::string point_size = "12";
    std::string font = {};
    std::string filter = {};   ///< of -resize, as it is called here
    std::string fuzz = {};     ///< of -trim
    std::string channel = {};  ///< the letters of -channel
    std::string mode = "over"; ///< of -composite, as it is called here
    std::string share = {};    ///< compose:args, percent of the second image
    std::string edges = {};    ///< -virtual-pixel, as --border is called here
    bool is_linear = false;    ///< between -colorspace RGB and sRGB
    bool each_channel = false; ///< -channel RGB, which some flags look at
    std::string offset = {};   ///< of the second image of -composite
    bool is_plus = false;      ///< the flag begins with +
    bool is_first = true;      ///< no operation stands before it
    bool composes = false;     ///< there is a -composite in the call
    bool has_alpha = false;
    std::vector<std::string> inputs = {};
    std::string part = {};              ///< of the only input: "80x60+10+10"
    std::string target = {};            ///< the format that stands before the output: "png8"
    std::string settings = {};          ///< that an operation needs of the file that is written
    std::string output = {};            ///< empty where the call has one file alone
    std::string path = {};              ///< the folder for what mogrify writes
    std::string format = {};            ///< of the file that is written: "png"; empty where it is not known
    std::optional<PixelSize> size = {}; ///< of the image so far, where that is known
    std::string covers = {};            ///< the box that the image was made to cover, "100x100"
    std::string remark = {};            ///< in what the call differs from what ImageMagick does
    std::string difference = {};        ///< why nothing here is the same, where that can be said

    /// Adds a remark.
    void say(const std::string& text);
};

/// A flag, and what it is here: "blur --sigma 2", also "matrix ... then adjust ...", or "--quality 80" for
/// what is said of the file that is written. Empty for what needs no words here, nothing where nothing here
/// is the same.
struct MagickFlag {
    std::string_view name; ///< with its + where that is another flag than the one with -
    int values;            ///< words behind it, which `convert` gets with a blank between them
    std::optional<std::string> (*convert)(const std::string& value,
                                          MagickState& state); ///< null: nothing here is the same
    std::string_view topic = {};                               ///< what the help has that is nearest
};

/// Why there is no call for a flag with this value: "-swirl 90 has no equal in glproc; see: glproc help
/// warp".
std::string no_equal(const MagickFlag& flag, const std::string& value);

const std::vector<MagickFlag>& magick_flags();

/// The flag of this name, "resize" or "+noise"; nullptr where it is not known here.
const MagickFlag* find_magick(std::string_view name);

} // namespace glproc::cli
