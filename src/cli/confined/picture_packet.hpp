// A decoded picture as bytes, from a process that is not trusted to one that is.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace glproc::cli {

/// All but the pixels, which follow.
std::vector<std::byte> pack_header(const Image& image, const Notes& notes);
std::vector<std::byte> pack_error(const Error& error);

/// The picture, or throws the Error. Anything that no decoder could have written is Error(input), too:
/// whoever took over the process may have.
Image unpack_picture(std::span<const std::byte> packet, std::uint64_t max_pixels, Notes* notes);

} // namespace glproc::cli
