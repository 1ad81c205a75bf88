#include "cli/files/call.hpp"

#include "cli/configure.hpp"
#include "cli/files/input.hpp"
#include "cli/files/output_flags.hpp"
#include "cli/files/report_output.hpp"
#include "cli/files/second_pictures.hpp"
#include "cli/files/volume_flags.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "job/page_names.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

void say(const Notes& notes, const Arguments& arguments) {
    const bool is_silent = arguments.has("quiet") && arguments.times.at("quiet") > 1;
    for (const std::string& note : is_silent ? Notes{} : notes) {
        print_warning(note);
    }
}

} // namespace

Call call_of(const Arguments& arguments, const Settings& settings, Operation& operation, Stages& stages,
             std::function<void(double share)> advance, bool is_batch) {
    Call call{.op = arguments.op(),
              .operation = operation,
              .stages = stages,
              .reading = read_reading(arguments),
              .arrays = array_reader(arguments),
              .device = settings.context,
              .advance = std::move(advance),
              .is_batch = is_batch,
              .is_timed = settings.timing.has_value(),
              .wants_findings = settings.tells_summary(),
              .wants_report = prints_report(arguments),
              .volume = volume_asked(arguments)};
    if (arguments.command->op != &pipe_info() && !operation.pictures().empty()) {
        call.fit_second_images = [&arguments](const FirstProfile& first, Notes& notes) {
            std::unique_ptr<Operation> made = configure(arguments);
            notes = read_second_pictures(*made, arguments, first);
            return made;
        };
    }
    return call;
}

Outputs outputs_of(const Arguments& arguments, const std::string& out, bool is_batch) {
    Outputs outputs;
    const Product product = arguments.op().product;
    if (product == Product::image) {
        outputs.picture = picture_output(
            arguments, out, is_batch ? FormatFlags::apply_where_they_can : FormatFlags::must_apply);
    } else if (product == Product::array) {
        outputs.array = array_output(arguments, out);
    }
    if (prints_report(arguments)) {
        outputs.report = report_output(arguments, out);
    }
    return outputs;
}

std::string text_of_findings(const std::string& input, const Notes& findings) {
    std::string text;
    for (const std::string& finding : findings) {
        text += fmt::format("{}: {}\n", printable_name(input), finding);
    }
    return text;
}

std::vector<std::string> all_pages(const std::string& in, const Arguments& arguments) {
    const OpInfo* op = arguments.command->op;
    Notes notes;
    std::vector<std::string> pages =
        job::all_pages(in, read_reading(arguments), op != nullptr && op->joins ? op : nullptr, notes);
    say(notes, arguments);
    return pages;
}

std::vector<std::string> named_in(const std::string& place, const Arguments& arguments) {
    Notes notes;
    std::vector<std::string> named = job::named_in(place, read_reading(arguments), notes);
    say(notes, arguments);
    return named;
}

} // namespace glproc::cli
