// How a filter ends: sums of a row become its values, by twins of the kernels' GLSL.
#pragma once

#include "glproc/kinds/separable/separable.hpp"
#include "glproc/kinds/twin.hpp"

#include <span>
#include <string>
#include <vector>

namespace glproc {

/// The twin of a file of the kind `ending`, for results of this depth. `alpha`: ALPHA of lib/pixel.glsl. `own`: what the file
/// declares besides.
EndingTwin ending_twin(const std::string& glsl, Depth depth, int alpha, Defines own = {});

/// Of a separable filter.
class RowEnding {
  public:
    /// For results of this form, whose sums are multiplied by `scale`.
    RowEnding(const Form& form, const SeparableFilter& filter, float scale);

    /// Whether run() needs the picture's own values.
    bool sharpens() const { return sharpens_; }

    /// `own`: the values of the row in the picture, not weighted. Overwrites the sums.
    void run(std::span<float> sums, const float* own, std::byte* to) const;

  private:
    Depth depth_;
    bool sharpens_;
    bool is_plain_; ///< nothing but a product, rounded
    int channels_;
    std::vector<float> params_;
    EndingTwin twin_;
};

/// Divides what a filter gives around holes by its share of finite values: both float pictures.
void divide_by_shares(Image& sums, const Image& shares, AlphaMode alpha);

} // namespace glproc
