#include "cli/files/report_output.hpp"

#include "cli/json.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/table.hpp"

#include <unistd.h>

namespace glproc::cli {

ReportPicture report_picture(const Arguments& arguments) {
    ReportPicture picture;
    std::vector<std::string> inputs = arguments.inputs();
    for (const FieldInfo& field : arguments.command->op->fields) {
        if (field.reads_picture && arguments.has(field.name)) {
            inputs.push_back(arguments.value(field.name));
        }
    }
    for (const FieldInfo& field : arguments.command->op->fields) {
        if (!field.names_picture || !arguments.has(field.name)) {
            continue;
        }
        const PictureFile file{arguments.value(field.name)};
        OutputPlace(file.path).refuse_inputs(field.name, inputs);
        if (file.is_drawing()) {
            picture.drawing.emplace(file.path);
            picture.drawing->check(arguments, "image");
        } else {
            picture.pixels.emplace(arguments, file.path);
            picture.pixels->check(3, Depth::u8);
        }
    }
    return picture;
}

bool prints_report(const Arguments& arguments) {
    if (arguments.op().product == Product::report) {
        return true;
    }
    const bool is_named = !arguments.command->op->others.empty() && (arguments.has("format") || arguments.has("json"));
    if (is_named && arguments.output() == "-") {
        throw Error(ErrorCode::usage, "the result and the report cannot both go to stdout", "name a file for OUT");
    }
    return is_named;
}

namespace {

/// As a terminal may have it, and the name, which may hold the ends of lines, in its line.
std::string with_name_in_line(std::string text, const std::string& name) {
    const std::string shown = printable_name(name);
    for (std::size_t at = 0; shown != name && (at = text.find(name, at)) != std::string::npos; at += shown.size()) {
        text.replace(at, name.size(), shown);
    }
    return printable(text);
}

} // namespace

std::string report_text(const Report& report, ReportFormat format, const std::string& name) {
    switch (format) {
    case ReportFormat::text:
        return with_name_in_line(report.text({bar_columns(), is_terminal(STDOUT_FILENO)}), name);
    case ReportFormat::json:
        return report.table ? json_line(to_json(report.tree), report.table_key, *report.table)
                            : json_line(to_json(report.tree));
    case ReportFormat::csv:
        break;
    }
    return csv_with_rows(report);
}

} // namespace glproc::cli
