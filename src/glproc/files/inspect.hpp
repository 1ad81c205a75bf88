// Describes an image file without decoding its pixels.
#pragma once

#include "glproc/files/codec.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace glproc {

struct PictureInfo {
    Format format{};
    std::string_view title; ///< of the format, "PNG"
    Form form; ///< as decode() would give the picture: upright, palettes expanded. A GIF that may have
               ///< transparent pixels is RGBA here even where it has none
    int orientation = 1; ///< how it is stored, 1 to 8 as in orientation_of(); decode() makes it upright
    int frames = 1;      ///< pictures in the file; decode() reads the first
    Metadata metadata;   ///< as decode() gives it
};

/// Reads the header of a picture and its metadata. Does not check that the rest of the file is complete.
/// Throws
/// Error(input) as decode() does.
PictureInfo inspect(std::span<const std::byte> bytes, std::string_view name,
                    const DecodeOptions& options = {});

/// The same for a file. It reads no more than needed if the format allows it.
PictureInfo inspect(const std::filesystem::path& path, const DecodeOptions& options = {});

/// The name in an ICC profile, such as "sRGB IEC61966-2.1"; empty if it has none that can be read.
std::string profile_name(std::span<const std::byte> icc);

} // namespace glproc
