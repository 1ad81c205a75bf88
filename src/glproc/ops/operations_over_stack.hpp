// Which operations of the registry can analyse all images of a file first.
#pragma once

#include "glproc/op/over_stack.hpp"

namespace glproc {

/// Null for calls that do not ask for it.
const OverStack* over_stack_of(const OpInfo& op, const Operation& call);

} // namespace glproc
