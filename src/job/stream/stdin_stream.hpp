// Whether stdin holds a stream of images.
#pragma once

#include "job/stream/frames.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace glproc::job {

/// stdin, where it holds YUV4MPEG2 or more than one PNM or PAM; else nothing, and read_input() still gets all
/// of it.
std::unique_ptr<ByteReader> open_stream();

/// The first bytes of a pipe that open_stream() has looked at, as far as they were there; none of a file.
std::span<const std::byte> start_of_pipe();

/// Whether it is YUV4MPEG2.
bool begins_video(std::span<const std::byte> bytes);

} // namespace glproc::job
