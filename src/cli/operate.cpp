#include "cli/operate.hpp"

#include "cli/configure.hpp"
#include "cli/device.hpp"
#include "cli/device_choice.hpp"
#include "cli/files/array_files.hpp"
#include "cli/files/call.hpp"
#include "cli/files/second_pictures.hpp"
#include "cli/many/input_list.hpp"
#include "cli/many/many.hpp"
#include "cli/pipe/timing_sheet.hpp"
#include "cli/stream/frame_line.hpp"
#include "cli/stream/join_pages.hpp"
#include "cli/stream/stream.hpp"
#include "cli/stream/volume_report.hpp"
#include "cli/terminal/leave.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/base/shell_word.hpp"
#include "glproc/base/warm_heap.hpp"
#include "glproc/gl/one_picture.hpp"
#include "glproc/gpu_codecs/jpeg/choice.hpp"
#include "job/budget.hpp"
#include "job/pages.hpp"
#include "job/picture/joined_inputs.hpp"
#include "job/stream/series_run.hpp"
#include "job/stream/stdin_stream.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// Whether the time of the compiler counts for more than that of kernels.
bool is_small(const Form& form) {
    constexpr double most_pixels = 8e6;
    const double pixels = static_cast<double>(form.width) * form.height;
    return pixels > 0 && pixels <= most_pixels;
}

bool is_lack_of_device(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error.code() == ErrorCode::no_context;
    } catch (...) {
        return false;
    }
}

/// The input, and those that are joined to it.
std::vector<std::string> inputs_of(const Arguments& arguments) {
    if (!arguments.command->op->joins) {
        return {arguments.inputs().at(0)};
    }
    std::vector<std::string> names;
    for (const ListedInput& input : list_inputs(arguments)) {
        refuse_special(input.path, input.found);
        names.push_back(input.path);
    }
    check_joined(arguments.op().name, names.size(), arguments.op().most_joined);
    return names.size() == 1 ? all_pages(names.front(), arguments) : names;
}

/// A line for each kind of pass, in the order in which they began.
std::string list_of(const std::vector<PassTime>& passes) {
    std::vector<std::pair<PassTime, int>> kinds;
    for (const PassTime& pass : passes) {
        const auto same = std::find_if(kinds.begin(), kinds.end(),
                                       [&](const auto& kind) { return kind.first.label == pass.label; });
        if (same == kinds.end()) {
            kinds.emplace_back(pass, 1);
        } else {
            same->first.milliseconds += pass.milliseconds;
            ++same->second;
        }
    }
    std::string text;
    for (const auto& [pass, times] : kinds) {
        text += fmt::format("  {:<32} {:>5} x {:>12.3f} ms\n", pass.label, times, pass.milliseconds);
    }
    return text;
}

/// Of a software renderer, whose memory is that of this process: a part of the limit. Tiles that are smaller
/// cost more than they save.
Settings within(Settings settings, const Budget& budget) {
    constexpr std::uint64_t least = std::uint64_t{64} << 20U;
    settings.context.host_bytes = budget.memory == 0 ? 0 : std::max(budget.memory / 8, least);
    return settings;
}

/// One run of an operation on one input, or on several that become one.
class Run {
  public:
    Run(const Arguments& arguments, const Settings& settings, std::vector<std::string> inputs)
        : op_(arguments.op()), settings_(settings), operation_(configure(arguments)),
          progress_(is_terminal(STDERR_FILENO) && !settings.quiet), stages_(process_start(), &progress_),
          arguments_(arguments), call_(call_of(arguments, settings, *operation_, stages_,
                                               [this](double share) { stages_.advance(share); })),
          inputs_(std::move(inputs)),
          job_(call_, inputs_.front(), outputs_of(arguments, arguments.output())),
          choice_(arguments, settings) {
        join_inputs(arguments);
        notes_ = read_second_pictures(*operation_, arguments, inputs_.front());
        tell_joined_facts(*operation_, inputs_, call_.reading);
        array_files_ = ArrayFiles(arguments, *operation_);
    }

    void go() {
        job_.open(choice_.may_go_alone());
        if (job_.series() != nullptr) {
            return go_through(*job_.series());
        }
        const bool is_page = named_pages(inputs_.front()).is_named();
        if (choice_.may_go_alone() && job_.form().width == 0 && (is_page || call_.reading.budget.any())) {
            job_.decode(); // which says the size with the pixels: a device may not be worth its start
        }
        job_.check_budget();
        const bool may_go_alone = job_.may_go_alone();
        if (!may_go_alone || !choice_.goes_alone(size_of_job()) || !go_alone()) {
            go_on_device();
        }
        array_files_.finish();
        if (!job_.failure().empty()) {
            throw Error(ErrorCode::operation, job_.failure());
        }
    }

    /// Whether the process may end at once.
    bool may_leave() const {
        return job_.series() == nullptr && (context_ ? cli::may_leave(context_->device()) : cli::may_leave());
    }

  private:
    void join_inputs(const Arguments& arguments) {
        if (!op_.joins) {
            return;
        }
        if (inputs_.size() < 2) {
            throw Error(ErrorCode::usage, fmt::format("{} takes several images", arguments.command->name),
                        fmt::format("name them before the output: {}", arguments.command->example_call()));
        }
        *operation_->joined() = open_joined(inputs_.front(), {inputs_.begin() + 1, inputs_.end()},
                                            call_.reading, op_.joins_any, joined_notes_);
    }

    /// Picture by picture, each step on a thread of its own.
    void go_through(SeriesRun& series) {
        const Settings settings = within(settings_, call_.reading.budget);
        refuse_array_files(arguments_, "a file of several images",
                           "name one of them: " + shell_word(first_page(inputs_.front())));
        stages_.show_no_more();
        FrameLine line(arguments_, settings, stages_);
        warn(notes_);
        line.run({[&] { return series.next(); }, {}, series.count(), series.waiting()});
        warn(series.input_notes());
        line.rethrow();
        series.finish();
        warn(series.output_notes());
        if (settings_.tells_summary()) {
            print_stderr(printable(text_of_findings(job_.input_name(), series.findings())));
        }
        line.say_done(job_.output_name(), op_.name);
    }

    JobSize size_of_job() const {
        const Form form = job_.form();
        JobSize size = job_size(op_.cost, static_cast<double>(form.width) * form.height / 1e6, job_.plan());
        size.is_jpeg = job_.may_decode_on_gpu();
        return size;
    }

    /// False, with the picture decoded, where it turns out to need a device.
    bool go_alone() {
        if (!job_.in_rows()) {
            if (!job_.is_decoded()) {
                job_.decode();
            }
            if (!job_.goes_alone()) {
                return false;
            }
        }
        stages_.hide();
        if (!choice_.reason().empty() && (settings_.verbose || settings_.timing == TimingFormat::text)) {
            print_note(fmt::format("{} was chosen: {}", no_device, choice_.reason()));
        }
        finish_alone();
        return true;
    }

    void go_on_device() {
        // Decoding keeps one core busy and the driver's start another: both at once.
        std::future<void> decoding;
        if (job_.in_large_rows()) {
            job_.read_ahead();
        } else if (!job_.is_decoded()) {
            const bool for_gpu = leaves_decoding_to_gpu();
            decoding = in_background([this, for_gpu] { for_gpu ? job_.decode_for_gpu() : job_.decode(); });
        }
        std::exception_ptr no_context;
        try {
            stages_.run(Stage::context, [&] { context_.emplace(settings_.context); });
        } catch (...) {
            no_context = std::current_exception();
        }
        if (context_) {
            if (context_->device().software) {
                stages_.run(Stage::upload, [this] { warm_heap(job_.texture_bytes()); });
            }
            if ((choice_.expects_gpu() || choice_.may_go_alone()) && is_small(job_.form())) {
                expect_one_picture(*context_);
            }
            job_.rehearse(*context_);
        }
        if (decoding.valid()) {
            decoding.get(); // first: of two failures the input's is the one to report
        }
        if (no_context) {
            return go_without_device(no_context);
        }
        Context& gpu = *context_;
        stages_.hide();
        report_device(gpu.device(), settings_);
        warn(job_.input_notes());
        job_.process(gpu);
        job_.write();
        if (settings_.timing) {
            take_device_times(gpu);
        }
        say_done(gpu.device().renderer);
    }

    /// Where no device is to be had, the processor does the work if it can and nothing was said of a device.
    void go_without_device(const std::exception_ptr& no_context) {
        if (!job_.in_rows() && !job_.is_decoded()) {
            job_.decode();
        }
        if (!choice_.may_go_alone() || !is_lack_of_device(no_context) || !job_.goes_alone_at_need()) {
            std::rethrow_exception(no_context);
        }
        stages_.hide();
        finish_alone();
    }

    void finish_alone() {
        job_.process_alone();
        warn(job_.input_notes());
        job_.write();
        say_done(std::string(no_device));
    }

    /// The context is not there yet; a guess that was wrong costs the time of decoding, once.
    bool leaves_decoding_to_gpu() const {
        const gpu_codecs::JpegRoad road = gpu_codecs::jpeg_road();
        return job_.may_decode_on_gpu() && (road == gpu_codecs::JpegRoad::gpu || choice_.expects_gpu());
    }

    void warn(const Notes& notes) const {
        for (const std::string& what : settings_.silent ? Notes{} : notes) {
            print_warning(what);
        }
    }

    void say_done(const std::string& device) {
        stages_.hide();
        print_product(job_.text());
        warn(notes_);
        warn(joined_notes_);
        warn(job_.output_notes());
        if (!job_.failure().empty()) {
            return;
        }
        if (settings_.timing == TimingFormat::text && settings_.verbose) {
            print_stderr(list_of(passes_));
        }
        if (settings_.timing) {
            report(stages_, *settings_.timing, device, job_.millions(),
                   op_.input == Input::image ? "megapixels" : "million values");
        }
        if (settings_.tells_summary()) {
            print_stderr(printable(text_of_findings(job_.input_name(), job_.findings())));
            print_stderr(fmt::format("{}: {}, {}, {}, {:.3f} s\n", printable_name(job_.output_name()),
                                     job_.size_text(), op_.name, device, stages_.total() / 1000));
        }
    }

    /// Replaces what the clock measured from outside by what the device reports of its work.
    void take_device_times(Context& gpu) {
        passes_ = gpu.pass_times();
        const double on_gpu =
            std::accumulate(passes_.begin(), passes_.end(), 0.0, [](double sum, const PassTime& pass) {
                const bool is_other = pass.label.starts_with("transfer.") || pass.label.starts_with("jpeg.");
                return sum + (is_other ? 0 : pass.milliseconds);
            });
        double rest = stages_.milliseconds(Stage::compute);
        stages_.set(Stage::compile, gpu.compile_time());
        stages_.set(Stage::check, gpu.check_time());
        if (job_.in_tiles()) {
            const TransferTimes transfers = gpu.transfer_times();
            stages_.set(Stage::upload, transfers.up);
            stages_.set(Stage::download, transfers.down);
            rest -= transfers.up + transfers.down;
        }
        // Where the processor does all the work, the clock measured all of it, that of operations on the CPU,
        // too.
        const bool clock_saw_all = passes_.empty() || (gpu.device().software && !job_.in_tiles());
        stages_.set(Stage::compute, clock_saw_all ? rest : on_gpu);
    }

    const OpInfo& op_;
    const Settings& settings_;
    std::unique_ptr<Operation> operation_;
    Progress progress_;
    Stages stages_;
    const Arguments& arguments_;
    std::vector<PassTime> passes_; ///< with --timing
    Call call_;
    std::vector<std::string> inputs_;
    PictureJob job_;
    ArrayFiles array_files_;
    Notes notes_;        ///< of second images
    Notes joined_notes_; ///< of those that are joined
    DeviceChoice choice_;
    std::optional<Context> context_;
};

/// Where the input is one.
std::unique_ptr<ByteReader> stream_of(const Arguments& arguments) {
    const bool may_be =
        arguments.command->op->input == Input::image && arguments.inputs() == std::vector<std::string>{"-"};
    return may_be ? open_stream() : nullptr;
}

} // namespace

int operate(const Arguments& arguments, const Settings& settings) {
    static_cast<void>(jobs_of(arguments)); // wrong for one picture, too
    static_cast<void>(gpu_codecs::jpeg_road());
    if (names_many(arguments)) {
        return operate_on_many(arguments, settings);
    }
    if (const std::unique_ptr<ByteReader> stream = stream_of(arguments)) {
        operate_on_stream(arguments, settings, *stream);
    } else if (reports_on_volume(arguments)) {
        report_on_volume(arguments, settings);
    } else {
        std::optional<PageGroups> groups = groups_to_join(arguments, settings);
        if (groups && groups->names.size() > 1) {
            join_pages(arguments, settings, std::move(*groups));
            return 0;
        }
        Run run(arguments, settings, groups ? std::move(groups->names.front()) : inputs_of(arguments));
        run.go();
        if (run.may_leave()) {
            leave(0);
        }
    }
    return 0;
}

} // namespace glproc::cli
