#include "glproc/ops/distance/bands.hpp"

#include <algorithm>

namespace glproc {

void SiteCarry::end(int columns) {
    const auto width = static_cast<std::ptrdiff_t>(columns);
    const auto carry = [&](SitesBeyond& band, std::ptrdiff_t row, SitesBeyond& beyond) {
        for (auto site = band.begin() + row * width; site != band.begin() + (row + 1) * width; ++site) {
            std::uint32_t& outside = beyond[static_cast<std::size_t>(site - band.begin())];
            std::swap(*site, outside);
            outside = outside == ~0U ? *site : outside;
        }
    };
    SitesBeyond beyond = no_sites_beyond(columns);
    for (SitesBeyond& band : bands_) { // the last sites go down
        carry(band, 0, beyond);
    }
    std::for_each(bands_.rbegin(), bands_.rend(), [&](SitesBeyond& band) { carry(band, 1, beyond); });
}

DistanceTransform DistanceBands::transform_of(MaskBits sites) {
    const int origin = std::exchange(rows_, rows_ + sites.height);
    return {gpu_, form_, std::move(sites), origin};
}

void DistanceBands::look(MaskBits sites) {
    if (last_) {
        carry_.add(last_->ends()); // while the GPU was at work on something else
    }
    last_.emplace(transform_of(std::move(sites)));
}

void DistanceBands::end() {
    if (rows_ == last_->sites().height) { // one band: nothing lies beyond it
        carry_.add(no_sites_beyond(form_.width));
        return;
    }
    carry_.add(last_->ends());
    carry_.end(form_.width);
    last_.reset();
    rows_ = 0;
}

Distances DistanceBands::measure(MaskBits sites) {
    return transform_of(std::move(sites)).measure(carry_.beyond(measured_++));
}

GpuImage DistanceBands::picture(MaskBits sites) {
    return transform_of(std::move(sites)).picture(carry_.beyond(measured_++));
}

} // namespace glproc
