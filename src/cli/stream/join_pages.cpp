#include "cli/stream/join_pages.hpp"

#include "cli/configure.hpp"
#include "cli/files/call.hpp"
#include "cli/files/file_flags.hpp"
#include "cli/files/input.hpp"
#include "cli/files/output_flags.hpp"
#include "cli/many/input_list.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "job/budget.hpp"

#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

void warn_of(const Notes& notes, const Settings& settings) {
    for (const std::string& what : settings.silent ? Notes{} : notes) {
        print_warning(what);
    }
}

} // namespace

std::optional<PageGroups> groups_to_join(const Arguments& arguments, const Settings& settings) {
    if (!arguments.command->op->joins || !arguments.has(over_flag)) {
        return std::nullopt;
    }
    const auto over = FieldText<JoinOver>::parse({over_flag, "", {}}, arguments.value(over_flag));
    if (over == JoinOver::pages) {
        return std::nullopt;
    }
    const std::string axis = FieldText<JoinOver>::print(over);
    const std::vector<ListedInput> inputs = list_inputs(arguments);
    if (inputs.size() != 1) {
        throw Error(ErrorCode::usage,
                    fmt::format("--over {} is for one file, and for all of its images", axis),
                    "glproc convert saves a part of a stack: glproc convert in.tif#t=0 part.tif");
    }
    refuse_special(inputs.front().path, inputs.front().found);
    Notes notes;
    PageGroups groups =
        groups_over(axis.front(), inputs.front().path, read_reading(arguments), arguments.op(), notes);
    warn_of(notes, settings);
    return groups;
}

void join_pages(const Arguments& arguments, const Settings& settings, PageGroups groups) {
    Progress progress(is_terminal(STDERR_FILENO) && !settings.quiet);
    Stages stages(process_start(), &progress);
    const auto operation = configure(arguments);
    const Call call = call_of(arguments, settings, *operation, stages, [](double) {});
    const auto output = picture_output(arguments, arguments.output(), FormatFlags::must_apply);
    JoinedPages pages(
        call, std::move(groups), [&] { return configure(arguments); }, output);
    stages.show_no_more();
    FrameLine line(arguments, settings, stages);
    line.run({[&] { return pages.next(); }, {}, pages.count(), 1});
    line.rethrow();
    pages.finish();
    warn_of(pages.notes(), settings);
    line.say_done(output.name(), call.op.name);
}

} // namespace glproc::cli
