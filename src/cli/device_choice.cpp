#include "cli/device_choice.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/gl/program_store.hpp"
#include "glproc/op/plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view note_name = "what whole runs took";

/// What a first run goes by, in milliseconds: an NVIDIA H100 (driver 580.159) of a machine with 16 cores, and
/// its llvmpipe (Mesa 22.3.6), 2026-11-24.
struct Guess {
    double start;    ///< until the context is there
    double programs; ///< to compile those of a typical call
    double end;      ///< until the kernel has taken everything back
};

constexpr Guess guess_of(Kind kind) {
    return kind == Kind::gpu ? Guess{60, 1000, 25} : kind == Kind::cpu ? Guess{38, 60, 9} : Guess{0, 0, 0};
}

/// Copies between the two memories on the GPU; on the CPU what one core does alone: pages are touched, rows
/// copied.
constexpr double gpu_per_megapixel = 2.2;
constexpr double cpu_per_megapixel = 9;

/// Processor time for a megapixel, where it is far from that of most operations (llvmpipe, Mesa 22.3.6, two
/// cores, 2.4 GHz, 2026-11-24: 3.7 megapixels of RGB, parameters of the examples or the dearest common ones).
struct Rate {
    std::string_view operation;
    double milliseconds;
    double per_work = 0; ///< and that for each multiplication, where methods do as much as the reference
    double alone = 0; ///< without OpenGL beyond time_alone(); from one and two cores of a faster machine for eight (2026-11-29)
};
constexpr Rate common_rate{"", 10};
constexpr std::array rates{
    Rate{"median", 0, 1.45}, Rate{"convolve", 0, 0.33}, Rate{"rotate", 45},  Rate{"integral", 50, 0, 3},
    Rate{"unsharp", 30, 0, 7}, Rate{"morphology", 20},  Rate{"compare", 30, 0, 12}, Rate{"resize", 18},
    Rate{"pipe", 30},        Rate{"lut", 20},            Rate{"bilateral", 0, 0.14},
    Rate{"local", 30},       Rate{"noise", 20},
    Rate{"distance", 60, 0, 10}, Rate{"components", 10, 0, 6}, Rate{"maxima", 10, 0, 12}, Rate{"stack", 10, 0, 6},
    Rate{"blur", 10, 0, 8}, Rate{"box", 10, 0, 8}, Rate{"guided", 10, 0, 74}, Rate{"equalize", 10, 0, 20},
    Rate{"clahe", 10, 0, 9}, Rate{"canny", 10, 0, 23}, Rate{"skeleton", 40, 0, 28}, Rate{"threshold", 10, 0, 3},
    Rate{"background", 290},
};

/// Twins of windows (bilateral of 12 megapixels, radius 3: .74 of one of two cores, 2.4 GHz, 2026-11-28, half of that on others).
/// Plans that state a work as a number had it fitted to whole commands (two cores, llvmpipe of Mesa 22.3.6, 2026-11-29).
constexpr double per_processor_work = 0.5;

const Rate& rate_of(std::string_view operation) {
    const auto* found = std::ranges::find(rates, operation, &Rate::operation);
    return found == rates.end() ? common_rate : *found;
}

/// Without OpenGL there is nothing to start. What one core does alone, decoding among it, and what all do (one NVIDIA H100 machine
/// with 16 cores, 2026-11-25: a blur of 24 megapixels 204 ms, and 175 with the GPU; a histogram of them 125, and 186).
double time_alone(const JobSize& job) {
    constexpr std::size_t most_cores = 8; // more gain nothing
    const double cores = static_cast<double>(std::clamp<std::size_t>(job.cores, 1, most_cores));
    const double per_megapixel = job.operation == "histogram" ? 2 + 6 / cores : 5.5 + 10 / cores;
    return (per_megapixel + per_processor_work * job.processor_work / cores) * job.megapixels;
}

std::string name_of_start(Kind kind) {
    return kind == Kind::gpu ? "start gpu" : "start cpu";
}

std::string name_of_work(Kind kind, const JobSize& job) {
    return fmt::format("{} {}", kind == Kind::gpu ? "gpu" : "cpu", job.call);
}

std::string name_of_times(const JobSize& job) {
    return "times " + job.call;
}

/// Notes that belong to no driver: they are read before one is loaded.
std::optional<ProgramStore> notes() {
    DeviceInfo any;
    any.renderer = "any";
    return user_notes(any);
}

/// The files by which libglvnd would load Mesa's EGL; it loads every vendor's unless told.
std::string mesa_vendor_files() {
    constexpr const char* variable = "__EGL_VENDOR_LIBRARY_FILENAMES";
    std::vector<fs::path> files;
    if (const char* given = std::getenv(variable); given != nullptr) { // NOLINT(concurrency-mt-unsafe)
        std::string_view rest = given;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(':'), rest.size());
            files.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    } else {
        std::error_code unreadable;
        for (const char* folder : {"/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d"}) {
            for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
                files.push_back(entry.path());
            }
        }
    }
    std::string names;
    for (const fs::path& file : files) {
        if (file.filename().string().find("mesa") != std::string::npos) {
            names += (names.empty() ? "" : ":") + file.string();
        }
    }
    return names;
}

} // namespace

Experience::Experience(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t tab = line.rfind('\t');
        double value = 0;
        if (tab != std::string_view::npos && known_.size() < most_names &&
            std::from_chars(line.data() + tab + 1, line.data() + line.size(), value).ec == std::errc{} &&
            value >= 0 && value < 1e9) {
            known_.insert_or_assign(std::string(line.substr(0, tab)), value);
        }
    }
}

std::string Experience::text() const {
    std::string text;
    for (const auto& [name, value] : known_) {
        text += fmt::format("{}\t{:.2f}\n", name, value);
    }
    return text;
}

std::optional<double> Experience::find(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Experience::learn(const std::string& name, double milliseconds) {
    constexpr double weight = 0.1;
    const double known = find(name).value_or(milliseconds);
    set(name, std::min(known + weight * (milliseconds - known), milliseconds));
}

void Experience::count(const std::string& name) {
    set(name, find(name).value_or(0) + 1);
}

void Experience::set(const std::string& name, double value) {
    if (known_.size() >= most_names && !known_.contains(name)) {
        known_.clear(); // a script that calls with ever new numbers; what matters is learnt anew
    }
    known_[name] = value;
}

void Experience::forget(const std::string& name) {
    known_.erase(name);
}

double expected_time(Kind kind, const JobSize& job, const Experience& experience) {
    if (kind == Kind::alone) {
        return time_alone(job);
    }
    const Guess guess = guess_of(kind);
    const double start = experience.find(name_of_start(kind)).value_or(guess.start) + guess.end;
    if (const auto known = experience.find(name_of_work(kind, job))) {
        return start + *known * job.megapixels;
    }
    constexpr std::size_t most_cores = 16; // more gain nothing
    const double cores = static_cast<double>(std::clamp<std::size_t>(job.cores, 1, most_cores));
    const Rate& of = rate_of(job.operation);
    const double rate =
        kind == Kind::gpu ? gpu_per_megapixel : cpu_per_megapixel + (of.milliseconds + of.per_work * job.work) / cores;
    // A call that comes again and again is worth its programs on the other kind, too: each time they count
    // for less.
    const double times = experience.find(name_of_times(job)).value_or(0);
    return start + guess.programs / (1 + times) + rate * job.megapixels;
}

double saved_alone(bool has_gpu, const JobSize& job, const Experience& experience) {
    // llvmpipe is slow where the processor is.
    const double more = has_gpu ? rate_of(job.operation).alone * job.megapixels : 0;
    return expected_time(has_gpu ? Kind::gpu : Kind::cpu, job, experience) - expected_time(Kind::alone, job, experience) - more;
}

void learn(Experience& experience, Kind kind, const JobSize& job, double start, double work) {
    // The first start after a machine's own reads libraries from the disk.
    experience.learn(name_of_start(kind), std::min(start, 1.5 * guess_of(kind).start));
    constexpr double least = 0.05; // below it nothing is worked on
    if (job.megapixels > least) {
        experience.learn(name_of_work(kind, job), work / job.megapixels);
        experience.count(name_of_times(job));
    }
}

bool is_crowded(const std::string& schedule) {
    constexpr double share = 0.05; // alone it is 0 to 3 %, among 32 of 16 cores three times what was worked
    std::istringstream fields(schedule);
    double worked = 0;
    double waited = 0;
    return fields >> worked >> waited && waited > share * worked;
}

std::string gpu_file() {
    std::error_code unreadable;
    for (const char* folder : {"/dev/dri", "/dev"}) {
        for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
            const std::string name = entry.path().filename().string();
            const bool numbered = !name.empty() && name.back() >= '0' && name.back() <= '9';
            if (numbered && (name.starts_with("renderD") || name.starts_with("nvidia"))) {
                return entry.path().string();
            }
        }
    }
    return {};
}

JobSize job_size(const Arguments& arguments, const Operation& operation, const Form& source) {
    const auto megapixels = [](const Form& form) {
        return static_cast<double>(form.width) * form.height / 1e6;
    };
    JobSize job{.operation = arguments.command->name,
                .call = arguments.command->name,
                .megapixels = megapixels(source),
                .cores = thread_limit()};
    if (source.width > 0 && arguments.op().product == Product::image) {
        try {
            const Plan plan = operation.plan(source);
            job.megapixels = std::max(job.megapixels, megapixels(plan.result));
            job.work = plan.row_cost / plan.result.width / plan.result.channels;
            job.processor_work = plan.processor_work;
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
        }
    }
    for (const FieldInfo& field : arguments.command->op->fields) {
        if (arguments.has(field.name)) {
            job.call += fmt::format(" {}={}", field.name, arguments.value(field.name));
        }
    }
    for (const PipeStep& step : arguments.steps) {
        for (const std::string& word : step.words) {
            job.call += ' ' + word;
        }
    }
    // What a megapixel takes is another matter where caches and memory no longer hold all.
    constexpr double step = 4;
    const double class_of_size = std::round(std::log(std::max(job.megapixels, 0.01)) / std::log(step));
    job.call += fmt::format(" {}x{} {:.0f}", source.channels, static_cast<int>(source.depth), class_of_size);
    std::ranges::replace_if(
        job.call, [](unsigned char c) { return c < ' '; }, ' ');
    constexpr std::size_t longest = 100;
    job.call.erase(0, job.call.size() - std::min(job.call.size(), longest));
    return job;
}

bool leaves_device_open(const Settings& settings) {
    const ContextOptions& given = settings.context;
    constexpr std::array variables{"GLPROC_LIMITS",       "GLPROC_DISABLE",    "GLPROC_CHECK",     "GLPROC_GLSL_DIR",
                                   "GLPROC_FAULT"};
    const bool has_variables = std::ranges::any_of(variables, [](const char* name) {
        return std::getenv(name) != nullptr; // NOLINT(concurrency-mt-unsafe): no thread runs
    });
    return given.device == ContextOptions{}.device && given.backend == Backend::automatic && !given.require_gpu &&
           !given.debug && !settings.every_device && !has_variables;
}

DeviceChoice::DeviceChoice(const Arguments& arguments, const Settings& settings, bool has_gpu)
    : settings_(settings), has_gpu_(has_gpu), may_go_alone_(leaves_device_open(settings)) {
    const ContextOptions& given = settings.context;
    is_free_ = given.device == ContextOptions{}.device && !given.require_gpu;
    const bool learns = is_free_ || given.device == "cpu" || given.device == "gpu";
    chooses_ = learns && has_gpu && !settings.every_device && given.backend != Backend::glfw &&
               !given.debug && arguments.command->op->input == Input::image;
    if (const auto store = chooses_ ? notes() : std::nullopt) {
        experience_ = Experience(store->note(note_name).value_or(""));
    }
}

namespace {

std::string expected(double megapixels, double saved) {
    return fmt::format("for {:.2g} megapixels it should finish {:.0f} ms before the GPU; --device gpu uses "
                       "the GPU all the same",
                       megapixels, saved);
}

} // namespace

bool DeviceChoice::goes_alone(const JobSize& job) {
    if (!may_go_alone_) {
        return false;
    }
    const double saved = saved_alone(has_gpu_, job, experience_);
    if (saved > 0) {
        reason_ = has_gpu_
                      ? expected(job.megapixels, saved)
                      : "it finishes before OpenGL would have started; --device cpu uses OpenGL all the same";
    }
    return saved > 0;
}

ContextOptions DeviceChoice::options_for(const JobSize& job) {
    ContextOptions options = settings_.context;
    if (!chooses_ || job.megapixels == 0) {
        return options;
    }
    const std::string mesa = mesa_vendor_files();
    const double on_cpu = expected_time(Kind::cpu, job, experience_);
    const double on_gpu = expected_time(Kind::gpu, job, experience_);
    if (mesa.empty() || (is_free_ ? on_cpu >= on_gpu : options.device != "cpu")) {
        return options;
    }
    if (experience_.find(name_of_start(Kind::cpu))) { // it has served before: nothing else need be loaded
        ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", mesa.c_str(),
                 1); // NOLINT(concurrency-mt-unsafe): no thread runs
    }
    if (!is_free_) {
        return options;
    }
    takes_cpu_ = true;
    reason_ = expected(job.megapixels, on_gpu - on_cpu);
    options.device = "cpu";
    return options;
}

const ContextOptions& DeviceChoice::given() {
    takes_cpu_ = false;
    reason_.clear();
    experience_.forget(name_of_start(Kind::cpu));
    return settings_.context;
}

bool DeviceChoice::expects_gpu() const {
    return chooses_ && !takes_cpu_ && settings_.context.device != "cpu" && experience_.find(name_of_start(Kind::gpu));
}

void DeviceChoice::expect_no_gpu() {
    experience_.forget(name_of_start(Kind::gpu));
}

void DeviceChoice::remember_start(bool software, double milliseconds) {
    if (!chooses_ || (!software && expects_gpu())) {
        return;
    }
    if (software) {
        expect_no_gpu();
    } else {
        experience_.learn(name_of_start(Kind::gpu), milliseconds);
    }
    if (const auto store = notes()) {
        store->set_note(note_name, experience_.text());
    }
}

void DeviceChoice::remember(bool software, const JobSize& job, double start, double work) {
    std::string schedule;
    std::getline(std::ifstream("/proc/self/schedstat"), schedule);
    const bool learns = chooses_ && !is_crowded(schedule);
    if (const auto store = learns ? notes() : std::nullopt) {
        learn(experience_, software ? Kind::cpu : Kind::gpu, job, start, work);
        store->set_note(note_name, experience_.text());
    }
}

} // namespace glproc::cli
