// --over: the images of one file become several, each of those along an axis.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "job/stream/joined_pages.hpp"

#include <optional>

namespace glproc::cli {

/// Nothing where all inputs become one image. Warns of what the file has lost. Throws Error: usage and input.
std::optional<PageGroups> groups_to_join(const Arguments& arguments, const Settings& settings);

/// Each group becomes a page of the output. Throws Error.
void join_pages(const Arguments& arguments, const Settings& settings, PageGroups groups);

} // namespace glproc::cli
