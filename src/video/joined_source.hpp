// Videos one after another, as one.
#pragma once

#include "video/source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace glproc::video {

/// `films` are opened, whole, and at least one; each but the first begins where the frames of the one before
/// end. Throws Error(input) for frames that differ from those of the first, and, if there is to be sound, for
/// such sound. Subtitles that differ are left out, with a note.
std::unique_ptr<FrameSource> join_films(std::vector<std::unique_ptr<FrameSource>> films, bool sound,
                                        bool subtitles);

} // namespace glproc::video
