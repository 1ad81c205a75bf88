#include "cli/operate.hpp"

#include "cli/device.hpp"
#include "cli/json.hpp"
#include "cli/picture_output.hpp"
#include "cli/stages.hpp"
#include "cli/terminal.hpp"
#include "glproc/error.hpp"
#include "glproc/image/codec.hpp"
#include "glproc/image/file.hpp"

#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// The operation with the parameters of the command line.
std::unique_ptr<Operation> configure(const Arguments& arguments) {
    const OpInfo& op = *arguments.command->op;
    std::unique_ptr<Operation> operation = op.make();
    for (const FieldInfo& field : op.fields) {
        if (arguments.has(field.name)) {
            operation->set(field.name, arguments.value(field.name));
        }
    }
    for (const FieldInfo& field : op.fields) {
        if (field.required && !arguments.has(field.name)) {
            throw Error(ErrorCode::usage, fmt::format("{} needs --{}", op.name, field.name),
                        arguments.command->example_call());
        }
    }
    return operation;
}

std::string input_name(const std::string& path) {
    return path == "-" ? "stdin" : path;
}

std::vector<std::byte> read_input(const std::string& path) {
    if (path != "-") {
        return read_file(path);
    }
    if (is_terminal(STDIN_FILENO)) {
        throw Error(ErrorCode::usage, "stdin is a terminal: it has no picture",
                    "name a file, or redirect stdin");
    }
    return read_descriptor(STDIN_FILENO, input_name(path));
}

void print_report(const Report& report, ReportFormat format) {
    switch (format) {
    case ReportFormat::text:
        return print_product(report.text(bar_columns()));
    case ReportFormat::json:
        return print_product(json_line(to_json(report.tree)));
    case ReportFormat::csv:
        return print_product(report.csv);
    }
}

/// One run of an operation; the members stand in the order in which they come to be.
class Run {
  public:
    Run(const Arguments& arguments, const Settings& settings)
        : op_(*arguments.command->op), settings_(settings), operation_(configure(arguments)),
          input_(arguments.places.at(0)), stages_(is_terminal(STDERR_FILENO) && !settings.quiet) {
        if (op_.product == Product::image) {
            output_.emplace(arguments, arguments.places.at(1));
        } else {
            format_ = read_report_format(arguments);
        }
    }

    void go() {
        const Image pixels = stages_.run(Stage::decode, [&] { return decode_input(); });
        Context gpu = stages_.run(Stage::context, [&] { return Context(settings_.context); });
        stages_.hide();
        warn_of_software_renderer(gpu.device(), settings_);
        const GpuImage image = stages_.run(Stage::upload, [&] {
            GpuImage uploaded = gpu.upload(pixels, "input");
            settle(gpu);
            return uploaded;
        });
        const OpOutput product = stages_.run(Stage::compute, [&] {
            OpOutput computed = operation_->run(gpu, {.name = input_, .pixels = pixels, .image = image});
            settle(gpu);
            return computed;
        });
        deliver(gpu, product);
        say_done(gpu, pixels);
    }

  private:
    Image decode_input() {
        const std::vector<std::byte> bytes = read_input(input_);
        Image pixels = decode(bytes, input_name(input_));
        if (output_) {
            output_->follow_input(input_, bytes);
            output_->check(pixels);
        }
        return pixels;
    }

    /// The GPU works behind our back: a stage ends when its work does, but only who asks for times waits for
    /// that.
    void settle(Context& gpu) const {
        if (settings_.timing) {
            gpu.finish();
        }
    }

    void deliver(Context& gpu, const OpOutput& product) {
        if (const auto* report = std::get_if<Report>(&product)) {
            stages_.run(Stage::encode, [&] {
                stages_.hide();
                print_report(*report, format_);
            });
            return;
        }
        const Image result =
            stages_.run(Stage::download, [&] { return gpu.download(std::get<GpuImage>(product)); });
        stages_.run(Stage::encode, [&] { output_->write(result); });
    }

    void say_done(Context& gpu, const Image& pixels) {
        stages_.hide();
        if (settings_.timing) {
            const auto passes = gpu.pass_times();
            if (!passes.empty()) {
                stages_.set(Stage::compute, std::accumulate(passes.begin(), passes.end(), 0.0,
                                                            [](double sum, const PassTime& pass) {
                                                                return sum + pass.milliseconds;
                                                            }));
            }
            const double megapixels = static_cast<double>(pixels.width()) * pixels.height() / 1e6;
            print_stderr(stages_.report(*settings_.timing, gpu.device().renderer, megapixels));
        }
        if (settings_.verbose || (is_terminal(STDERR_FILENO) && !settings_.quiet)) {
            print_stderr(fmt::format("{}: {}x{}, {}, {}, {:.3f} s\n", output_ ? output_->name() : "stdout",
                                     pixels.width(), pixels.height(), op_.name, gpu.device().renderer,
                                     stages_.total() / 1000));
        }
    }

    const OpInfo& op_;
    const Settings& settings_;
    std::unique_ptr<Operation> operation_;
    std::string input_;
    Stages stages_;
    std::optional<PictureOutput> output_; ///< of an operation that makes pictures
    ReportFormat format_{};               ///< of one that makes reports
};

} // namespace

void operate(const Arguments& arguments, const Settings& settings) {
    Run(arguments, settings).go();
}

} // namespace glproc::cli
