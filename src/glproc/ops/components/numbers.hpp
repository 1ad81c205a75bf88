// The numbers of components, as they are drawn on a picture.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/components/sums.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// The box of a digit, in pixels.
inline constexpr int digit_width = 8;
inline constexpr int digit_height = 11;

/// 1, 2, … over the middle of each component, moved inward where it would leave the picture.
class ComponentNumbers {
  public:
    /// `components` must outlive it; `picture` is a form of the picture's size.
    ComponentNumbers(std::span<const ComponentSums> components, const Form& picture);

    /// A mask of so many rows of the picture, beginning with `first_row`.
    HostMask drawn(int first_row, int rows) const;

  private:
    /// The row where the number of a component begins.
    int top_of(std::uint32_t component) const;

    std::span<const ComponentSums> components_;
    Form picture_;
    std::vector<std::uint32_t> by_top_; ///< components from the top of the picture to the bottom
};

} // namespace glproc
