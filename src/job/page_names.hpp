// The images of files by name, one by one.
#pragma once

#include "glproc/op/op.hpp"
#include "job/budget.hpp"

#include <string>
#include <vector>

namespace glproc::job {

/// Those of a file that has several: "z.tif#1", "z.tif#2"; another file, and one whose page is named, itself.
/// `joins` is what they are all for, if one image is made of them. Throws Error(input), also for more than
/// the reading allows.
std::vector<std::string> all_pages(const std::string& in, const Reading& reading, const OpInfo* joins,
                                   Notes& notes);

/// Each image that a place names, as each_page(). Throws Error: usage, and input for a row beyond the file's
/// last one or for more than the reading allows.
std::vector<std::string> named_in(const std::string& place, const Reading& reading, Notes& notes);

} // namespace glproc::job
