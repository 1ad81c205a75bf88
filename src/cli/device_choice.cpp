#include "cli/device_choice.hpp"

#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

namespace fs = std::filesystem;

/// Twins of windows (bilateral of 12 megapixels, radius 3: .74 of one of two cores, 2.4 GHz, 2026-11-28, half of that on others).
/// Plans that state a work as a number had it fitted to whole commands (two cores, llvmpipe of Mesa 22.3.6, 2026-11-29).
constexpr double per_processor_work = 0.5;

/// Without OpenGL there is nothing to start: what one core does, which is mostly decoding, and what all do (one NVIDIA H200 machine
/// with 16 cores, 2026-11-30). What both roads decode on the processor does not count where there is a GPU.
double time_alone(bool has_gpu, const JobSize& job) {
    constexpr std::size_t most_cores = 8; // more gain nothing
    const double cores = static_cast<double>(std::clamp<std::size_t>(job.cores, 1, most_cores));
    const double decoded = has_gpu && !job.is_jpeg ? 1.5 : 5.5;
    const double per_megapixel =
        (job.cost.one_core > 0 ? job.cost.one_core : decoded) + job.cost.shared / cores;
    const double more = has_gpu ? job.cost.alone : 0; // llvmpipe is slow where the processor is
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
    return 107 + (9 + (job.cost.llvmpipe + job.cost.per_work * job.work) / cores) * job.megapixels;
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

JobSize job_size(const OpCost& cost, double megapixels, const std::optional<Plan>& plan) {
    JobSize job{.cost = cost, .megapixels = megapixels, .cores = thread_limit()};
    if (plan) {
        job.megapixels = std::max(megapixels, static_cast<double>(plan->shape.result.width) *
                                                  plan->shape.result.height / 1e6);
        job.work = plan->twin.row_cost / plan->shape.result.width / plan->shape.result.channels;
        job.processor_work = plan->twin.work;
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
