#include "glproc/image/image.hpp"

#include "glproc/error.hpp"

#include <cstring>

#include <fmt/format.h>

namespace glproc {

Image::Image(int width, int height, int channels, Depth depth)
    : width_(width), height_(height), channels_(channels), depth_(depth) {
    if (width < 1 || height < 1 || channels < 1 || channels > 4) {
        throw Error(ErrorCode::operation,
                    fmt::format("an image of {}x{} with {} channels cannot exist", width, height, channels));
    }
    bytes_.resize(row_bytes() * static_cast<std::size_t>(height));
}

double Image::at(int x, int y, int channel) const {
    const std::byte* p = row(y) + static_cast<std::size_t>(x) * pixel_bytes() +
                         static_cast<std::size_t>(channel) * bytes_of(depth_);
    switch (depth_) {
    case Depth::u8:
        return std::to_integer<int>(*p);
    case Depth::u16: {
        std::uint16_t v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    case Depth::f32:
        break;
    }
    float v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

} // namespace glproc
