#include "glproc/files/series/writers.hpp"

#include "glproc/files/codecs/codecs.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace glproc::codecs {

FramePlace changed_place(const Image& before, const Image& after) {
    const std::size_t pixel = after.pixel_bytes();
    const int width = after.width();
    int top = after.height();
    int bottom = 0;
    int left = width;
    int right = 0;
    for (int y = 0; y < after.height(); ++y) {
        const std::byte* a = before.row(y);
        const std::byte* b = after.row(y);
        if (std::memcmp(a, b, after.row_bytes()) == 0)
            continue;
        top = std::min(top, y);
        bottom = y + 1;
        const auto differs = [&](int x) {
            const std::size_t at = static_cast<std::size_t>(x) * pixel;
            return std::memcmp(a + at, b + at, pixel) != 0;
        };
        for (int x = 0; x < left; ++x) {
            if (differs(x))
                left = x;
        }
        for (int x = width; x > right; --x) {
            if (differs(x - 1))
                right = x;
        }
    }
    if (bottom == 0)
        return {0, 0, 1, 1};
    return {left, top, right - left, bottom - top};
}

Image cut_out(const Image& image, const FramePlace& place) {
    Image part(static_cast<int>(place.width), static_cast<int>(place.height), image.channels(),
               image.depth());
    const std::size_t begin = static_cast<std::size_t>(place.x) * image.pixel_bytes();
    for (int y = 0; y < part.height(); ++y)
        std::memcpy(part.row(y), image.row(static_cast<int>(place.y) + y) + begin, part.row_bytes());
    return part;
}

void check_same_form(const SeriesJob& job, const Form& first, const Form& next) {
    if (first != next) {
        fail_output(job.name,
                    fmt::format("a frame of {}x{} pixels with {} channels follows one of {}x{} with {}: an "
                                "animation has one form",
                                next.width, next.height, next.channels, first.width, first.height,
                                first.channels));
    }
}

} // namespace glproc::codecs
