// What glproc info says of one image file.
#pragma once

#include "cli/json.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/series.hpp"
#include "glproc/files/stored_form.hpp"
#include "glproc/image/exif_facts.hpp"
#include "glproc/image/stack_axes.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace glproc::cli {

/// A file and what it says about itself.
struct Described {
    std::string name;
    PictureInfo info;
    StoredForm stored;
    ExifFacts taken;
    std::optional<std::uint64_t> bytes;              ///< of the file
    std::optional<SeriesInfo> series = std::nullopt; ///< of a file of several pictures
    std::optional<StackAxes> stack = std::nullopt;   ///< what its description tells of them
};

std::string described_text(const Described& described);
Json described_json(const Described& described);

} // namespace glproc::cli
