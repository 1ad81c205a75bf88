// Components of a whole picture by the processor alone, with the bits of a run on a device.
#pragma once

#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/table.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glproc {

struct ComponentsAlone {
    HostMask objects = {};                  ///< all that were found
    std::vector<std::uint32_t> labels = {}; ///< of each pixel, where they are wanted: those that are left
    MeasuredComponents measured = {};

    std::uint32_t label(int x, int y) const {
        return labels[static_cast<std::size_t>(y) * static_cast<std::size_t>(objects.width) +
                      static_cast<std::size_t>(x)];
    }
};

/// `paints`: whether labels are wanted.
ComponentsAlone components_alone(const Components& op, const Image& picture, bool paints);

/// The picture that `op` asks for, from those labels.
Image painted_alone(const Components& op, const Image& picture, const ComponentsAlone& components);

} // namespace glproc
