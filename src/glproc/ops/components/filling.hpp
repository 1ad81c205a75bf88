// The components of a mask by their definition, in CPU memory: the reference.
#pragma once

#include "glproc/ops/components/finder.hpp"
#include "glproc/ops/components/labelling.hpp"

namespace glproc {

/// Keeps the whole mask. One component after another is filled from its first pixel.
class ComponentFilling final : public ComponentFinder {
  public:
    ComponentFilling(Context& gpu, Connectivity connectivity, MaskedPixels pixels)
        : gpu_(gpu), connectivity_(connectivity), pixels_(pixels) {}

    void look(const GpuImage& band) override;
    std::vector<ComponentSums> end() override;
    void choose(std::span<const std::uint32_t> labels) override;
    Buffer paint(const GpuImage& band) override;

  private:
    ComponentSums fill(std::int64_t first, std::uint32_t label);

    Context& gpu_;
    Connectivity connectivity_;
    MaskedPixels pixels_;
    std::int64_t width_ = 0;
    std::int64_t height_ = 0;
    std::int64_t painted_ = 0;          ///< rows
    std::vector<std::uint32_t> labels_; ///< first `unvisited` where the mask is set
    std::vector<std::int64_t> open_;    ///< pixels whose neighbours are still to be looked at
};

} // namespace glproc
