// Exact Euclidean distances of a picture that comes in bands.
#pragma once

#include "glproc/ops/distance/transform.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace glproc {

/// The nearest sites beyond each band of a picture.
class SiteCarry {
  public:
    /// Of each column the last site in the next band and the first.
    void add(SitesBeyond ends) { bands_.push_back(std::move(ends)); }

    /// After the last band of pictures so wide.
    void end(int width);

    const SitesBeyond& beyond(std::size_t band) const { return bands_[band]; }

  private:
    std::vector<SitesBeyond> bands_; ///< what add() was given; after end() the sites beyond each band
};

/// Goes twice over full-width bands of a picture, from top to bottom: look() at the sites of each and end(),
/// then measure() each again. The result does not depend on the bands.
class DistanceBands {
  public:
    DistanceBands(Context& gpu, const DistanceForm& form) : gpu_(gpu), form_(form) {}

    /// The next band, of DistanceTransform::most_rows() at most.
    void look(MaskBits sites);

    /// After the last band.
    void end();

    /// After end(): of the bands that look() saw, in the same order.
    Distances measure(MaskBits sites);
    GpuImage picture(MaskBits sites);

    /// The same where there was one band only.
    Distances measure() { return last_->measure(carry_.beyond(0)); }
    GpuImage picture() { return last_->picture(carry_.beyond(0)); }

  private:
    DistanceTransform transform_of(MaskBits sites);

    Context& gpu_;
    DistanceForm form_;
    std::optional<DistanceTransform> last_; ///< of the band that came last
    SiteCarry carry_;
    std::size_t measured_ = 0;
    int rows_ = 0; ///< of all bands so far
};

} // namespace glproc
