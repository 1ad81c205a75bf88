#include "cli/device.hpp"

#include "cli/device_choice.hpp"
#include "cli/json.hpp"
#include "cli/selftest.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/gl/program_store.hpp"

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

Json device_json(Context& gpu) {
    const DeviceInfo& device = gpu.device();
    Json limits = Json::object();
    for (const auto& [name, value] : describe(gpu.limits())) {
        limits.add(name, value);
    }
    Json::List attempts;
    for (const Attempt& attempt : device.attempts) {
        attempts.push_back(Json::object({{"what", attempt.what}, {"outcome", attempt.outcome}}));
    }
    return Json::object({{"schema", "glproc.info/1"},
                         {"device", device.renderer},
                         {"vendor", device.vendor},
                         {"version", device.version},
                         {"glsl", device.glsl},
                         {"backend", device.backend},
                         {"software", device.software},
                         {"timer", gpu.timer_method()},
                         {"limits", limits},
                         {"extensions", device.extensions},
                         {"workarounds", device.workarounds},
                         {"selftest", last_self_test(device).value_or("")},
                         {"attempts", attempts}});
}

std::string list(const std::string& title, const std::vector<std::string>& lines) {
    return lines.empty() ? fmt::format("{:<12}none\n", title)
                         : fmt::format("{}\n  {}\n", title, fmt::join(lines, "\n  "));
}

std::string device_text(Context& gpu) {
    const DeviceInfo& device = gpu.device();
    std::string text;
    const auto line = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{:<12}{}\n", name, value);
    };
    line("device", device.renderer);
    line("kind", device.software ? "software renderer" : "hardware");
    line("vendor", device.vendor);
    line("version", device.version);
    line("GLSL", device.glsl);
    line("backend", device.backend);
    line("timer", gpu.timer_method());
    line("selftest", last_self_test(device).value_or("not run here yet; glproc selftest runs it"));

    std::vector<std::string> limits;
    for (const auto& [name, value] : describe(gpu.limits())) {
        limits.push_back(fmt::format("{:<28}{:>12}", name, value == 0 ? "absent" : fmt::format("{}", value)));
    }
    std::vector<std::string> attempts;
    for (const Attempt& attempt : device.attempts) {
        attempts.push_back(fmt::format("{}: {}", attempt.what, attempt.outcome));
    }
    return text + list("limits", limits) + list("extensions", device.extensions) +
           list("workarounds", device.workarounds) + list("tried", attempts);
}

void warn_of_software_renderer(const DeviceInfo& device, const Settings& settings) {
    if (!device.software || settings.quiet || settings.context.device != ContextOptions{}.device) {
        return;
    }
    if (const std::string gpu = gpu_file(); !gpu.empty()) {
        print_warning(
            fmt::format("using {}, a software renderer, although {} suggests a GPU; glproc info shows what "
                        "was tried",
                        device.renderer, gpu));
    }
}

void note_unused_store(const DeviceInfo& device, const Settings& settings) {
    const auto store =
        settings.verbose && !settings.context.debug ? user_program_store(device) : std::nullopt;
    if (const std::string why = store ? store->distrust() : ""; !why.empty()) {
        print_note(
            fmt::format("{} {}, so no compiled programs are kept there", store->folder().native(), why));
    }
    if (const auto skipped = store ? store->skipped() : std::vector<std::string>{}; !skipped.empty()) {
        print_note(fmt::format("{}: {}{}; such files are ignored, and their programs compiled again",
                               store->folder().native(), skipped.front(),
                               skipped.size() == 1 ? "" : fmt::format(", and {} more", skipped.size() - 1)));
    }
}

} // namespace

bool wants_progress(const Settings& settings) {
    return is_terminal(STDERR_FILENO) && !settings.quiet;
}

void report_device(const DeviceInfo& device, const Settings& settings, const std::string& chosen_as) {
    if (chosen_as.empty()) {
        warn_of_software_renderer(device, settings);
    } else if (settings.verbose || settings.timing == TimingFormat::text) {
        print_note(fmt::format("{}: {}", device.renderer, chosen_as));
    }
    note_unused_store(device, settings);
}

void show_device(const Arguments& arguments, const Settings& settings) {
    ContextOptions options = settings.context;
    options.timing = true; // so that the timer says how it would measure
    Context gpu(options);
    report_device(gpu.device(), settings);
    print_product(arguments.has("json") ? json_line(device_json(gpu)) : device_text(gpu));
}

} // namespace glproc::cli
