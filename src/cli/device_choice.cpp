#include "cli/device_choice.hpp"

#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

namespace fs = std::filesystem;

/// Milliseconds of a megapixel on one core by llvmpipe, where it is far from that of most operations (llvmpipe, Mesa 22.3.6, two
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
    Rate{"unsharp", 30, 0, 7}, Rate{"morphology", 20, 0.04},  Rate{"compare", 30, 0, 12}, Rate{"resize", 18},
    Rate{"pipe", 30},        Rate{"lut", 20},            Rate{"bilateral", 0, 0.14},
    Rate{"local", 30},       Rate{"noise", 20},
    Rate{"distance", 60, 0, 10}, Rate{"components", 10, 0, 6}, Rate{"maxima", 10, 0, 12}, Rate{"stack", 10, 0, 6},
    Rate{"blur", 10, 0, 8}, Rate{"box", 10, 0, 8}, Rate{"guided", 10, 0, 74}, Rate{"equalize", 10, 0, 20},
    Rate{"clahe", 10, 0, 9}, Rate{"canny", 10, 0, 23}, Rate{"skeleton", 40, 0, 28}, Rate{"threshold", 10, 0, 3},
    Rate{"background", 290},
    Rate{"video", 10, 0, 74}, // any operation may be among its own
};

/// Twins of windows (bilateral of 12 megapixels, radius 3: .74 of one of two cores, 2.4 GHz, 2026-11-28, half of that on others).
/// Plans that state a work as a number had it fitted to whole commands (two cores, llvmpipe of Mesa 22.3.6, 2026-11-29).
constexpr double per_processor_work = 0.5;

const Rate& rate_of(std::string_view operation) {
    const auto* found = std::ranges::find(rates, operation, &Rate::operation);
    return found == rates.end() ? common_rate : *found;
}

/// Without OpenGL there is nothing to start: what one core does, which is mostly decoding, and what all do (one NVIDIA H200 machine
/// with 16 cores, 2026-11-30). What both roads decode on the processor does not count where there is a GPU.
double time_alone(bool has_gpu, const JobSize& job) {
    constexpr std::size_t most_cores = 8; // more gain nothing
    const double cores = static_cast<double>(std::clamp<std::size_t>(job.cores, 1, most_cores));
    const double decoded = has_gpu && !job.is_jpeg ? 1.5 : 5.5;
    const double per_megapixel = job.operation == "histogram" ? 2 + 6 / cores : decoded + 10 / cores;
    const double more = has_gpu ? rate_of(job.operation).alone : 0; // llvmpipe is slow where the processor is
    return (per_megapixel + more + per_processor_work * job.processor_work / cores) * job.megapixels;
}

/// The driver's start and end, and copies between the two memories (NVIDIA H200, driver 580.159, 2026-11-30). Programs are kept
/// from one call to the next.
double time_of_gpu(const JobSize& job) {
    return 95 + 2.9 * job.megapixels;
}

/// Likewise, with programs that are loaded, and what one core does alone (llvmpipe of Mesa 22.3.6, two cores, 2026-11-24).
double time_of_llvmpipe(const JobSize& job) {
    constexpr std::size_t most_cores = 16; // more gain nothing
    const double cores = static_cast<double>(std::clamp<std::size_t>(job.cores, 1, most_cores));
    const Rate& of = rate_of(job.operation);
    return 107 + (9 + (of.milliseconds + of.per_work * job.work) / cores) * job.megapixels;
}

} // namespace

double saved_alone(bool has_gpu, const JobSize& job) {
    return (has_gpu ? time_of_gpu(job) : time_of_llvmpipe(job)) - time_alone(has_gpu, job);
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

JobSize job_size(std::string command, double megapixels, const std::optional<Plan>& plan) {
    JobSize job{.operation = std::move(command), .megapixels = megapixels, .cores = thread_limit()};
    if (plan) {
        job.megapixels = std::max(megapixels, static_cast<double>(plan->result.width) * plan->result.height / 1e6);
        job.work = plan->row_cost / plan->result.width / plan->result.channels;
        job.processor_work = plan->processor_work;
    }
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
    : has_gpu_(has_gpu), expects_gpu_(has_gpu && !settings.every_device && settings.context.device != "cpu" &&
                                      (arguments.command->op == nullptr || arguments.command->op->input == Input::image)),
      may_go_alone_(leaves_device_open(settings)) {}

bool DeviceChoice::goes_alone(const JobSize& job) {
    const double saved = may_go_alone_ ? saved_alone(has_gpu_, job) : 0;
    if (saved > 0) {
        reason_ = has_gpu_ ? fmt::format("for {:.2g} megapixels it should finish {:.0f} ms before the GPU; --device gpu uses the GPU "
                                         "all the same",
                                         job.megapixels, saved)
                           : "it should finish before OpenGL on the same processor; --device cpu uses OpenGL all the same";
    }
    return saved > 0;
}

} // namespace glproc::cli
