#include "glproc/ops/operations_over_stack.hpp"

#include "glproc/ops/threshold/stack.hpp"

namespace glproc {

const OverStack* over_stack_of(const OpInfo& op, const Operation& call) {
    return op.name == "threshold" && threshold_over_stack().wants(call) ? &threshold_over_stack() : nullptr;
}

} // namespace glproc
