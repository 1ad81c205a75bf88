#include "cli/files/split_command.hpp"

#include "cli/files/call.hpp"
#include "cli/files/file_flags.hpp"
#include "cli/files/input.hpp"
#include "cli/files/name_pattern.hpp"
#include "cli/files/output_flags.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/read_waiting.hpp"
#include "job/budget.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr const char* channel_word = "{channel}";

/// Makes one channel out of several, as each of the outputs is.
const OpInfo& picking() {
    return *find_operation("channels");
}

std::vector<std::string> channels_in(const Form& form) {
    std::vector<std::string> names =
        form.channels < 3 ? std::vector<std::string>{"grey"} : std::vector<std::string>{"r", "g", "b"};
    if (form.has_alpha()) {
        names.emplace_back("a");
    }
    return names;
}

std::string name_with(const std::string& pattern, const std::string& channel, const std::string& page) {
    return filled_name(pattern, {{"channel", channel}, {"page", page}, {"n", page}}, pattern,
                       "{channel}, {page} and {page:03}");
}

/// Whether OUT tells pages apart.
bool names_pages(const std::string& pattern) {
    return name_with(pattern, "r", "1") != name_with(pattern, "r", "2");
}

/// One of the files.
struct SplitFile {
    std::unique_ptr<Operation> operation;
    std::unique_ptr<PictureOutput> output;
    RowSource rows = {};
    std::unique_ptr<RowWriter> writer = {};
};

/// Bytes of one channel of the pixels.
std::vector<std::byte> channel_of(const Image& rows, std::size_t channel) {
    const std::size_t bytes = rows.pixel_bytes() / static_cast<std::size_t>(rows.channels());
    std::vector<std::byte> made(rows.bytes().size() / static_cast<std::size_t>(rows.channels()));
    const std::byte* from = rows.bytes().data() + channel * bytes;
    for (std::size_t at = 0; at < made.size(); at += bytes, from += rows.pixel_bytes()) {
        std::memcpy(&made[at], from, bytes);
    }
    return made;
}

void write_channel(SplitFile& part, std::size_t channel) {
    constexpr std::size_t enough = std::size_t{1} << 22U; // bytes: many rows for each call of a codec
    const Form& form = part.rows.form;
    const int most = static_cast<int>(std::max<std::size_t>(enough / form.row_bytes(), 1));
    const std::unique_ptr<RowReader> reader = part.rows.open();
    part.writer = part.output->open({form.width, form.height, 1, form.depth});
    for (int y = 0; y < form.height; y += most) {
        Image rows(form.width, std::min(most, form.height - y), form.channels, form.depth);
        reader->read(rows.bytes());
        part.writer->write(channel_of(rows, channel));
    }
}

/// The input, by its rows if its format has them.
class SplitInput {
  public:
    SplitInput(const Arguments& arguments, const std::string& in)
        : operation_(picking().make()), call_{.op = picking(),
                                              .operation = *operation_,
                                              .stages = stages_,
                                              .reading = read_reading(arguments),
                                              .arrays = array_reader(arguments),
                                              .device = {},
                                              .advance = {}},
          input_(call_, in) {
        if (std::optional<RowSource> rows = input_.open_in_rows(nullptr, true)) {
            rows_ = std::move(*rows);
        } else {
            image_ = std::get<Image>(input_.decode(input_.read(), nullptr));
            rows_ = rows_of(image_);
            rows_.metadata = image_.metadata();
        }
    }

    const RowSource& rows() const { return rows_; }
    const Notes& notes() const { return input_.notes(); }

  private:
    Stages stages_{process_start()};
    std::unique_ptr<Operation> operation_;
    Call call_;
    RunInput input_;
    Image image_;
    RowSource rows_;
};

std::vector<SplitFile> parts_of(const Arguments& arguments, const std::vector<std::string>& channels,
                                const NamedPage& named, const SplitInput& input) {
    std::vector<SplitFile> parts;
    const std::string page = std::to_string(std::max(named.page, 1));
    for (const std::string& channel : channels) {
        SplitFile part{picking().make(), std::make_unique<PictureOutput>(picture_output(
                                             arguments, name_with(arguments.output(), channel, page)))};
        part.operation->set("extract", channel == "grey" ? "r" : channel);
        part.rows = part.output->take_input(arguments.inputs().front(), input.rows(), *part.operation);
        parts.push_back(std::move(part));
    }
    return parts;
}

} // namespace

Command describe_split() {
    Command command{
        .name = split_command,
        .summary = "write each channel of an image as a grey image",
        .example = "in.png out_{channel}.png",
        .examples = {{"Write red, green and blue as grey images", "photo.jpg photo_{channel}.png"}},
        .places = {{"IN", "image file to read"},
                   {"OUT", "image files to write: {channel} becomes r, g, b and a, or grey, and {page} the "
                           "number of each page"}}};
    command.flags = LateList<Flag>::made_by([] {
        std::vector<Flag> flags = input_flags(Input::image);
        for (const std::vector<Flag>& more :
             {budget_flags(), salvage_flags(Input::image), output_flags(picking())}) {
            flags.insert(flags.end(), more.begin(), more.end());
        }
        return flags;
    });
    return command;
}

namespace {

/// The pages that OUT has names for.
std::vector<std::string> pages_to_split(const Arguments& arguments) {
    const std::string in = arguments.inputs().front();
    const std::string& out = arguments.output();
    if (out.find(channel_word) == std::string::npos) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: split writes several files, so OUT needs {}", out, channel_word),
                    arguments.command->example_call());
    }
    const bool tells_pages = names_pages(out);
    const std::vector<std::string> named = named_in(in, arguments); // none is written where one is missing
    if (named.size() > 1 && !tells_pages) {
        throw Error(ErrorCode::usage,
                    fmt::format("{}: names {} images, so OUT needs {{page}}", in, named.size()),
                    fmt::format("glproc split {} {}", shell_word(in), shell_word("{page}-" + out)));
    }
    return named.size() == 1 && tells_pages ? all_pages(in, arguments) : named;
}

void split_page(const Arguments& arguments, const Settings& settings, const std::string& in) {
    const SplitInput input(arguments, in);
    const std::vector<std::string> channels = channels_in(input.rows().form);
    std::vector<SplitFile> parts = parts_of(arguments, channels, named_page(in), input);
    parallel_for(parts.size(), [&](std::size_t i) {
        try {
            write_channel(parts[i], i);
        } catch (const Error& error) {
            throw with_way_on(error, decode_options(arguments, nullptr));
        }
    });
    const auto warn = [&](const Notes& notes) {
        for (const std::string& note : settings.silent ? Notes{} : notes) {
            print_warning(note);
        }
    };
    warn(input.notes());
    for (SplitFile& part : parts) {
        part.writer->finish();
        warn(part.output->notes());
        if (settings.tells_summary()) {
            print_stderr(fmt::format("{}: {}x{}, split\n", printable_name(part.output->name()),
                                     part.rows.form.width, part.rows.form.height));
        }
    }
}

} // namespace

int split_channels(const Arguments& arguments, const Settings& settings) {
    const Patience patience; // for all pages together
    for (const std::string& page : pages_to_split(arguments)) {
        patience.check(input_name(page));
        split_page(arguments, settings, page);
    }
    return 0;
}

} // namespace glproc::cli
