// The CPU's part in a file that the GPU encodes: its header, and the zeros after bytes of ones. No GL.
#pragma once

#include "glproc/files/codec.hpp"
#include "glproc/gpu_codecs/jpeg/encode_facts.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace glproc::gpu_codecs {

class EncodedFile {
  public:
    /// Throws the errors of encode() for such a picture.
    EncodedFile(const Form& form, const Metadata& metadata, const EncodeOptions& options,
                std::string_view name);

    const codecs::JpegFrame& frame() const { return frame_; }
    const EncodeLayout& layout() const { return layout_; }
    /// Whether its Huffman tables fit the picture.
    bool makes_tables() const { return makes_tables_; }

    /// The file, from the words of glsl/jpeg/encode_collect.comp for the picture. On any thread.
    std::vector<std::byte> put_together(std::span<const std::uint32_t> part) const;

  private:
    EncodedFile(const Image& sample, const Form& form, const EncodeOptions& options, std::string_view name);

    codecs::JpegFrame frame_;
    EncodeLayout layout_;
    std::vector<std::byte> metadata_; ///< segments
    bool makes_tables_;
};

/// Appends data with a zero after each byte of ones.
void append_stuffed(std::vector<std::byte>& file, std::span<const std::byte> data);

} // namespace glproc::gpu_codecs
