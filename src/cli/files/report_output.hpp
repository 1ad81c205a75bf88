// Where a report and its picture go.
#pragma once

#include "cli/files/output_place.hpp"
#include "cli/files/picture_output.hpp"
#include "cli/settings.hpp"

#include <optional>

namespace glproc::cli {

/// Where the picture of the report goes, if the call asks for one.
struct ReportPicture {
    std::optional<PictureOutput> pixels;
    std::optional<OutputPlace> drawing;
};

/// Throws Error(usage) where it would replace an input, and as PictureOutput does.
ReportPicture report_picture(const Arguments& arguments);

/// Whether a report goes to stdout: alone, or beside a picture or an array where its format was named. Throws Error(usage) if
/// both were to go there.
bool prints_report(const Arguments& arguments);

/// As it goes to stdout.
std::string report_text(const Report& report, ReportFormat format, const std::string& name);

} // namespace glproc::cli
