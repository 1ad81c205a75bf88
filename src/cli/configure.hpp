// An operation as the command line asks for it, and what it works on.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/image/array.hpp"
#include "glproc/image/image.hpp"
#include "glproc/op/op.hpp"

#include <memory>
#include <string>
#include <variant>

namespace glproc::cli {

using Source = std::variant<Image, Array>;
using Uploaded = std::variant<GpuImage, GpuArray>;

/// The operation with the parameters of the command line. Throws Error(usage) for values that it does not
/// take and for required ones that are missing.
std::unique_ptr<Operation> configure(const Arguments& arguments);

/// `uploaded` must be what became of `source`; both must outlive the result, as `name` must.
OpInput op_input(const std::string& name, const Source& source, const Uploaded& uploaded);

} // namespace glproc::cli
