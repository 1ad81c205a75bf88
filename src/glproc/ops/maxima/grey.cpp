#include "glproc/ops/maxima/grey.hpp"

#include "glproc/ops/gray.hpp"

#include <algorithm>
#include <cstring>

namespace glproc {

namespace {

/// Of rows that are too long for the GPU, in parts.
Image wide_grey(Context& gpu, const Image& rows) {
    Form form = rows.form();
    form.channels -= 2;
    Image grey(form);
    const int part_width = std::min<int>(4096, static_cast<int>(gpu.limits().texture_size));
    int x = 0;
    visit_columns(rows, part_width, [&](const Image& part) {
        const Image made = gpu.download(Gray{}(gpu, gpu.upload(part)));
        for (int y = 0; y < grey.height(); ++y) {
            std::memcpy(grey.row(y) + static_cast<std::size_t>(x) * grey.pixel_bytes(), made.row(y),
                        made.row_bytes());
        }
        x += part.width();
    });
    return grey;
}

} // namespace

const GpuImage& grey_of(Context& gpu, const GpuImage& image, std::optional<GpuImage>& made) {
    return image.channels() < 3 ? image : made.emplace(Gray{}(gpu, image));
}

Image grey_rows(Context& gpu, Band& band, const BandCut& cut) {
    if (cut.picture.channels < 3) {
        return band.pixels();
    }
    std::optional<GpuImage> made;
    return cut.is_wide ? wide_grey(gpu, band.pixels()) : gpu.download(grey_of(gpu, band.image(), made));
}

} // namespace glproc
