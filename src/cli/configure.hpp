// An operation as the command line asks for it.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/op/op.hpp"

#include <memory>

namespace glproc::cli {

/// The operation with the parameters of the command line. Throws Error(usage) for values that it does not
/// take and for required ones that are missing.
std::unique_ptr<Operation> configure(const Arguments& arguments);

/// Throws Error(usage) where the operation is to see all images of a file first, which `where` cannot show
/// it.
void refuse_stack(const OpInfo& op, const Operation& operation, const std::string& where);

} // namespace glproc::cli
