// The sites of a picture, to which distances are measured: its background or its objects.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/op/sweep.hpp"
#include "glproc/ops/distance.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace glproc {

/// Which pixels of a black and white picture they are, and which the others.
MaskedPixels sites_of(const Distance& op);
MaskedPixels others_of(const Distance& op);

/// The picture above its threshold. The program is proved with the programs of the sweeps.
GpuImage black_and_white_of(Context& gpu, const Distance& op, const GpuImage& picture);

/// By the processor alone.
HostMask sites_on_cpu(const Distance& op, const Image& picture);

/// Of a band, to be worked on by the processor.
HostMask sites_in(Context& gpu, const Distance& op, const BandCut& cut, Band& band);

} // namespace glproc
