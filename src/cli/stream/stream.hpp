// An operation on a stream of pictures from stdin: frame by frame, in bounded memory, what is done going out
// at once.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "cli/stream/frames.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace glproc::cli {

/// stdin, where it holds YUV4MPEG2 or more than one PNM or PAM; else nothing, and read_input() still gets all
/// of it.
std::unique_ptr<ByteReader> open_stream(const Arguments& arguments);

/// The first bytes of a pipe that open_stream() has looked at, as far as they were there; none of a file.
std::span<const std::byte> start_of_pipe();

/// Works on every frame. What was done before a broken one is delivered. Throws Error.
void operate_on_stream(const Arguments& arguments, const Settings& settings, ByteReader& reader);

} // namespace glproc::cli
