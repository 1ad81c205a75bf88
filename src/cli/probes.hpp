// What operations are tried with, to check or to compile them.
#pragma once

#include "glproc/op/op.hpp"

#include <string>
#include <utility>
#include <vector>

namespace glproc::cli {

/// Fields and their texts.
using ProbeSettings = std::vector<std::pair<std::string, std::string>>;

/// The parameters of an operation's example and, unless it has to be quick, those that `bench` measures it with.
std::vector<ProbeSettings> probe_settings(const OpInfo& op, bool quick);

/// Pictures of this size, of each depth and number of channels that the operation takes.
std::vector<Form> probe_forms(const OpInfo& op, int width, int height);

} // namespace glproc::cli
