// A call whose input has several pictures, and whose output takes them all.
#include "cli/stream/series_run.hpp"

#include "cli/configure.hpp"
#include "cli/confined/decoder_process.hpp"
#include "cli/files/input.hpp"
#include "cli/files/run_input.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/stream/stream.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace glproc::cli {

namespace {

/// Whether a call takes all pictures of a file that has several.
bool takes_all(const Arguments& arguments) {
    const OpInfo& op = *arguments.command->op;
    return op.input == Input::image && op.product == Product::image && !op.joins && !prints_report(arguments);
}

/// Of a software renderer, whose memory is that of this process: a part of the limit. Tiles that are smaller
/// cost more than they save.
Settings within(Settings settings, const Budget& budget) {
    constexpr std::uint64_t least = std::uint64_t{64} << 20U;
    settings.context.host_bytes = budget.memory == 0 ? 0 : std::max(budget.memory / 8, least);
    return settings;
}

class SeriesCall {
  public:
    SeriesCall(const Arguments& arguments, const Settings& settings, const std::string& in,
               std::vector<std::byte> file)
        : settings_(within(settings, read_budget(arguments))), operation_(configure(arguments)),
          stages_(false), line_(settings_, stages_),
          output_(arguments, arguments.output()), call_{arguments, settings_,     arguments.op(), *operation_,
                                                        stages_,   [](double) {}},
          run_(call_, in, std::move(file), output_) {}

    std::vector<std::byte> take_file() { return run_.take_file(); }

    bool go() {
        if (!run_.begin()) {
            return false;
        }
        const Arguments& arguments = call_.arguments;
        warn(read_second_pictures(*operation_, arguments, arguments.inputs().front()));
        line_.run({[this] { return run_.next(); }, {}, run_.count(), run_.waiting()});
        end();
        return true;
    }

  private:
    void end() {
        warn(run_.input_notes());
        line_.rethrow();
        run_.finish();
        warn(run_.output_notes());
        line_.say_done(output_.name(), call_.op.name);
    }

    void warn(const Notes& notes) const {
        for (const std::string& what : settings_.silent ? Notes{} : notes) {
            print_warning(what);
        }
    }

    const Settings settings_;
    std::unique_ptr<Operation> operation_;
    Stages stages_;
    FrameLine line_;
    PictureOutput output_;
    Call call_;
    SeriesRun run_;
};

/// By the first bytes of stdin, of which a pipe may have few.
bool may_be_series(std::span<const std::byte> start) {
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    return text.starts_with("GIF8") || text.starts_with("RIFF") || text.starts_with("II") ||
           text.starts_with("MM") ||
           (text.starts_with("\x89PNG") && text.find("acTL") != std::string_view::npos);
}

/// The file, where it is worth a look.
std::optional<std::vector<std::byte>> read_if_series(const std::string& path) {
    if (path != "-") {
        try {
            return may_hold_series(path) ? std::optional(read_input(path, "image")) : std::nullopt;
        } catch (const Error&) { // decoding will say it
            return std::nullopt;
        }
    }
    if (is_terminal(STDIN_FILENO) || !(may_be_series(peek_input(path)) || may_be_series(start_of_pipe()))) {
        return std::nullopt;
    }
    return read_input(path, "image");
}

} // namespace

std::unique_ptr<SeriesRun> begin_series(const Call& call, const std::string& in, PictureOutput& output) {
    if (!takes_all(call.arguments) || named_pages(in).first != 0) {
        return nullptr;
    }
    std::optional<std::vector<std::byte>> file = read_if_series(in);
    auto run = file ? std::make_unique<SeriesRun>(call, in, std::move(*file), output) : nullptr;
    return run && run->begin() ? std::move(run) : nullptr;
}

bool operate_on_series(const Arguments& arguments, const Settings& settings) {
    if (!takes_all(arguments) || arguments.inputs().size() != 1) {
        return false;
    }
    const std::string in = arguments.inputs().front();
    const NamedPages named = named_pages(in);
    const bool is_one = named.first != 0 && !named.is_row();
    std::optional<std::vector<std::byte>> file = is_one ? std::nullopt : read_if_series(named.path);
    if (!file || !inspect_series_within(read_budget(arguments), *file, input_name(in))) {
        if (named.is_row()) {
            throw no_such_page(in, named.last, SeriesInfo{.count = 1});
        }
        if (file && in == "-") {
            give_back_stdin(std::move(*file));
        }
        return false;
    }
    SeriesCall call(arguments, settings, in, std::move(*file));
    if (call.go()) {
        return true;
    }
    if (in == "-") {
        give_back_stdin(call.take_file());
    }
    return false;
}

} // namespace glproc::cli
