#include "cli/bench/bench.hpp"

#include "cli/bench/bench_input.hpp"
#include "cli/bench/bench_report.hpp"
#include "cli/bench/measure.hpp"
#include "cli/configure.hpp"
#include "cli/device.hpp"
#include "cli/files/array_files.hpp"
#include "cli/files/second_pictures.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/field.hpp"

#include <functional>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// Times of passes would get between those of runs.
Context make_context(const Settings& settings) {
    ContextOptions options = settings.context;
    options.timing = false;
    options.self_check = false; // every result is verified anyway
    return Context(options);
}

/// The variants that --method leaves.
std::vector<const BenchVariant*> chosen_variants(const Arguments& arguments) {
    const BenchInfo& bench = arguments.command->op->bench;
    std::vector<const BenchVariant*> chosen;
    for (const BenchVariant& variant : bench.variants) {
        chosen.push_back(&variant);
    }
    const std::string flag = variant_flag(*arguments.command->op);
    if (!arguments.has(flag)) {
        return chosen;
    }
    for (const BenchVariant& variant : bench.automatic) {
        chosen.push_back(&variant);
    }
    std::vector<std::string> names;
    for (const BenchVariant* variant : chosen) {
        names.push_back(variant->name);
    }
    return {chosen[parse_choice(flag, arguments.value(flag), names)]};
}

/// The input in both memories.
struct Loaded {
    Loaded(Context& gpu, const BenchInput& input)
        : name(input.name()), source(input.load()),
          uploaded(
              std::visit([&](const auto& data) -> Uploaded { return gpu.upload(data, "input"); }, source)) {}

    OpInput op_input() const { return job::op_input(name, source, uploaded); }
    BenchResult result_of(const OpInfo& op) const {
        const auto* image = std::get_if<Image>(&source);
        return {op.name,
                size_of(source),
                name,
                image != nullptr ? std::optional(image->form()) : std::nullopt,
                {}};
    }

    std::string name;
    Source source;
    Uploaded uploaded;
};

/// What runs take, from one column of a ladder to the next, where the size grows.
class Allowance {
  public:
    /// Whether the variant would take over `most` milliseconds, judging by the last column.
    bool is_over(const std::string& variant, double size) const {
        const auto last = last_.find(variant);
        return last != last_.end() && last->second.first / last->second.second * size > most;
    }
    void note(const std::string& variant, double milliseconds, double size) {
        last_[variant] = {milliseconds, size};
    }
    static constexpr double most = 3000;

  private:
    std::map<std::string, std::pair<double, double>> last_;
};

/// Pixels or values.
double elements_of(const Source& source) {
    const auto* image = std::get_if<Image>(&source);
    return image != nullptr ? double(image->width()) * image->height()
                            : static_cast<double>(std::get<Array>(source).count());
}

/// `told` gets the name of each variant as it begins, and how many are done.
BenchResult measure_column(Context& gpu, const OpInfo& op, const BenchColumn& column,
                           std::optional<double> seconds, Allowance& allowance,
                           const std::function<void(const std::string&, std::size_t)>& told) {
    const std::unique_ptr<Operation> operation = op.make();
    for (const auto& [field, text] : column.settings) {
        operation->set(field, text);
    }
    const Loaded loaded(gpu, BenchInput(op, column.size));
    BenchResult result = loaded.result_of(op);
    const double size = elements_of(loaded.source);
    for (const BenchVariant& variant : op.bench.variants) {
        told(variant.name, result.variants.size());
        if (allowance.is_over(variant.name, size)) {
            result.variants.push_back({.name = variant.name,
                                       .not_run = fmt::format("over {:.0f} s", Allowance::most / 1000),
                                       .too_slow = true});
            continue;
        }
        result.variants.push_back(measure(gpu, op, variant, *operation, loaded.op_input(), seconds));
        if (result.variants.back().not_run.empty()) {
            allowance.note(variant.name, result.variants.back().median, size);
        }
    }
    return result;
}

/// What --seconds says.
std::optional<double> patience_of(const Arguments& arguments) {
    if (!arguments.has("seconds")) {
        return std::nullopt;
    }
    return parse_number({"seconds", "s", bench_seconds_limit}, arguments.value("seconds"));
}

/// Of all columns of all ladders.
std::size_t count_measurements() {
    std::size_t count = 0;
    for (const OpInfo* op : operations()) {
        for (const Ladder& ladder : op->bench.ladders) {
            count += ladder.columns.size() * op->bench.variants.size();
        }
    }
    return count;
}

} // namespace

void bench_operation(const Arguments& arguments, const Settings& settings) {
    const OpInfo& op = *arguments.command->op;
    const std::unique_ptr<Operation> operation = configure(arguments);
    refuse_array_files(arguments, "bench");
    read_second_pictures(*operation, arguments);
    const std::vector<const BenchVariant*> variants = chosen_variants(arguments);
    const BenchInput input(arguments);
    Context gpu = make_context(settings);
    report_device(gpu.device(), settings);
    Progress progress(wants_progress(settings));
    const Loaded loaded(gpu, input);
    BenchResult result = loaded.result_of(op);
    for (const BenchVariant* variant : variants) {
        const std::size_t done = result.variants.size();
        progress.show(fmt::format("{}, {} of {}", variant->name, done + 1, variants.size()),
                      static_cast<int>(done), static_cast<int>(variants.size()));
        result.variants.push_back(
            measure(gpu, op, *variant, *operation, loaded.op_input(), patience_of(arguments)));
    }
    progress.hide();
    print_product(arguments.has("json") ? bench_json(result, gpu.device())
                                        : bench_table(result, gpu.device(), text_columns()));
}

void bench_all(const Arguments& arguments, const Settings& settings) {
    for (const char* flag : {"size", "input", "method"}) {
        if (arguments.has(flag)) {
            throw Error(ErrorCode::usage, fmt::format("--{} is for one operation", flag),
                        "name it: " + arguments.command->example_call());
        }
    }
    const bool json = arguments.has("json");
    Context gpu = make_context(settings);
    report_device(gpu.device(), settings);
    Progress progress(wants_progress(settings));
    if (!json) {
        print_product(markdown_heading(gpu.device()));
    }
    int done = 0;
    for (const OpInfo* op : operations()) {
        for (const Ladder& ladder : op->bench.ladders) {
            Allowance allowance;
            std::vector<BenchResult> columns;
            for (const BenchColumn& column : ladder.columns) {
                const auto told = [&](const std::string& variant, std::size_t measured) {
                    progress.show(fmt::format("{}, {}: {}", op->name, column.title, variant),
                                  done + static_cast<int>(measured), static_cast<int>(count_measurements()));
                };
                columns.push_back(measure_column(gpu, *op, column, patience_of(arguments), allowance, told));
                done += static_cast<int>(op->bench.variants.size());
                if (json) {
                    progress.hide();
                    print_product(bench_json(columns.back(), gpu.device()));
                }
            }
            if (!json) {
                progress.hide();
                print_product(markdown_ladder(ladder, columns));
            }
        }
    }
}

} // namespace glproc::cli
