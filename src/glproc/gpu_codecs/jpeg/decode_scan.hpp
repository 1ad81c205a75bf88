// A JPEG file in the form that kernels read: the CPU's part of the work before the GPU decodes. No GL.
#pragma once

#include "glproc/files/codec.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace glproc::gpu_codecs {

/// A baseline JPEG that is sound as far as the CPU checks. Its header, tables and restart markers are; its
/// entropy-coded data is not decoded yet. Anything odd makes no scan: the decoder of the CPU takes the file,
/// and words notes and errors.
struct JpegScan {
    Form form;          ///< of the upright picture, at the fraction that is made
    Metadata metadata;  ///< of the upright picture
    int orientation = 1; ///< of the stored picture, as EXIF counts

    static constexpr std::size_t fact_count = 64;
    std::array<std::uint32_t, fact_count> facts{}; ///< see glsl/jpeg/decode.glsl; places count within this scan
    std::vector<std::uint32_t> tables;             ///< quantisation, then Huffman lookup
    std::vector<std::uint32_t> segments;           ///< four words each
    std::vector<std::uint32_t> subsequences;       ///< the segment of each
    std::vector<std::byte> bits;                   ///< entropy-coded data without stuffing; segments begin on subsequences

    /// Whether it is made at a fraction of its size.
    bool is_scaled() const { return metadata.fraction.has_value(); }
    /// The size of the whole picture.
    Extent whole() const { return metadata.fraction ? metadata.fraction->whole : Extent{form.width, form.height}; }
    /// The memory that decoding takes on the device, besides the picture.
    std::size_t device_bytes() const;
};

/// Nothing if the CPU has to decode the file, for whatever reason. Throws nothing except std::bad_alloc. On
/// any thread. `options.box` is followed as the CPU's decoder follows it.
std::optional<JpegScan> read_jpeg_scan(std::span<const std::byte> file, std::string_view name,
                                       const DecodeOptions& options);

} // namespace glproc::gpu_codecs
