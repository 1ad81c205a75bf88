#include "cli/operate.hpp"

#include "cli/array_output.hpp"
#include "cli/by_rows.hpp"
#include "cli/configure.hpp"
#include "cli/device.hpp"
#include "cli/picture_output.hpp"
#include "cli/report_output.hpp"
#include "cli/run_input.hpp"
#include "cli/stages.hpp"
#include "cli/terminal.hpp"
#include "glproc/error.hpp"
#include "glproc/image/memory_rows.hpp"
#include "glproc/image/overlap.hpp"

#include <chrono>
#include <exception>
#include <future>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// How much a source holds, for people.
std::string size_text(const Form& form) {
    return fmt::format("{}x{}", form.width, form.height);
}
std::string size_text(const Source& source) {
    if (const auto* image = std::get_if<Image>(&source)) {
        return size_text(image->form());
    }
    return fmt::format("{} values", std::get<Array>(source).count());
}

/// How many pixels or values a source holds, in millions.
double millions_of(const Form& form) {
    return static_cast<double>(form.width) * form.height / 1e6;
}
double millions_of(const Source& source) {
    if (const auto* image = std::get_if<Image>(&source)) {
        return millions_of(image->form());
    }
    return static_cast<double>(std::get<Array>(source).count()) / 1e6;
}

/// One run of an operation; the members stand in the order in which they come to be. While decoding is under
/// way, input_, picture_ and array_ are its own.
class Run {
  public:
    Run(const Arguments& arguments, const Settings& settings)
        : op_(*arguments.command->op), settings_(settings), operation_(configure(arguments)),
          stages_(is_terminal(STDERR_FILENO) && !settings.quiet), input_(arguments, op_, *operation_, stages_) {
        switch (op_.product) {
        case Product::image:
            picture_.emplace(arguments, arguments.places.at(1));
            break;
        case Product::array:
            array_.emplace(arguments, arguments.places.at(1));
            break;
        case Product::report:
            format_ = read_report_format(arguments);
            report_picture_ = report_picture(arguments);
            break;
        }
        read_second_pictures(*operation_, arguments);
    }

    void go() {
        std::optional<RowSource> rows = input_.open_large(picture());
        // Decoding keeps one core busy and the driver's start another: both at once.
        std::future<Source> decoding;
        if (rows) {
            rows = start_reading(std::move(*rows), stages_, waited_);
        } else {
            decoding = input_.start_decoding(picture());
        }
        std::optional<Context> context;
        std::exception_ptr no_context;
        try {
            stages_.run(Stage::context, [&] { context.emplace(settings_.context); });
        } catch (...) {
            no_context = std::current_exception();
        }
        if (context) {
            rehearse(*context, rows ? rows->form : input_.form().value_or(Form{}));
        }
        Source source;
        if (decoding.valid()) {
            source = decoding.get(); // first: of two failures the input's is the one to report
        }
        if (no_context) {
            std::rethrow_exception(no_context);
        }
        Context& gpu = *context;
        stages_.hide();
        warn_of_software_renderer(gpu.device(), settings_);
        warn(input_.notes());
        const std::string size = rows ? size_text(rows->form) : size_text(source);
        const double millions = rows ? millions_of(rows->form) : millions_of(source);
        if (rows) {
            go_with_rows(gpu, *rows);
        } else {
            go_with(gpu, std::move(source));
        }
        say_done(gpu, size, millions);
    }

  private:
    PictureOutput* picture() { return picture_ ? &*picture_ : nullptr; }

    /// While the input is on its way, the driver makes programs and memory ready. Software renderers have the
    /// processor to themselves instead.
    void rehearse(Context& gpu, const Form& form) {
        if (!picture_ || form.width == 0 || gpu.device().software) {
            return;
        }
        gpu.rehearse(form, [&](const GpuImage& image) {
            const Image no_pixels;
            if (operation_->takes_whole(gpu, form)) {
                operation_->run(gpu, ImageInput{input_.name(), no_pixels, image});
            }
        });
    }

    /// A stage, without the programs that are made in it: those are a stage of their own.
    template <class Work>
    auto run_on(Context& gpu, Stage stage, Work work) {
        const struct Deduction {
            Run& run;
            Context& gpu;
            Stage stage;
            double before = gpu.compile_time();
            ~Deduction() { run.stages_.add(stage, before - gpu.compile_time()); }
        } deduction{*this, gpu, stage};
        return stages_.run(stage, work);
    }

    void go_with(Context& gpu, Source source) {
        const auto* image = std::get_if<Image>(&source);
        if (image != nullptr && !operation_->takes_whole(gpu, image->form())) {
            go_in_tiles(gpu, rows_of(*image), false);
        } else {
            go_whole(gpu, std::move(source));
        }
    }

    void go_with_rows(Context& gpu, const RowSource& rows) {
        if (!operation_->takes_whole(gpu, rows.form)) {
            go_in_tiles(gpu, rows, true);
        } else if (picture_) {
            go_through(gpu, rows);
        } else { // what is measured or summed may look at the pixels in CPU memory, too
            Image image(rows.form);
            stages_.run(Stage::upload, [&] { rows.open()->read(image.bytes()); });
            go_whole(gpu, std::move(image));
        }
    }

    void go_whole(Context& gpu, Source source) {
        const Uploaded uploaded = run_on(gpu, Stage::upload, [&] {
            Uploaded on_gpu =
                std::visit([&](const auto& data) -> Uploaded { return gpu.upload(data, "input"); }, source);
            settle(gpu);
            return on_gpu;
        });
        const OpOutput product = compute(gpu, op_input(input_.name(), source, uploaded));
        deliver(gpu, product, std::move(source));
    }

    OpOutput compute(Context& gpu, const OpInput& input) {
        return run_on(gpu, Stage::compute, [&] {
            OpOutput computed = operation_->run(gpu, input);
            settle(gpu);
            return computed;
        });
    }

    /// From rows to rows, the whole picture on the GPU in between, and nowhere else.
    void go_through(Context& gpu, const RowSource& rows) {
        const GpuImage on_gpu = run_on(gpu, Stage::upload, [&] {
            GpuImage uploaded = gpu.upload(*rows.open(), "input");
            settle(gpu);
            return uploaded;
        });
        const Image no_pixels;
        const OpOutput product = compute(gpu, ImageInput{input_.name(), no_pixels, on_gpu});
        const GpuImage& result = std::get<GpuImage>(product);
        const std::unique_ptr<RowWriter> writer = picture_->open(result.form());
        double waited = 0;
        run_on(gpu, Stage::download, [&] {
            const auto timed = timed_writer(*writer, stages_);
            const auto behind = write_behind(*timed, result.form().row_bytes(), &waited);
            gpu.download(result, *behind);
            const auto begin = std::chrono::steady_clock::now();
            behind->finish();
            waited +=
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        });
        stages_.run(Stage::encode, [&] { writer->finish(); });
        stages_.add(Stage::upload, -waited_);
        stages_.add(Stage::download, -waited);
    }

    /// `little_memory`: the result is not to lie in memory as a whole.
    void go_in_tiles(Context& gpu, const RowSource& source, bool little_memory) {
        in_tiles_ = true;
        std::unique_ptr<RowWriter> writer;
        if (picture_) {
            const Form result = operation_->result_form(source.form);
            writer = little_memory ? picture_->open(result) : picture_->gather(result);
        } else if (array_) {
            writer = array_->open(operation_->array_form(source.form));
        }
        const std::unique_ptr<RowWriter> timed = writer ? timed_writer(*writer, stages_) : nullptr;
        const RowsInput input{input_.name(), source, [this](double share) { stages_.advance(share); }};
        const std::optional<Report> report =
            run_on(gpu, Stage::compute, [&] { return operation_->run_rows(gpu, input, timed.get()); });
        stages_.add(Stage::compute, -waited_);
        if (writer) {
            stages_.run(Stage::encode, [&] { writer->finish(); });
        }
        if (report) {
            deliver_report(gpu, *report);
        }
    }

    /// The GPU works in the background: with --timing a stage ends when its work does, otherwise nothing waits.
    void settle(Context& gpu) const {
        if (settings_.timing) {
            gpu.finish();
        }
    }

    /// `memory` may take what is downloaded.
    template <class Output, class OnGpu, class... Memory>
    void write(Output& output, Context& gpu, const OnGpu& on_gpu, Memory... memory) {
        auto result =
            run_on(gpu, Stage::download, [&] { return gpu.download(on_gpu, std::move(memory)...); });
        stages_.run(Stage::encode, [&] { output.write(std::move(result)); });
    }

    /// `source` is no longer needed: its memory may take the product.
    void deliver(Context& gpu, const OpOutput& product, Source source) {
        switch (op_.product) {
        case Product::image:
            return write(picture_.value(), gpu, std::get<GpuImage>(product),
                         std::get<Image>(std::move(source)));
        case Product::array:
            return write(array_.value(), gpu, std::get<GpuArray>(product));
        case Product::report:
            return deliver_report(gpu, std::get<Report>(product));
        }
    }

    /// The picture first: where it cannot be written, the call has failed and stdout stays empty.
    void deliver_report(Context& gpu, const Report& report) {
        if (report_picture_.pixels) {
            write(*report_picture_.pixels, gpu, report.picture.value());
        }
        if (report_picture_.drawing) {
            stages_.run(Stage::encode,
                        [&] { report_picture_.drawing->write(std::as_bytes(std::span(report.drawing))); });
        }
        stages_.run(Stage::encode, [&] {
            stages_.hide();
            print_report(report, format_);
        });
        if (!report.failure.empty()) {
            throw Error(ErrorCode::operation, report.failure);
        }
    }

    std::string output_name() const {
        return picture_ ? picture_->name() : array_ ? array_->name() : "stdout";
    }

    void warn(const Notes& notes) const {
        for (const std::string& what : settings_.silent ? Notes{} : notes) {
            print_warning(what);
        }
    }

    void say_done(Context& gpu, const std::string& size, double millions) {
        stages_.hide();
        warn(picture_ ? picture_->notes() : Notes{});
        if (settings_.timing) {
            take_device_times(gpu);
            print_stderr(stages_.report(*settings_.timing, gpu.device().renderer, millions,
                                        op_.input == Input::image ? "megapixels" : "million values"));
        }
        if (settings_.verbose || (is_terminal(STDERR_FILENO) && !settings_.quiet)) {
            print_stderr(fmt::format("{}: {}, {}, {}, {:.3f} s\n", output_name(), size, op_.name,
                                     gpu.device().renderer, stages_.total() / 1000));
        }
    }

    /// Replaces what the clock measured from outside by what the device reports of its work.
    void take_device_times(Context& gpu) {
        const auto passes = gpu.pass_times();
        const double on_gpu =
            std::accumulate(passes.begin(), passes.end(), 0.0, [](double sum, const PassTime& pass) {
                return sum + (pass.label.starts_with("transfer.") ? 0 : pass.milliseconds);
            });
        double rest = stages_.milliseconds(Stage::compute);
        stages_.set(Stage::compile, gpu.compile_time());
        if (in_tiles_) {
            const TransferTimes transfers = gpu.transfer_times();
            stages_.set(Stage::upload, transfers.up);
            stages_.set(Stage::download, transfers.down);
            rest -= transfers.up + transfers.down;
        }
        // Where the processor does all the work, the clock measured all of it, that of operations on the CPU, too.
        const bool clock_saw_all = passes.empty() || (gpu.device().software && !in_tiles_);
        stages_.set(Stage::compute, clock_saw_all ? rest : on_gpu);
    }

    const OpInfo& op_;
    const Settings& settings_;
    std::unique_ptr<Operation> operation_;
    Stages stages_;
    RunInput input_;
    std::optional<PictureOutput> picture_; ///< of an operation that makes pictures
    std::optional<ArrayOutput> array_;     ///< of one that makes arrays
    ReportFormat format_{};                ///< of one that makes reports
    ReportPicture report_picture_;
    bool in_tiles_ = false;
    double waited_ = 0; ///< milliseconds, for rows of the input
};

} // namespace

void operate(const Arguments& arguments, const Settings& settings) {
    Run(arguments, settings).go();
}

} // namespace glproc::cli
