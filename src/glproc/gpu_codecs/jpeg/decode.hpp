// Decodes JPEG on the GPU, to the pixels of libjpeg-turbo.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/gl/gpu_image.hpp"
#include "glproc/gpu_codecs/jpeg/decode_scan.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace glproc::gpu_codecs {

/// Pictures whose kernels have been given to the GPU. Several may be under way at once; each belongs to the
/// context's thread.
class JpegsInDecoding {
  public:
    struct State;
    explicit JpegsInDecoding(std::unique_ptr<State> state);
    JpegsInDecoding(JpegsInDecoding&&) noexcept;
    JpegsInDecoding& operator=(JpegsInDecoding&&) noexcept;
    ~JpegsInDecoding();

    /// The upright pictures, in the order of the scans. Nothing instead of pictures that the CPU has to
    /// decode. Their data is broken, or out of the range in which all of libjpeg-turbo's inverse transforms
    /// agree. Waits for the GPU. May be called once.
    std::vector<std::optional<GpuImage>> take();

  private:
    std::unique_ptr<State> state_;
};

/// Whether this device has room for all of them at once, and all features that the kernels need.
bool can_decode(const Context& gpu, std::span<const JpegScan* const> scans);

/// Whether the kernels may be used. They are checked the first time: see is_trusted(). The kernels that decode
/// fractions of a picture are checked apart.
bool trusts_decoder(Context& gpu);
bool trusts_scaled_decoder(Context& gpu);

/// Begins to decode; the scans may be destroyed when this returns. Throws Error(gpu) if memory is short.
JpegsInDecoding begin_decoding(Context& gpu, std::span<const JpegScan* const> scans);

} // namespace glproc::gpu_codecs
