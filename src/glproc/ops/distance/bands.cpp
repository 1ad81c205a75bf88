#include "glproc/ops/distance/bands.hpp"

#include <algorithm>
#include <utility>

namespace glproc {

DistanceTransform DistanceBands::transform_of(const GpuImage& band) {
    const int origin = std::exchange(rows_, rows_ + band.height());
    return {gpu_, form_, mask_bits(gpu_, band, which_), origin};
}

void DistanceBands::note_last() {
    bands_.push_back(last_->ends());
    last_.reset();
}

void DistanceBands::look(const GpuImage& band) {
    if (last_) {
        note_last();
    }
    last_.emplace(transform_of(band));
}

void DistanceBands::end() {
    if (!bands_.empty()) {
        note_last();
    } else {
        bands_.push_back(no_sites_beyond(form_.width));
        return;
    }
    rows_ = 0;
    const auto width = static_cast<std::ptrdiff_t>(form_.width);
    const auto carry = [&](SitesBeyond& band, std::ptrdiff_t row, SitesBeyond& beyond) {
        for (auto site = band.begin() + row * width; site != band.begin() + (row + 1) * width; ++site) {
            std::uint32_t& outside = beyond[static_cast<std::size_t>(site - band.begin())];
            std::swap(*site, outside);
            outside = outside == ~0U ? *site : outside;
        }
    };
    SitesBeyond beyond = no_sites_beyond(form_.width);
    for (SitesBeyond& band : bands_) { // the last sites go down
        carry(band, 0, beyond);
    }
    std::for_each(bands_.rbegin(), bands_.rend(), [&](SitesBeyond& band) { carry(band, 1, beyond); });
}

Distances DistanceBands::measure(const GpuImage& band) {
    if (bands_.size() > 1) {
        last_.emplace(transform_of(band));
    }
    return last_->measure(bands_[measured_++]);
}

} // namespace glproc
