// The pixels that may be edges, before it is known which of them are connected to strong ones.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/canny.hpp"

#include <vector>

namespace glproc {

/// The parameters for images of one depth.
struct CannyRules {
    CannyRules(const Canny& op, const Form& form);

    bool is_whole;           ///< whether gradients are whole numbers
    bool is_squared;         ///< whether sizes are sums of squares
    double low;              ///< in the unit of sizes
    double high;             ///< likewise
    std::vector<float> taps; ///< of the Gaussian, at distances 0, 1, …; one of them if there is none

    bool hides; ///< whether there may be pixels of alpha 0

    int blur_reach() const { return static_cast<int>(taps.size()) - 1; }
    /// Rows around the result that are needed.
    int halo() const { return hides ? 2 * seen() : seen(); }
    /// How far an edge depends on what is around it, before hidden pixels are filled from as far.
    int seen() const { return blur_reach() + 2; }
};

/// Rows of an image, and of them those whose edges are wanted.
struct CannyRows {
    int above; ///< rows before
    int count;
};

struct EdgeBits {
    MaskBits weak; ///< strong ones, too
    MaskBits strong;
};
EdgeBits edge_bits(Context& gpu, const GpuImage& image, const CannyRules& rules, const CannyRows& rows);

struct EdgeMasks {
    HostMask weak;
    HostMask strong;
};
EdgeMasks edge_masks(const Image& image, const CannyRules& rules, const CannyRows& rows);

/// Of the weak pixels those that a chain of others connects to a strong one.
HostMask connected(const EdgeMasks& masks);

} // namespace glproc
