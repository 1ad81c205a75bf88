#include "cli/stream/volume_report.hpp"

#include "cli/configure.hpp"
#include "cli/files/call.hpp"
#include "cli/files/input.hpp"
#include "cli/files/report_output.hpp"
#include "cli/files/volume_flags.hpp"
#include "cli/many/input_list.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/ops/operations_in_volume.hpp"
#include "job/page_files.hpp"
#include "job/stack_names.hpp"
#include "job/stream/volume_frames.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// "t=0,c=0": the first of the axes that are not the volume's.
std::string first_of_others(const StackAxes& stack, std::optional<char> along) {
    std::string text;
    for (const StackAxis& axis : stack.axes) {
        if (axis.name != along) {
            text += fmt::format("{}{}=0", text.empty() ? "" : ",", axis.name);
        }
    }
    return text;
}

} // namespace

bool reports_on_volume(const Arguments& arguments) {
    return volume_asked(arguments).has_value() && arguments.op().product == Product::report;
}

void report_on_volume(const Arguments& arguments, const Settings& settings) {
    const std::string name = arguments.inputs().at(0);
    Stages stages(process_start());
    const auto operation = configure(arguments);
    const Call call = call_of(arguments, settings, *operation, stages, [](double) {});
    const std::vector<std::string> pages =
        job::named_pages(name).is_named() ? named_in(name, arguments) : all_pages(name, arguments);
    if (pages.size() < 2) {
        throw Error(ErrorCode::usage, fmt::format("{} is one image, and a volume has several", name));
    }
    const std::string path = job::file_of(name);
    std::optional<StackAxes> stack =
        job::stack_of(path, static_cast<int>(all_pages(path, arguments).size()), call.reading);
    if (stack && job::named_pages(name).is_named()) {
        stack = part_of(*stack, job::named_pages(name).numbers);
    }
    const job::VolumeOrder order =
        job::order_along(*call.volume, stack, static_cast<int>(pages.size()), name);
    if (order.length != pages.size()) {
        throw Error(
            ErrorCode::usage,
            fmt::format("{} has {} volumes, and a report is of one", name, pages.size() / order.length),
            stack ? fmt::format("name one: {}#{}", path, first_of_others(*stack, call.volume->along)) : "");
    }
    Notes notes;
    const std::vector<std::byte> start = job::start_for_pages(path);
    std::vector<Image> images;
    for (const std::string& page : pages) {
        images.push_back(stages.run(job::Stage::decode, [&] {
            return job::read_page(job::named_page(page), start, page, call.reading.budget,
                                  call.reading.with(notes));
        }));
        if (images.back().form() != images.front().form()) {
            throw Error(ErrorCode::operation,
                        fmt::format("{} differs from {} in size, channels or depth", page, pages.front()));
        }
    }
    VolumePart part{{}, 0, images.size()};
    std::ranges::transform(images, std::back_inserter(part.planes),
                           [](const Image& image) { return &image; });
    const InVolume& how = *in_volume_of(call.op);
    const VolumeCall volume = job::volume_call(*call.volume, stack, name);
    how.around(*operation, volume, images.front().form());
    const Report report = how.report(*operation, volume, part, name);
    print_product(report_output(arguments, "").text(report, name));
    for (const std::string& note : settings.silent ? Notes{} : notes) {
        print_warning(note);
    }
}

} // namespace glproc::cli
