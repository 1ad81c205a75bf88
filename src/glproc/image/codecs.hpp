// What the codecs share with codec.cpp and nobody else. Each codec lives in a file of its own.
#pragma once

#include "glproc/image/codec.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace glproc::codecs {

/// A file to decode.
struct Source {
    std::span<const std::byte> bytes;
    std::string_view name; ///< for messages
    std::uint64_t max_pixels;
    Notes* notes = nullptr;
};

/// Throws Error(input), "name: reason".
[[noreturn]] void fail(const Source& source, std::string_view reason);

/// Tells who asked for it what is odd about the file.
void note(const Source& source, std::string_view what);

/// What a header promises, checked before anything is allocated: sizes of 0, beyond max_pixels, and more
/// pixels than `max_pixels_per_byte` × the file's size are refused. A lying header must not cost memory.
void check_size(const Source& source, std::uint64_t width, std::uint64_t height, double max_pixels_per_byte);

/// check_size(), then a zero-filled image.
Image allocate(const Source& source, std::uint64_t width, std::uint64_t height, int channels, Depth depth,
               double max_pixels_per_byte);

/// A picture to encode; its depth and channel count are known to fit the format.
struct Job {
    const Image& image;
    std::string_view name;      ///< for messages
    std::string_view extension; ///< lower case, without its dot
    const EncodeOptions& options;
};

/// Throws Error(output), "name: reason".
[[noreturn]] void fail(const Job& job, std::string_view reason);
void note(const Job& job, std::string_view what);

/// The metadata with what is broken left out, and noted.
Metadata sound(const Source& source, Metadata metadata);

/// Of files that have been decoded.
Metadata read_png_metadata(const Source& source);
Metadata read_jpeg_metadata(const Source& source);

/// The chunks or segments that hold the image's metadata.
std::vector<std::byte> png_metadata(const Job& job);
std::vector<std::byte> jpeg_metadata(const Job& job);

Image decode_png(const Source& source);
Image decode_jpeg(const Source& source);
Image decode_pnm(const Source& source);
Image decode_pfm(const Source& source);
Image decode_bmp(const Source& source);
Image decode_tga(const Source& source);
Image decode_hdr(const Source& source);
Image decode_gif(const Source& source);
Image decode_psd(const Source& source);
Image decode_tiff(const Source& source);

/// Of a file that begins like a GIF: how many frames stand in it, up to what is no block of a GIF.
int count_gif_frames(std::span<const std::byte> file);

std::vector<std::byte> encode_png(const Job& job);
std::vector<std::byte> encode_jpeg(const Job& job);
std::vector<std::byte> encode_pnm(const Job& job);
std::vector<std::byte> encode_pfm(const Job& job);
std::vector<std::byte> encode_bmp(const Job& job);
std::vector<std::byte> encode_tga(const Job& job);
std::vector<std::byte> encode_hdr(const Job& job);
std::vector<std::byte> encode_tiff(const Job& job);

} // namespace glproc::codecs
