// The inputs of an operation that makes one picture of several.
#pragma once

#include "cli/arguments.hpp"
#include "glproc/files/rows.hpp"

#include <string>
#include <vector>

namespace glproc::cli {

/// The pictures of a file that has several, by name: "z.tif#1", "z.tif#2"; of another file and of one whose page is
/// named, itself. Throws Error(input), also for more than --max-frames allows.
std::vector<std::string> all_pages(const std::string& in, const Arguments& arguments);

/// Each picture that a place names, as each_page(). Throws Error: usage, and input for a row beyond the file's last one or for more
/// than --max-frames allows.
std::vector<std::string> named_in(const std::string& place, const Arguments& arguments);

/// The pictures named, all of them open at once, so that they can be read side by side. Those whose formats
/// cannot be read in rows are decoded now, and their rows wait in memory or in a temporary file; where the pictures may
/// differ, when they are opened. `first` is the picture that they are joined to: integers and floats do not mix, and
/// they come in its ICC profile, which `notes` tell. Throws Error: input and usage.
std::vector<RowSource> open_joined(const std::string& first, const std::vector<std::string>& others,
                                   const Arguments& arguments, Notes& notes);

} // namespace glproc::cli
