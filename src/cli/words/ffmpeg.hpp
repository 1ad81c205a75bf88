// ffmpeg's way to write a call: -i IN -vf scale=320:-1 OUT.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// The call of glproc that does what `words` ask of ffmpeg; nothing where they have none of its flags, or one
/// that is not known here.
std::optional<std::string> ffmpeg_call(const std::vector<std::string>& words);

} // namespace glproc::cli
