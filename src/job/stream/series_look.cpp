// What a run finds out about a whole file before its first image is worked on.
#include "job/stream/series_run.hpp"

#include "glproc/base/error.hpp"
#include "glproc/image/descriptions.hpp"
#include "glproc/image/stack_descriptions.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/operations_in_volume.hpp"
#include "glproc/ops/operations_over_stack.hpp"
#include "job/input_file.hpp"
#include "job/notes.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace glproc::job {

/// What the named images are of a stack, which is told with the first image of the file.
std::optional<StackAxes> SeriesRun::part_of_stack(const SeriesInfo& info, int all) {
    if (info.format != Format::tiff) {
        return std::nullopt;
    }
    try {
        const Image first = file_.first(call_.reading.budget, input_name(pages_.path), call_.reading.options);
        const auto stack = stack_axes(first.metadata(), first.form(), all);
        description_ = description_of_all(first, all);
        return stack ? part_of(*stack, pages_.numbers) : std::nullopt;
    } catch (const Error&) { // of an image that may not be wanted
        return std::nullopt;
    }
}

/// Of the image that was given last.
std::string SeriesRun::place() const {
    return page_name(input_name(pages_.path), pages_.numbers.at(std::min(given_, pages_.numbers.size()) - 1));
}

void SeriesRun::begin_volumes(const SeriesInfo& info, int all) {
    std::optional<StackAxes> stack;
    if (info.format == Format::tiff) {
        const Image first = file_.first(call_.reading.budget, input_name(pages_.path), call_.reading.options);
        stack = stack_axes(first.metadata(), first.form(), all);
        stack = stack && pages_.count() < all ? part_of(*stack, pages_.numbers) : stack;
    }
    volumes_.emplace(*in_volume_of(call_.op), volume_call(*call_.volume, stack, input_name(name_)),
                     order_along(*call_.volume, stack, pages_.count(), input_name(name_)), window_bytes(),
                     [this] { return make_next(); });
}

/// --memory is that of a window; a limit on decoding counts, too.
std::uint64_t SeriesRun::window_bytes() const {
    constexpr std::uint64_t usual = std::uint64_t{1} << 30U;
    const std::uint64_t told = call_.device.memory_bytes == 0 ? usual : call_.device.memory_bytes;
    const std::uint64_t memory = call_.reading.budget.memory;
    return memory == 0 ? told : std::min(memory / 2, told);
}

/// One picture after another is in memory, as the operation will get it; then the file is read again.
void SeriesRun::look_at_all() {
    const OverStack* over = over_stack_of(call_.op, call_.operation);
    if (std::exchange(has_looked_, true) || over == nullptr) {
        return;
    }
    const auto rewind = [&] {
        given_ = 0;
        read_ = 0;
        series_ = file_.open(call_.reading.budget, input_name(pages_.path), call_.reading.with(input_notes_));
    };
    const EachImage images = [&](const std::function<bool(const Image&)>& goes_on) {
        for (bool has_more = true; has_more;) {
            std::optional<SeriesPicture> picture =
                call_.stages.run(Stage::decode, [&] { return decode_next(); });
            if (!picture) {
                break;
            }
            ++given_;
            check_room(picture->image.form());
            PictureOutput output = output_;
            const Image image = output.take_input(name_, std::move(picture->image), call_.operation);
            try {
                has_more = call_.stages.run(Stage::compute, [&] { return goes_on(image); });
            } catch (const Error& error) {
                throw error_of(place(), error);
            }
        }
        rewind();
    };
    want_findings(call_.wants_findings);
    try {
        found_ = over->look(call_.operation, images);
    } catch (const Error& error) {
        const std::string_view what = error.what();
        throw what.starts_with(input_name(pages_.path)) ? error : error_of(input_name(name_), error);
    }
    operation_ = found_(call_.operation);
    findings_ = take_findings();
    want_findings(false);
}

} // namespace glproc::job
