// Where a report and its picture go.
#pragma once

#include "cli/settings.hpp"
#include "job/picture/call.hpp"

#include <string>

namespace glproc::cli {

/// The report of a call that prints one, and the image of it that the call asks for; `out` is the file of a
/// report that is written. Throws Error(usage) where that would replace an input, and as PictureOutput does.
ReportOutput report_output(const Arguments& arguments, const std::string& out);

/// Of a report that is a file: by --to, or the name of OUT. Throws Error(usage) for a format that the
/// operation does not write.
std::string file_format(const Arguments& arguments, const std::string& out);

/// Whether a report goes to stdout: alone, or beside a picture or an array where its format was named. Throws
/// Error(usage) if both were to go there.
bool prints_report(const Arguments& arguments);

/// As it goes to stdout.
std::string report_text(const Report& report, ReportFormat format, const std::string& name);

} // namespace glproc::cli
