// The highest quality at which a file is no larger than that.
#pragma once

#include "glproc/files/codec.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::job {

/// encode() at the highest quality whose file has at most `most` bytes; about seven are tried. Throws
/// Error(operation) where the lowest quality makes a larger file. `name` is for messages.
std::vector<std::byte> encode_within(std::size_t most, const Image& image, const std::string& format,
                                     EncodeOptions options, std::string_view name);

} // namespace glproc::job
