#include "glproc/image/image.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/image/no_memory.hpp"

#include <cstring>

#include <fmt/format.h>

namespace glproc {

NoMemoryForImage::NoMemoryForImage(const Form& form)
    : what_(fmt::format("there is no memory for an image of {}x{} pixels, which takes {:.1f} GB", form.width, form.height,
                        static_cast<double>(form.bytes()) / 1e9)) {}

Image::Image(const Form& form) : form_(form) {
    if (form.width < 1 || form.height < 1 || form.channels < 1 || form.channels > 4) {
        throw Error(ErrorCode::operation, fmt::format("an image of {}x{} with {} cannot exist", form.width,
                                                      form.height, counted(form.channels, "channel")));
    }
    try {
        bytes_ = PixelMemory(form.bytes());
    } catch (const std::bad_alloc&) {
        throw NoMemoryForImage(form);
    }
}

double Image::at(int x, int y, int channel) const {
    const std::byte* p = row(y) + static_cast<std::size_t>(x) * pixel_bytes() +
                         static_cast<std::size_t>(channel) * bytes_of(depth());
    switch (depth()) {
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
