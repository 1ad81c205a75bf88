#include "cli/files/report_output.hpp"

#include "cli/files/output_flags.hpp"
#include "cli/files/replacing.hpp"
#include "cli/json.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/formats.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/table.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace glproc::cli {

std::string file_format(const Arguments& arguments, const std::string& out) {
    const std::vector<Choice>& known = arguments.op().files;
    const std::string format =
        arguments.format().value_or(out == "-" ? known.front().name : codecs::extension_in(out));
    const auto is_named = [&](const Choice& choice) { return choice.name == format; };
    if (std::none_of(known.begin(), known.end(), is_named)) {
        std::vector<std::string> names;
        std::transform(known.begin(), known.end(), std::back_inserter(names),
                       [](const Choice& choice) { return choice.name; });
        throw Error(ErrorCode::usage,
                    fmt::format("{}: unknown output format '{}' (known: {})", out,
                                arguments.format().value_or(std::filesystem::path(out).extension().native()),
                                fmt::join(names, ", ")),
                    "name one with --to, or by the end of the output's name");
    }
    return format;
}

ReportOutput report_output(const Arguments& arguments, const std::string& out) {
    if (!arguments.op().files.empty()) {
        ReportOutput output{.text = {}, .file = OutputPlace(out), .file_format = file_format(arguments, out)};
        check_place(*output.file, arguments, "file");
        return output;
    }
    const ReportFormat format = read_report_format(arguments);
    ReportOutput output{.text = [format](const Report& report, const std::string& name) {
        return report_text(report, format, name);
    }};
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
            output.drawing.emplace(file.path);
            check_place(*output.drawing, arguments, "image");
        } else {
            output.pixels = picture_output(arguments, file.path);
            output.pixels->check(3, Depth::u8);
        }
    }
    return output;
}

bool prints_report(const Arguments& arguments) {
    if (arguments.op().product == Product::report) {
        return true;
    }
    const bool is_named =
        !arguments.command->op->others.empty() && (arguments.has("format") || arguments.has("json"));
    if (is_named && arguments.output() == "-") {
        throw Error(ErrorCode::usage, "the result and the report cannot both go to stdout",
                    "name a file for OUT");
    }
    return is_named;
}

namespace {

/// As a terminal may have it, and the name, which may hold the ends of lines, in its line.
std::string with_name_in_line(std::string text, const std::string& name) {
    const std::string shown = printable_name(name);
    for (std::size_t at = 0; shown != name && (at = text.find(name, at)) != std::string::npos;
         at += shown.size()) {
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
