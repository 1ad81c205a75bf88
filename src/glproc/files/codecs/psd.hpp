// What a Photoshop file says before its flattened picture.
#pragma once

#include "glproc/files/codecs/cmyk.hpp"
#include "glproc/files/codecs/codecs.hpp"

#include <memory>
#include <span>

namespace glproc::codecs {

/// Walks through a file whose numbers have the high byte first; wanting more than there is throws
/// Error(input).
class PsdScanner {
  public:
    explicit PsdScanner(const Source& source) : source_(source), bytes_(source.bytes) {}

    /// A part of the file that ends where `bytes` do.
    PsdScanner(const Source& source, std::span<const std::byte> bytes) : source_(source), bytes_(bytes) {}

    std::size_t left() const { return bytes_.size(); }

    std::span<const std::byte> take(std::uint64_t count);
    std::uint64_t number(std::size_t size);

    /// A part that follows its own length, which takes this many bytes.
    std::span<const std::byte> section(std::size_t length_bytes = 4) { return take(number(length_bytes)); }

  private:
    const Source& source_;
    std::span<const std::byte> bytes_;
};

enum class PsdMode { bitmap = 0, grey = 1, indexed = 2, rgb = 3, cmyk = 4, duotone = 8 };

struct PsdHeader {
    bool big = false; ///< PSB
    std::uint64_t stored_channels = 0;
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::uint64_t bits = 8;
    PsdMode mode = PsdMode::rgb;
    bool transparent = false;             ///< the channel after the colours is alpha
    std::span<const std::byte> palette{}; ///< 256 reds, greens and blues
    std::size_t transparent_index = 256;
    Metadata metadata{};
    std::shared_ptr<const InkColours> inks{}; ///< what CMYK looks like, if a profile says so

    /// Of the picture as we give it.
    Form form() const;
};

/// Everything before the flattened picture. Throws Error(input) for what cannot be read.
PsdHeader read_psd_header(const Source& source, PsdScanner& scanner);

} // namespace glproc::codecs
