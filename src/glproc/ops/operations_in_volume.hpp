// Which operations of the registry also work on volumes.
#pragma once

#include "glproc/op/in_volume.hpp"
#include "glproc/op/op.hpp"

namespace glproc {

/// Null for all others.
const InVolume* in_volume_of(const OpInfo& op);

} // namespace glproc
