// What flags say of outputs.
#pragma once

#include "cli/arguments.hpp"
#include "job/output/array_output.hpp"
#include "job/output/picture_output.hpp"

#include <string>

namespace glproc::cli {

/// Throws Error(usage).
Encoding read_encoding(const Arguments& arguments);

/// What --to says; nothing without it. Throws Error(usage).
std::optional<ArrayFormat> read_array_format(const Arguments& arguments);

/// Throws what read_encoding() and PictureOutput throw for the flags and the format, wherever `path` is.
PictureOutput unchecked_output(const Arguments& arguments, const std::string& path,
                               FormatFlags flags = FormatFlags::must_apply);

/// The same where check_place() finds nothing wrong.
PictureOutput picture_output(const Arguments& arguments, const std::string& path,
                             FormatFlags flags = FormatFlags::must_apply);
ArrayOutput array_output(const Arguments& arguments, const std::string& path);

} // namespace glproc::cli
