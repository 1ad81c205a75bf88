// Exact Euclidean distances of a picture that comes in bands.
#pragma once

#include "glproc/ops/distance/transform.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace glproc {

/// Two sweeps over full-width bands of a picture, from top to bottom: look() at each and end(), then
/// measure() each again. The result does not depend on the bands. The mask of a picture of one band is made
/// once.
class DistanceBands {
  public:
    /// `sites`: which pixels distances are measured to.
    DistanceBands(Context& gpu, const DistanceForm& form, MaskedPixels sites)
        : gpu_(gpu), form_(form), which_(sites) {}

    /// The next band, of DistanceTransform::most_rows() at most.
    void look(const GpuImage& band);

    /// After the last band.
    void end();

    /// After end(): of the bands that look() saw, in the same order.
    Distances measure(const GpuImage& band);

  private:
    DistanceTransform transform_of(const GpuImage& band);
    void note_last();

    Context& gpu_;
    DistanceForm form_;
    MaskedPixels which_;
    std::optional<DistanceTransform> last_; ///< of the band that came last, until the next comes
    std::vector<SitesBeyond>
        bands_; ///< for each the last site of every column and the first; after end() those beyond it
    std::size_t measured_ = 0;
    int rows_ = 0; ///< of all bands so far
};

} // namespace glproc
