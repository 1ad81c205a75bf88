// A decoded picture as bytes, from a process that is not trusted to one that is.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/series.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace glproc::job {

/// All but the pixels, which follow.
std::vector<std::byte> pack_header(const Image& image, const Notes& notes);
std::vector<std::byte> pack_error(const Error& error);

/// The facts of a series; of none where the file has one picture.
std::vector<std::byte> pack_series(const std::optional<SeriesInfo>& info, const Notes& notes);
std::optional<SeriesInfo> unpack_series(std::span<const std::byte> packet, Notes* notes);

/// Before the header of each picture of a series, and alone after the last one.
std::vector<std::byte> pack_delay(FrameDelay delay);
/// Takes it from the packet, of which the picture is left.
FrameDelay take_delay(std::span<const std::byte>& packet);

/// The picture, or throws the Error. Anything that no decoder could have written is Error(input), too:
/// whoever took over the process may have.
Image unpack_picture(std::span<const std::byte> packet, std::uint64_t max_pixels, Notes* notes);

} // namespace glproc::job
