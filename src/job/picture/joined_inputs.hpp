// The inputs of an operation that makes one picture of several.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/op/op.hpp"
#include "job/budget.hpp"

#include <string>
#include <vector>

namespace glproc::job {

/// Fills in what the operation wants to know of the files of all images that it joins.
void tell_joined_facts(Operation& operation, const std::vector<std::string>& inputs, const Reading& reading);

/// The pictures named, all of them open at once, so that they can be read side by side. Those whose formats
/// cannot be read in rows are decoded now, and their rows wait in memory or in a temporary file; where the
/// pictures may differ (`joins_any`), when they are opened. `first` is the picture that they are joined to:
/// integers and floats do not mix, and they come in its ICC profile, which `notes` tell. Throws Error: input
/// and usage.
std::vector<RowSource> open_joined(const std::string& first, const std::vector<std::string>& others,
                                   const Reading& reading, bool joins_any, Notes& notes);

} // namespace glproc::job
