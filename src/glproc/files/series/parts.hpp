// The parts of an animation in any format: small pictures that are put on a canvas one after another. Each
// becomes a file of its own for the format's decoder of still pictures.
#pragma once

#include "glproc/files/codecs/big_endian.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/series.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace glproc::codecs {

/// One after another.
inline std::vector<std::byte> joined_bytes(std::initializer_list<ByteView> blocks) {
    std::size_t size = 0;
    for (const ByteView block : blocks)
        size += block.size();
    std::vector<std::byte> bytes(size);
    auto to = bytes.begin();
    for (const ByteView block : blocks)
        to = std::copy(block.begin(), block.end(), to);
    return bytes;
}
inline ByteView bytes_in(std::string_view text) {
    return std::as_bytes(std::span(text));
}

struct FramePlace {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;

    bool operator==(const FramePlace&) const = default;
};

/// The fate of a frame when the next one is put on the canvas.
enum class Disposal { keep, clear, restore };

struct FramePart {
    FramePlace place;
    bool blends = false; ///< over what is there, else in its place
    Disposal disposal = Disposal::keep;
    FrameDelay delay;
};

/// The frames of a file from front to back.
class Parts {
  public:
    Parts() = default;
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    virtual ~Parts() = default;

    virtual Extent canvas() const = 0;
    virtual int plays() const = 0;
    /// Whether frames may be transparent, as far as the file says it: nothing where the pixels do.
    virtual std::optional<bool> has_alpha() const = 0;
    virtual Metadata metadata() const { return {}; }
    /// Nothing at the end. Throws Error(input).
    virtual std::optional<FramePart> next() = 0;
    /// The part from next(), as a still picture.
    virtual std::vector<std::byte> file() const = 0;
};

/// The header is read and checked. Null where it is no animation.
std::unique_ptr<Parts> gif_parts(const Source& source);
std::unique_ptr<Parts> webp_parts(const Source& source);
std::unique_ptr<Parts> apng_parts(const Source& source);
/// By the chunks before the pixels.
bool begins_as_apng(const Source& source);
std::unique_ptr<Parts> parts_of(Format format, const Source& source);

/// Whether there is a second directory, by the first one.
bool begins_as_tiff_pages(const Source& source);
/// Pages of a TIFF; null where there is one.
std::unique_ptr<PictureSeries> tiff_pages(const Source& source);
/// Of this open file, also where it has a single page.
std::unique_ptr<PictureSeries> tiff_pages(const Source& source, std::shared_ptr<const OpenFile> file);
std::optional<SeriesInfo> inspect_tiff_pages(const Source& source);

/// The frames of an animation, be it one alone; null where the file is none.
std::unique_ptr<PictureSeries> open_frames(std::span<const std::byte> file, std::string_view name,
                                           const DecodeOptions& options);

/// Whether the image in front of an animated PNG is none of its frames.
bool hides_first_image(const Source& source);

/// Whether nobody could play the animation in the file, which still holds an image.
bool has_broken_frames(const Source& source);

} // namespace glproc::codecs
