// Encodes JPEG on the GPU, to the bytes of the encoder on the CPU.
#pragma once

#include "glproc/files/codec.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/gl/gpu_image.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace glproc::gpu_codecs {

/// The arguments of encode(), with pixels on the GPU. References are read until begin_encoding() returns.
struct JpegToEncode {
    const GpuImage& image;
    const Metadata& metadata;
    const EncodeOptions& options;
    std::string_view name = "jpg"; ///< for messages
};

/// Files whose kernels have been given to the GPU.
class JpegsInEncoding {
  public:
    struct State;
    explicit JpegsInEncoding(std::unique_ptr<State> state);
    JpegsInEncoding(JpegsInEncoding&&) noexcept;
    JpegsInEncoding& operator=(JpegsInEncoding&&) noexcept;
    ~JpegsInEncoding();

    /// Waits for the GPU, on the context's thread.
    void wait();

    /// Whether file() has something to give, after wait().
    bool has(std::size_t picture) const;

    /// The bytes of encode(image, "jpg", options), after wait(); on any thread, each picture once. Nothing if
    /// the CPU has to encode it.
    std::optional<std::vector<std::byte>> file(std::size_t picture) const;

  private:
    std::unique_ptr<State> state_;
};

/// Whether the kernels can give the same result as encode() for such a picture with these options.
bool can_encode(Context& gpu, const Form& form, const EncodeOptions& options);

/// Whether the kernels may be used. They are checked the first time: see is_trusted().
bool trusts_encoder(Context& gpu);

/// Begins to encode. Throws Error(gpu) if memory is short.
JpegsInEncoding begin_encoding(Context& gpu, std::span<const JpegToEncode> pictures);

} // namespace glproc::gpu_codecs
