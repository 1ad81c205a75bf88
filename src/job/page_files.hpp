// Files of which one image after another is named: "z.tif#1..800" is opened once, not 800 times.
#pragma once

#include "glproc/files/inspect.hpp"
#include "glproc/files/rows.hpp"
#include "job/budget.hpp"
#include "job/pages.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glproc::job {

/// What read_page() takes: enough of a file to tell its format, and all of what can be read only once. Throws
/// Error as read_input().
std::vector<std::byte> start_for_pages(const std::string& path);

/// The image that a place names, as decode_within() gives it of the bytes of the file; `name` is for
/// messages, and `options.page` has no say. What was read of the file stays for the calls that follow, from
/// any thread. The budget is for each image. Throws what decode_within() throws.
Image read_page(const NamedPage& named, std::span<const std::byte> start, const std::string& name,
                const Budget& budget, const DecodeOptions& options);

/// The same in rows, for images that wait for each other; nothing where it does not come in rows, or limits
/// hold. `numbers` are all that will be asked for of this file.
std::optional<RowSource> open_page(const NamedPage& named, const std::vector<int>& numbers,
                                   const Budget& budget, const DecodeOptions& options);

/// inspect() of a file whose pages are named, which is looked at once. Throws Error(input).
PictureInfo inspect_once(const std::string& path);

} // namespace glproc::job
