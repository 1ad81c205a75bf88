#include "cli/settings.hpp"

#include "cli/amount.hpp"
#include "cli/terminal/terminal.hpp"

#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace {

/// The environment variable, or an empty text: set to nothing is the same as not set.
std::string environment(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): no thread runs yet
    return value == nullptr ? "" : value;
}

template <class E>
E parse_flag(const std::string& flag, const std::string& text) {
    return FieldText<E>::parse({.name = flag, .unit = {}, .limit = {}}, text);
}

Backend read_backend(const Arguments& arguments) {
    if (arguments.has("backend")) {
        return parse_flag<Backend>("backend", arguments.value("backend"));
    }
    const std::string text = environment("GLPROC_BACKEND");
    if (text.empty()) {
        return Backend::automatic;
    }
    try {
        return parse_flag<Backend>("backend", text);
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("GLPROC_BACKEND: {}", error.what()), error.hint());
    }
}

} // namespace

bool Settings::tells_summary() const {
    return verbose || (is_terminal(STDERR_FILENO) && !quiet);
}

Settings read_settings(const Arguments& arguments) {
    Settings settings;
    settings.context.backend = read_backend(arguments);
    const std::string device = environment("GLPROC_DEVICE");
    if (arguments.has("device")) {
        settings.context.device = arguments.value("device");
    } else if (!device.empty()) {
        settings.context.device = device;
    }
    if (settings.context.device == "all") {
        settings.every_device = true;
        settings.context.device = ContextOptions{}.device;
    }
    settings.context.require_gpu = arguments.has("require-gpu");
    if (arguments.has("memory")) {
        settings.context.memory_bytes =
            parse_amount({"memory", Counted::bytes, mebibyte, memory_limit, "MiB"}, arguments.value("memory"));
    }
    if (arguments.has("timing")) {
        settings.timing = parse_flag<TimingFormat>("timing", arguments.value("timing"));
        settings.context.timing = true;
    }
    settings.quiet = arguments.has("quiet");
    settings.silent = settings.quiet && arguments.times.at("quiet") > 1;
    settings.verbose = arguments.has("verbose");
    settings.context.warn = [silent = settings.silent](const std::string& what) {
        if (!silent) {
            print_warning(what);
        }
    };
    return settings;
}

HelpDetail read_help_detail(const Arguments& arguments) {
    return arguments.has("help") ? parse_flag<HelpDetail>("help", arguments.value("help"))
                                 : HelpDetail::brief;
}

std::optional<std::size_t> jobs_of(const Arguments& arguments) {
    return arguments.has("jobs") ? std::optional(static_cast<std::size_t>(parse_integer(
                                       {"jobs", "", jobs_limit}, arguments.value("jobs"))))
                                 : std::nullopt;
}

ReportFormat read_report_format(const Arguments& arguments) {
    const bool json = arguments.has("json");
    if (!arguments.has("format")) {
        return json ? ReportFormat::json : ReportFormat::text;
    }
    const auto format = parse_flag<ReportFormat>("format", arguments.value("format"));
    if (json && format != ReportFormat::json) {
        throw Error(ErrorCode::usage,
                    fmt::format("--json and --format {} cannot be given together", name_of(format)));
    }
    return format;
}

} // namespace glproc::cli
