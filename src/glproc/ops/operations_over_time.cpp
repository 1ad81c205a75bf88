#include "glproc/ops/operations_over_time.hpp"

#include "glproc/ops/denoise/frames.hpp"
#include "glproc/ops/stack/frames.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace glproc {

const OverTime* over_time_of(const OpInfo& op) {
    using Row = std::pair<std::string_view, const OverTime& (*)()>;
    static constexpr std::array rows{Row{"denoise", &denoise_over_time}, Row{"stack", &stack_over_time}};
    for (const auto& [name, over_time] : rows) {
        if (name == op.name) {
            return &over_time();
        }
    }
    return nullptr;
}

} // namespace glproc
