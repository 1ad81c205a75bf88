// Files as ImageMagick names them, and the calls that files alone make different.
#pragma once

#include "cli/words/magick_flags.hpp"

#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// "png8:o.png" and "in.png[80x60+10+10]" in their parts, with "in.tif[2]", which counts from 0, as
/// "in.tif#3".
struct MagickFile {
    std::string path = {};
    std::string format = {}; ///< in small letters
    std::string part = {};   ///< a size, or a size and a place
};
MagickFile magick_file(const std::string& word);

/// What a format before the output adds to the call, "--to jpg"; nothing, with the state's difference, where
/// glproc writes no such files.
std::optional<std::string> output_settings(MagickState& state);

/// Why several files that become one have no call here, a GIF or pages; empty where they do not.
std::string why_not_one_file(const MagickState& state);

/// Whether such a file may hold several frames: a GIF, WebP or APNG.
bool is_animation(const std::string& path);

/// Whether it stands for numbered images: "f_%03d.png".
bool is_numbered(const std::string& path);

/// Whether the call takes an animation into numbered images.
bool takes_apart(const std::string& in, const std::string& out);

/// "composite -blend 30 TOP BASE OUT" as the same call of convert.
std::vector<std::string> composite_as_convert(const std::vector<std::string>& words);

} // namespace glproc::cli
