#include "glproc/ops/operations_in_volume.hpp"

#include "glproc/ops/volumes/distances.hpp"
#include "glproc/ops/volumes/objects.hpp"
#include "glproc/ops/volumes/ranks.hpp"
#include "glproc/ops/volumes/sums.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace glproc {

const InVolume* in_volume_of(const OpInfo& op) {
    using Row = std::pair<std::string_view, const InVolume& (*)()>;
    static constexpr std::array rows{Row{"blur", &blur_in_volume},
                                     Row{"box", &box_in_volume},
                                     Row{"unsharp", &unsharp_in_volume},
                                     Row{"sobel", &sobel_in_volume},
                                     Row{"laplacian", &laplacian_in_volume},
                                     Row{"median", &median_in_volume},
                                     Row{"morphology", &morphology_in_volume},
                                     Row{"distance", &distance_in_volume},
                                     Row{"components", &components_in_volume}};
    for (const auto& [name, in_volume] : rows) {
        if (name == op.name) {
            return &in_volume();
        }
    }
    return nullptr;
}

} // namespace glproc
