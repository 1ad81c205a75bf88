// ImageMagick's flags, and what is the same here.
#pragma once

#include "cli/words/magick_geometry.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glproc::cli {

/// What flags before the one that is read say.
struct MagickState {
    std::string gravity = {};
    std::string background = "white";
    std::string border = "'#dfdfdf'";
    bool is_plus = false; ///< the flag begins with +
    bool composes = false;
    std::string format = {};                  ///< of the file that is written: "png"; empty where it is not known
    std::optional<PixelSize> size = {};       ///< of the image so far, where that is known
    std::string covers = {};                  ///< the box that the image was made to cover, "100x100"
    std::string remark = {};                  ///< in what the call differs from what ImageMagick does
    std::string difference = {}; ///< why nothing here is the same, where that can be said
};

/// A flag, and what it is here: "blur --sigma 2", also "matrix ... then adjust ...", or "--quality 80" for
/// what is said of the file that is written. Empty for what needs no words here, nothing where nothing here
/// is the same.
struct MagickFlag {
    std::string_view name;
    bool takes_value;
    std::optional<std::string> (*convert)(const std::string& value, MagickState& state);
};

std::span<const MagickFlag> magick_flags();

/// The flag of this name; nullptr where it is not known here.
const MagickFlag* find_magick(std::string_view name);

} // namespace glproc::cli
