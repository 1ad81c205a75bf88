#include "glproc/files/series/canvas.hpp"

#include "glproc/files/codecs/little.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace glproc::codecs {
namespace {

/// Over, of values that are not multiplied by their alpha: Porter and Duff 1984, rounded to nearest.
template <class T>
void blend_pixel(const T* over, T* under, int colours, double white) {
    const double above = static_cast<double>(over[colours]) / white;
    const double below = static_cast<double>(under[colours]) / white * (1 - above);
    const double alpha = above + below;
    for (int c = 0; c < colours; ++c) {
        const double value =
            (static_cast<double>(over[c]) * above + static_cast<double>(under[c]) * below) / alpha;
        under[c] = static_cast<T>(std::lround(value));
    }
    under[colours] = static_cast<T>(std::lround(alpha * white));
}

/// One pixel of a frame of 1 to 4 channels as a canvas of grey and alpha, or of colour and alpha, has it.
template <class T>
std::array<T, 4> as_on_canvas(const T* from, int channels, bool is_grey, T white) {
    const T alpha = channels == 2 ? from[1] : channels == 4 ? from[3] : white;
    if (is_grey)
        return {from[0], alpha};
    return channels < 3 ? std::array<T, 4>{from[0], from[0], from[0], alpha}
                        : std::array<T, 4>{from[0], from[1], from[2], alpha};
}

template <class T>
void put_rows(const Image& frame, const FramePart& part, const FramePlace& seen, Image& canvas) {
    const auto white = static_cast<T>(max_code(canvas.depth()));
    const int channels = canvas.channels();
    for (std::int64_t y = 0; y < seen.height; ++y) {
        const auto* from = reinterpret_cast<const T*>(frame.row(static_cast<int>(y)));
        auto* to = reinterpret_cast<T*>(canvas.row(static_cast<int>(seen.y + y))) + seen.x * channels;
        for (std::int64_t x = 0; x < seen.width; ++x, from += frame.channels(), to += channels) {
            const std::array<T, 4> pixel = as_on_canvas<T>(from, frame.channels(), channels == 2, white);
            const T alpha = channels == 2 ? pixel[1] : pixel[3];
            if (!part.blends || alpha == white || (alpha > 0 && to[channels - 1] == 0))
                std::copy_n(pixel.data(), channels, to);
            else if (alpha > 0)
                blend_pixel<T>(pixel.data(), to, channels - 1, white);
        }
    }
}

} // namespace

FramePlace Canvas::clipped(const FramePlace& place) const {
    FramePlace seen = place; // no place begins before the canvas
    seen.width = std::clamp<std::int64_t>(image_.width() - place.x, 0, place.width);
    seen.height = std::clamp<std::int64_t>(image_.height() - place.y, 0, place.height);
    return seen;
}

void Canvas::dispose() {
    if (!last_ || last_->disposal == Disposal::keep)
        return;
    const FramePlace place = clipped(last_->place);
    const std::size_t size = static_cast<std::size_t>(place.width) * image_.pixel_bytes();
    for (std::int64_t y = 0; y < place.height; ++y) {
        std::byte* row = image_.row(static_cast<int>(place.y + y)) +
                         static_cast<std::size_t>(place.x) * image_.pixel_bytes();
        if (last_->disposal == Disposal::clear)
            std::fill_n(row, size, std::byte{0});
        else
            std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y) * size), size,
                        row);
    }
    kept_ = std::vector<std::byte>(); // with its memory
    last_.reset();
}

void Canvas::put(const FramePart& part, const Image& frame) {
    dispose();
    const FramePlace place = clipped(part.place);
    if (part.disposal == Disposal::restore) {
        const std::size_t size = static_cast<std::size_t>(place.width) * image_.pixel_bytes();
        kept_.resize(size * static_cast<std::size_t>(place.height));
        for (std::int64_t y = 0; y < place.height; ++y) {
            const std::byte* row = image_.row(static_cast<int>(place.y + y)) +
                                   static_cast<std::size_t>(place.x) * image_.pixel_bytes();
            std::copy_n(row, size,
                        kept_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y) * size));
        }
    }
    if (image_.depth() == Depth::u8)
        put_rows<std::uint8_t>(frame, part, place, image_);
    else
        put_rows<std::uint16_t>(frame, part, place, image_);
    last_ = part;
}

bool Canvas::is_opaque() const {
    const auto all = [&]<class T>(std::span<const T> values) {
        const auto step = static_cast<std::size_t>(image_.channels());
        for (std::size_t i = step - 1; i < values.size(); i += step) {
            if (values[i] != static_cast<T>(max_code(image_.depth())))
                return false;
        }
        return true;
    };
    return image_.depth() == Depth::u8 ? all(image_.values<std::uint8_t>())
                                       : all(image_.values<std::uint16_t>());
}

Image Canvas::seen(bool with_alpha) const {
    return with_alpha ? image_ : first_channels(image_, image_.channels() - 1);
}

} // namespace glproc::codecs
