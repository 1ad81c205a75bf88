#include "glproc/ops/maxima/grey.hpp"

#include "glproc/op/plan.hpp"
#include "glproc/ops/gray.hpp"

namespace glproc {

const GpuImage& grey_of(Context& gpu, const GpuImage& image, std::optional<GpuImage>& made) {
    return image.channels() < 3 ? image : made.emplace(Gray{}(gpu, image));
}

Image grey_of(const Image& image) {
    return image.channels() < 3 ? image : image_by_processor(plan_of(Gray{}, image.form()), image);
}

Image grey_rows(Context& gpu, Band& band, const BandCut& cut, bool alone) {
    if (cut.picture.channels < 3) {
        return band.pixels();
    }
    std::optional<GpuImage> made;
    return cut.is_wide || alone ? grey_of(band.pixels()) : gpu.download(grey_of(gpu, band.image(), made));
}

} // namespace glproc
