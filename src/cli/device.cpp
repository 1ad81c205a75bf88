#include "cli/device.hpp"

#include "cli/device_choice.hpp"
#include "cli/json.hpp"
#include "cli/selftest.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/private_folder.hpp"
#include "glproc/files/usable.hpp"
#include "glproc/gl/program_store.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

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
    Json::List formats;
    for (const FormatAbility& format : format_abilities()) {
        formats.push_back(Json::object({{"name", format.title},
                                        {"extensions", format.extensions},
                                        {"read", format.can_read},
                                        {"write", format.can_write},
                                        {"module", format.module}}));
    }
    Json::List modules;
    for (const ModuleAbility& module : module_abilities()) {
        modules.push_back(Json::object({{"name", module.name},
                                        {"title", module.title},
                                        {"state", module.state},
                                        {"problem", module.problem},
                                        {"hint", module.hint}}));
    }
    return Json::object({{"schema", "glproc.info/1"},
                         {"device", device.renderer},
                         {"vendor", device.vendor},
                         {"version", device.version},
                         {"glsl", device.glsl},
                         {"backend", device.backend},
                         {"software", device.software},
                         {"timer", gpu.timer_method()},
                         {"formats", formats},
                         {"modules", modules},
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

/// What each format and module can do here.
std::string abilities_text() {
    std::vector<std::string> formats;
    for (const FormatAbility& format : format_abilities()) {
        const std::string_view can = format.can_read && format.can_write ? "read, write"
                                     : format.can_read                   ? "read"
                                     : format.can_write                  ? "write"
                                                                         : "-";
        formats.push_back(
            fmt::format("{:<14}{:<13}{}", format.title, can, fmt::join(format.extensions, ", ")));
    }
    std::vector<std::string> modules;
    for (const ModuleAbility& module : module_abilities()) {
        modules.push_back(fmt::format("{:<6}{:<17}{}", module.name, module.title, module.state));
        if (!module.problem.empty()) {
            modules.push_back(fmt::format("      {}: {}", module.problem, module.hint));
        }
    }
    return list("formats", formats) + list("modules", modules);
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
    return text + abilities_text() + list("limits", limits) + list("extensions", device.extensions) +
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

std::filesystem::path absolute_path(const char* variable) {
    const char* text = std::getenv(variable); // NOLINT(concurrency-mt-unsafe): no thread runs yet
    const std::filesystem::path path = text != nullptr ? text : "";
    return path.is_absolute() ? path : std::filesystem::path();
}

/// Why what others put at this name would be taken for ours; empty where none can, or nothing is there.
std::string distrust_parent(const std::filesystem::path& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) {
        return {};
    }
    const bool is_open = (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
    return status.st_uid != ::geteuid() && status.st_uid != 0 ? "belongs to another user"
           : is_open                                          ? "can be changed by other users"
                                                              : "";
}

/// Why drivers must keep nothing below the cache folder; empty where they may.
std::string distrust_caches() {
    const std::filesystem::path home = absolute_path("HOME");
    const std::filesystem::path told = absolute_path("XDG_CACHE_HOME");
    const std::filesystem::path cache = told.empty() ? home / ".cache" : told;
    for (const std::filesystem::path& folder : {home, cache}) {
        if (const std::string why = distrust_parent(folder); !why.empty()) {
            return fmt::format("{} {}", folder.native(), why);
        }
    }
    for (const std::filesystem::path& folder :
         {cache / "mesa_shader_cache", cache / "mesa_shader_cache_db", cache / "nvidia", home / ".nv"}) {
        if (const std::string why = PrivateFolder::distrust(folder); !why.empty()) {
            return fmt::format("{} {}", folder.native(), why);
        }
    }
    return {};
}

/// What leave_caches_of_others() found.
std::string& distrusted_caches() {
    static std::string why;
    return why;
}

void note_unused_store(const DeviceInfo& device, const Settings& settings) {
    if (settings.verbose && !distrusted_caches().empty()) {
        print_note(fmt::format("{}, so the driver keeps no compiled programs either", distrusted_caches()));
    }
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

void leave_caches_of_others() {
    distrusted_caches() = distrust_caches();
    if (distrusted_caches().empty()) {
        return;
    }
    constexpr int keep = 0;                              // what the user says himself
    ::setenv("MESA_SHADER_CACHE_DISABLE", "true", keep); // NOLINT(concurrency-mt-unsafe): no thread runs yet
    ::setenv("__GL_SHADER_DISK_CACHE", "0", keep);       // NOLINT(concurrency-mt-unsafe): NVIDIA's
}

void report_device(const DeviceInfo& device, const Settings& settings) {
    warn_of_software_renderer(device, settings);
    note_unused_store(device, settings);
}

void show_device(const Arguments& arguments, const Settings& settings) {
    ContextOptions options = settings.context;
    options.timing = true; // so that the timer says how it would measure
    const bool json = arguments.has("json");
    std::optional<Context> gpu;
    try {
        gpu.emplace(options);
    } catch (const Error&) {
        if (!json) {
            print_product(abilities_text()); // which no device is needed for
        }
        throw;
    }
    report_device(gpu->device(), settings);
    print_product(json ? json_line(device_json(*gpu)) : device_text(*gpu));
}

} // namespace glproc::cli
