// An operation on a stream of pictures from stdin: frame by frame, in bounded memory, what is done going out
// at once.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "job/stream/frames.hpp"

namespace glproc::cli {

/// Works on every frame. What was done before a broken one is delivered. Throws Error.
void operate_on_stream(const Arguments& arguments, const Settings& settings, ByteReader& reader);

} // namespace glproc::cli
