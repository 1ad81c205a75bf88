// A control for a parameter of any operation, made from its description.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "view/workspace.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace glproc::view {

/// Shows the parameters of the step and applies what a person changes. `counts` are those of what the step
/// gets, behind a curve; may be null. `has_advanced`: with those that few people need.
void show_fields(Workspace& all, std::size_t at, const std::vector<ChannelCounts>* counts, bool has_advanced);

/// The handle in the picture for a parameter of the step; nothing where none has one.
std::optional<Held> handle_of(const Step& step);

/// Whether few people need the parameter: a fold hides it, unless it has a value.
bool is_advanced(const OpInfo& op, const FieldInfo& field);

} // namespace glproc::view
