// A call, in the words of those who do its work.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "job/picture/call.hpp"
#include "job/picture/picture_job.hpp"

#include <functional>
#include <string>

namespace glproc::cli {

/// The work on each image by `operation`, which outlives it. Throws Error(usage).
Call call_of(const Arguments& arguments, const Settings& settings, Operation& operation, Stages& stages,
             std::function<void(double share)> advance, bool is_batch = false);

/// Where that goes which is made of an image: `out` is the place of an image or an array. Throws what is
/// wrong with the flags or the places.
Outputs outputs_of(const Arguments& arguments, const std::string& out, bool is_batch = false);

/// The lines of PictureJob::findings().
std::string text_of_findings(const std::string& input, const Notes& findings);

/// As job::all_pages() and job::named_in(). Their notes are printed.
std::vector<std::string> all_pages(const std::string& in, const Arguments& arguments);
std::vector<std::string> named_in(const std::string& place, const Arguments& arguments);

} // namespace glproc::cli
