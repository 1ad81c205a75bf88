#include "cli/many/many.hpp"
#include "cli/files/volume_flags.hpp"
#include "job/budget.hpp"

#include "cli/configure.hpp"
#include "cli/device_choice.hpp"
#include "cli/files/call.hpp"
#include "cli/files/report_output.hpp"
#include "cli/many/device_lanes.hpp"
#include "cli/many/dry_run.hpp"
#include "cli/many/input_list.hpp"
#include "cli/many/jpeg_plan.hpp"
#include "cli/many/output_names.hpp"
#include "cli/many/partners.hpp"
#include "cli/many/picture_log.hpp"
#include "cli/many/tally.hpp"
#include "cli/many/under_way.hpp"
#include "cli/pipe/timing_sheet.hpp"
#include "cli/terminal/leave.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/process_clock.hpp"
#include "cli/terminal/signals.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/sound_hint.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/image/no_memory.hpp"
#include "job/conveyor.hpp"
#include "job/page_files.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* dry_run_flag = "dry-run";

/// Whether a call is for many without --dry-run, too.
bool names_many_itself(const Arguments& arguments) {
    constexpr std::array<const char*, 8> flags{"files-from", "null",   "recursive", "name",
                                               "log",        "resume", "fail-fast", "shard"};
    const std::vector<std::string> inputs = arguments.inputs();
    return inputs.size() != 1 || (inputs.front() != "-" && names_folder(inputs.front())) ||
           names_folder(arguments.output()) ||
           (!arguments.has_output() && named_pages(inputs.front()).are_several() &&
            !volume_asked(arguments)) ||
           std::any_of(flags.begin(), flags.end(), [&](const char* flag) { return arguments.has(flag); });
}

/// Ends a picture in tiles when the call is to end.
struct Interrupted {};

class Many {
  public:
    Many(const Arguments& arguments, const Settings& settings)
        : arguments_(arguments), settings_(settings), budget_(read_budget(arguments)), op_(arguments.op()),
          operation_(configure(arguments)), stages_(process_start()),
          call_(call_of(
              arguments, settings, *operation_, stages_, [](double) { end_if_interrupted(); },
              names_many_itself(arguments))),
          is_one_(!call_.is_batch) {
        const Shard shard = read_shard(arguments);
        jobs_ = jobs_of(arguments).value_or(thread_limit());
        if (!is_one_) {
            refuse_what_is_for_one(arguments);
        }
        is_table_ = prints_report(arguments) && read_report_format(arguments) == ReportFormat::csv;
        errands_ = is_one_ ? std::vector{Errand{arguments.inputs().front(), arguments.output()}}
                           : plan_errands(arguments, list_inputs(arguments));
        if (!arguments.has(dry_run_flag) || arguments.has("resume")) {
            log_.emplace(arguments, errands_);
        }
        if (op_.product == Product::report && shard.first == 0) {
            strays_ = without_partners(*operation_, arguments, errands_);
        }
        errands_ = part_of(std::move(errands_), shard);
        goes_alone_ = leaves_device_open(settings) && (operation_->box() || gpu_file().empty());
        if (goes_alone_ && operation_->box()) {
            jpegs_.plan_fractions(errands_, jobs_);
        }
        partners_.emplace(arguments, *operation_);
    }

    int tell() const { return tell_errands(arguments_, call_, errands_, log_ ? &*log_ : nullptr); }

    int go() {
        remember_signals();
        tally_.emplace(settings_, errands_.size() + strays_.size(),
                       [this](std::size_t item, const Outcome& outcome) {
                           if (op_.product == Product::report) { // done once it is printed
                               log(item, outcome);
                           }
                       });
        const std::vector<Conveyor::Lane> lanes = devices_.lanes(
            {.look = [this](Context& gpu) { return jpegs_.look_at(gpu); },
             .job = [this](std::size_t item) -> PictureJob& { return under_way_.job(item); },
             .attempt = [this](std::size_t item, const auto& work) { return work_on(item, work); },
             .leave_to_cpu = [this](std::size_t item) { under_way_.leave_to_cpu(item); }},
            jpegs_.may_take_over() ? DeviceLanes::Start::to_look
            : goes_alone_          ? DeviceLanes::Start::when_needed
                                   : DeviceLanes::Start::at_once);
        limit_threads(std::max<std::size_t>(thread_limit() / std::min(jobs_, errands_.size() + 1), 1));
        Conveyor conveyor(steps(), bounds(lanes.size()));
        conveyor.run(lanes);
        tally_->put_strays(strays_);
        tally_->end();
        say_done();
        if (remembered_signal() != 0) {
            die_of(remembered_signal());
        }
        return tally_->status();
    }

    /// Whether every context may end with the process.
    bool may_leave_at_once() const { return devices_.may_leave(); }

  private:
    Conveyor::Steps steps() {
        return {
            [this](std::size_t item) { return measure(item); },
            [this](std::size_t item) { return attempt(item, [&] { prepare(item); }) && !finish_alone(item); },
            [this](std::size_t item) { attempt(item, [&] { finish(item); }); },
            [this] { return remembered_signal() != 0 || failed_fast_; }};
    }

    Conveyor::Bounds bounds(std::size_t lanes) const {
        const std::size_t in_batches = jpegs_.is_for_gpu() ? 3 * lanes * BatchLane::most_pictures : 0;
        return {errands_.size(), jobs_, 2 * (jobs_ + lanes) + 2 + in_batches, bytes_under_way()};
    }

    /// --memory bounds the pixels in the machine's memory, too.
    std::uint64_t bytes_under_way() const {
        return settings_.context.memory_bytes > 0 ? settings_.context.memory_bytes : most_input_bytes();
    }

    BatchLane::Result work_on(std::size_t item, const std::function<void(PictureJob&)>& work) {
        BatchLane::Result result;
        result.goes_on = attempt(item, [&] {
            try {
                work(under_way_.job(item));
            } catch (const Error& error) {
                result.gpu_failed = error.code() == ErrorCode::gpu;
                throw;
            }
        });
        return result;
    }

    std::optional<std::uint64_t> measure(std::size_t index) {
        const Errand& errand = errands_[index];
        const std::optional<FileState> state = state_of(errand.in);
        std::error_code missing;
        if (log_->is_done(errand, state)) {
            tally_->put(index, {PictureFate::skipped});
            return std::nullopt;
        }
        under_way_.begin(index, state);
        if (arguments_.has("no-clobber") && !errand.out.empty() &&
            fs::exists(fs::symlink_status(errand.out, missing))) {
            end(index, {PictureFate::skipped});
            return std::nullopt;
        }
        if (budget_.any()) { // no header is read in this process
            return budget_.memory;
        }
        try { // source and result; a pipe must not be touched
            const NamedPage named = named_page(errand.in);
            const auto form = [&] {
                return named.page != 0 ? inspect_once(named.path).form : inspect(fs::path(named.path)).form;
            };
            return state ? 2 * form().bytes() : 0;
        } catch (const Error&) { // decoding will say it
            return 0;
        }
    }

    void prepare(std::size_t index) {
        const Errand& errand = errands_[index];
        refuse_special(errand.in, errand.found);
        if (!errand.out.empty()) {
            make_folder_of(errand.out);
        }
        Prepared prepared;
        if (std::optional<Partnered> own = partners_->of(errand)) {
            prepared.own = std::move(*own);
            prepared.call = std::make_unique<Call>(call_.by(*prepared.own.operation));
            if (call_.fit_second_images) {
                prepared.call->fit_second_images = partners_->fit_for(errand);
            }
        }
        auto made = std::make_unique<PictureJob>(prepared.call ? *prepared.call : call_, errand.in,
                                                 outputs_of(arguments_, errand.out, call_.is_batch));
        const bool for_gpu = jpegs_.takes_over(errand) && !under_way_.is_for_cpu(index);
        made->open(goes_alone_, for_gpu);
        constexpr int texture_size = 16384; // what OpenGL 4.3 promises
        const Form form = made->form();
        const bool is_huge =
            form.width > texture_size || form.height > texture_size || form.bytes() > bytes_under_way() / 4;
        const bool is_alone = made->in_rows() && made->goes_alone_quickly();
        if (!is_alone && (!made->in_large_rows() || !is_huge)) {
            jpegs_.decode(*made, under_way_.is_for_cpu(index) || (goes_alone_ && !for_gpu));
        }
        prepared.job = std::move(made);
        under_way_.put(index, std::move(prepared));
    }

    /// Whether it needed no device, and is done: one picture on each core, while others are worked on beside
    /// it.
    bool finish_alone(std::size_t index) {
        const PictureJob& job = under_way_.job(index);
        if (!job.goes_alone_quickly() &&
            !(goes_alone_ && job.goes_alone_at_need() && devices_.lacks_device())) {
            return false;
        }
        attempt(index, [&] {
            under_way_.job(index).process_alone();
            finish(index);
        });
        return true;
    }

    void finish(std::size_t index) {
        PictureJob& done = under_way_.job(index);
        done.write();
        Outcome outcome{.text = done.text(), .warnings = under_way_.notes(index)};
        outcome.warnings.insert(outcome.warnings.end(), done.input_notes().begin(), done.input_notes().end());
        if (is_table_) {
            const std::string& file = errands_[index].in; // a name may look like a row of its own
            const FileTable table =
                with_file_column(outcome.text, is_terminal(STDOUT_FILENO) ? printable_name(file) : file);
            outcome.header = table.header;
            outcome.text = table.lines;
        }
        outcome.warnings.insert(outcome.warnings.end(), done.output_notes().begin(),
                                done.output_notes().end());
        if (!done.failure().empty()) {
            outcome.error = named(index, done.failure());
            outcome.fate = PictureFate::failed;
            outcome.code = static_cast<int>(ErrorCode::operation);
        }
        const Errand& errand = errands_[index];
        outcome.summary =
            fmt::format("{}: {}, {}\n", printable_name(errand.out.empty() ? errand.in : errand.out),
                        done.size_text(), op_.name) +
            text_of_findings(done.input_name(), done.findings());
        millions_ += done.millions();
        end(index, std::move(outcome));
    }

    /// Whether `work` on this item came to its end; otherwise the item has failed.
    template <class Work>
    bool attempt(std::size_t index, const Work& work) {
        try {
            work();
            return true;
        } catch (const Interrupted&) {
            under_way_.forget(index);
        } catch (const Error& error) {
            end_failed(index, error.what(), error.code(), error.hint());
        } catch (const NoMemoryForImage& error) {
            end_failed(index, error.what(), ErrorCode::operation, no_memory_hint);
        } catch (const std::bad_alloc&) {
            end_failed(index, errands_[index].in + ": out of memory", ErrorCode::operation);
        }
        return false;
    }

    /// An error of the GPU or the operation does not say which picture it met.
    std::string named(std::size_t index, const std::string& why) const {
        const Errand& errand = errands_[index];
        const bool is_named =
            why.starts_with(errand.in) || (!errand.out.empty() && why.starts_with(errand.out));
        return is_named ? why : fmt::format("{}: {}", errand.in, why);
    }

    void end_failed(std::size_t index, const std::string& why, ErrorCode code, const std::string& hint = {}) {
        end(index, {.fate = PictureFate::failed,
                    .error = named(index, why),
                    .hint = hint_for(errands_[index], hint),
                    .code = static_cast<int>(code)});
    }

    /// As for a call on this picture alone. To read the call that it shows is for one thread at a time.
    std::string hint_for(const Errand& errand, const std::string& hint) {
        const std::lock_guard lock(hints_);
        return sound_hint(with_own_files(hint, {errand.in, errand.out}), {op_.name, errand.in, errand.out});
    }

    void end(std::size_t index, Outcome outcome) {
        if (outcome.fate == PictureFate::failed && arguments_.has("fail-fast")) {
            failed_fast_ = true;
        }
        if (op_.product != Product::report) {
            log(index, outcome);
            under_way_.forget(index);
        }
        tally_->put(index, std::move(outcome));
    }

    void log(std::size_t index, const Outcome& outcome) {
        const auto state = under_way_.state(index);
        if (!state) {
            return; // skipped because the log has it already
        }
        log_->append(errands_[index], *state, outcome.fate, outcome.error, outcome.code);
        under_way_.forget(index);
    }

    static void end_if_interrupted() {
        if (remembered_signal() != 0) {
            throw Interrupted();
        }
    }

    void say_done() {
        if (settings_.timing) {
            stages_.set(Stage::compile, devices_.compile_time());
            stages_.set(Stage::check, devices_.check_time());
            report(stages_, *settings_.timing, devices_.names().empty() ? no_device : devices_.names(),
                   millions_, "megapixels", tally_->count(PictureFate::done));
        }
        const bool matters = tally_->status() != 0 || remembered_signal() != 0;
        if (settings_.verbose || (!settings_.quiet && (matters || is_terminal(STDERR_FILENO)))) {
            const double seconds = stages_.total() / 1000;
            const std::string devices = devices_.names().empty() ? std::string(no_device) : devices_.names();
            print_stderr(fmt::format("glproc: {}: {}, {}, {:.3f} s, {:.1f} images/s\n", tally_->text(),
                                     op_.name, devices, seconds,
                                     static_cast<double>(tally_->count(PictureFate::done)) / seconds));
        }
    }

    const Arguments& arguments_;
    const Settings& settings_;
    Budget budget_;
    const OpInfo& op_;
    std::unique_ptr<Operation> operation_;
    Stages stages_;
    DeviceLanes devices_{settings_, stages_};
    JpegPlan jpegs_{arguments_, settings_};
    Call call_;
    bool is_one_; ///< of which only --dry-run makes a list
    std::optional<Partners> partners_;
    std::vector<std::string> strays_; ///< pictures of a second folder that no input meets
    bool goes_alone_ = false;         ///< pictures that need no device take none
    std::mutex hints_;
    bool is_table_ = false;
    std::size_t jobs_ = 1;
    std::vector<Errand> errands_;
    std::optional<PictureLog> log_;
    std::optional<Tally> tally_;
    std::atomic<bool> failed_fast_ = false;
    std::atomic<double> millions_ = 0;
    UnderWay under_way_;
};

} // namespace

bool names_many(const Arguments& arguments) {
    const bool may_be = arguments.command->op->input == Input::image && !arguments.command->op->joins;
    return may_be && (arguments.has(dry_run_flag) || names_many_itself(arguments));
}

int operate_on_many(const Arguments& arguments, const Settings& settings) {
    Many many(arguments, settings);
    if (arguments.has(dry_run_flag)) {
        return many.tell();
    }
    const int status = many.go();
    if (many.may_leave_at_once()) {
        leave(status);
    }
    return status;
}

} // namespace glproc::cli
