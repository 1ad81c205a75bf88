#include "glproc/gl/context.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/gl/device.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/gl/workarounds.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <mutex>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

/// Larger arrays lie in blocks of a texture.
constexpr auto array_buffer_bytes = tuning<std::int64_t>(
    {{"nvidia", any_radius, std::int64_t{1} << 24U,
      "lookback of 2^28 u32 takes 1.04 ms in buffers and 0.600 in blocks (NVIDIA H200, driver 580.159.04, "
      "2026-11-22)"},
     {"", any_radius, 0,
      "no limit: not measured on other GPUs; on llvmpipe buffers and textures are the CPU's memory alike"}});

bool wants_self_check(const ContextOptions& options) {
    const char* text = std::getenv("GLPROC_CHECK"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    return options.self_check.value_or(!options.debug &&
                                       (text == nullptr || std::string_view(text) != "off"));
}

bool is_number(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Finds the entry points through the surface. All drivers share them (libglvnd dispatches by current
/// context), and they are global to the process: threads take turns.
void load_gl(const GlSurface& surface) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    static GetProc loaded_from = nullptr;
    if (loaded_from == surface.get_proc()) {
        return;
    }
    if (gladLoadGL(surface.get_proc()) == 0) {
        throw Error(ErrorCode::no_context, "the driver has no OpenGL entry points");
    }
    loaded_from = surface.get_proc();
}

/// Lowers the limits as the options or the environment ask.
void lower_as_asked(Limits& limits, const ContextOptions& options) {
    if (!options.lower_limits.empty()) {
        return lower_limits(limits, options.lower_limits);
    }
    const char* text = std::getenv("GLPROC_LIMITS");
    try {
        lower_limits(limits, text == nullptr ? "" : text);
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("GLPROC_LIMITS: {}", error.what()), error.hint());
    }
}

constexpr std::string_view any_gpu = "gpu";
constexpr std::string_view any_cpu = "cpu";

/// EGL's software renderers first: asking another candidate whether it is one starts its driver.
std::vector<Candidate> software_candidates(std::vector<Candidate> all) {
    std::stable_partition(all.begin(), all.end(),
                          [](const Candidate& candidate) { return candidate.software; });
    return all;
}

/// A number chooses an EGL device, "gpu" and "cpu" a kind, any other text a renderer by name.
std::vector<Candidate> candidates(const ContextOptions& options) {
    if (options.adopt != nullptr) {
        return {adopted_candidate(options.adopt)};
    }
    const bool numbered = is_number(options.device);
    std::vector<Candidate> result;
    const auto add_windows = [&] {
        if (options.backend != Backend::egl && !numbered) {
            std::vector<Candidate> windows = glfw_candidates(options.debug);
            std::move(windows.begin(), windows.end(), std::back_inserter(result));
        }
    };
    if (options.device != any_cpu) {
        add_windows();
    }
    if (options.backend == Backend::glfw && numbered) {
        throw Error(ErrorCode::usage,
                    fmt::format("device {} is an EGL device, the backend is GLFW", options.device),
                    "choose --backend egl, or a device by its name");
    }
    if (options.backend != Backend::glfw) {
        std::string known;
        std::vector<Candidate> devices = egl_candidates(options.debug);
        if (options.device == any_cpu) {
            devices = software_candidates(std::move(devices));
        }
        for (Candidate& candidate : devices) {
            known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate.what);
            if (!numbered || std::to_string(candidate.egl_device) == options.device) {
                result.push_back(std::move(candidate));
            }
        }
        if (numbered && result.empty()) {
            throw Error(ErrorCode::no_context, fmt::format("there is no EGL device {}", options.device),
                        "known: " + known);
        }
    }
    if (options.device == any_cpu) {
        add_windows();
    }
    return result;
}

/// Throws Error(no_context) if the options refuse this device.
void check_wanted(const DeviceInfo& info, const ContextOptions& options) {
    const bool is_any = options.device == "auto" || is_number(options.device) ||
                        options.device == (info.software ? any_cpu : any_gpu);
    if (options.adopt == nullptr && !is_any && !info.is(options.device)) {
        throw Error(ErrorCode::no_context, fmt::format("{} is not '{}'", info.renderer, options.device));
    }
    if (options.require_gpu && info.software) {
        throw Error(ErrorCode::no_context,
                    fmt::format("{} is a software renderer, but a GPU is required", info.renderer));
    }
}

[[noreturn]] void no_context(const std::vector<Attempt>& attempts) {
    std::string lines = "tried:";
    for (const Attempt& attempt : attempts) {
        lines += fmt::format("\n  {}: {}", attempt.what, attempt.outcome);
    }
    throw Error(ErrorCode::no_context, "no usable OpenGL 4.3 context", lines);
}

/// Claims this thread until the result is destroyed, on whatever thread. Throws Error(operation) if it is
/// claimed already: a second context would silently become current instead of the first.
std::shared_ptr<void> claim_thread() {
    thread_local std::weak_ptr<void> claimed;
    if (!claimed.expired()) {
        throw Error(ErrorCode::operation, "this thread has a Context already",
                    "use that one, or make the second on a thread of its own");
    }
    auto claim = std::make_shared<char>();
    claimed = claim;
    return claim;
}

/// Calls `make`, which allocates on the GPU. If that fails, the debug log repeats the error; it is cleared,
/// so that the next pass does not report it again.
template <class Make>
auto allocate(Context::State& state, Make make) {
    state.tracker.check_thread();
    if (!state.tracker.rehearsing) {
        state.faults.allocating();
    }
    try {
        auto made = make();
        check_gl("allocating " + made.label()); // storage that is used again asks the driver for nothing
        return made;
    } catch (const Error&) {
        state.debug_log.clear();
        throw;
    }
}

/// The pattern that fills new images and buffers in a debug context. No pass writes it by chance, so values that a kernel forgot to
/// write, or read too early, stand out. Some are low and some are high, for operations that look for extremes.
std::vector<std::byte> canary(std::size_t bytes) {
    std::vector<std::byte> pattern(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
        pattern[i] = static_cast<std::byte>(static_cast<std::uint32_t>(i) * 0x9E3779B1U >> 24U);
    }
    return pattern;
}

} // namespace

std::vector<std::string> every_device() {
    std::vector<std::string> gpus;
    std::vector<std::string> all;
    for (const Candidate& candidate : egl_candidates(false)) {
        if (candidate.egl_device >= 0) {
            all.push_back(std::to_string(candidate.egl_device));
            if (!candidate.software) {
                gpus.push_back(all.back());
            }
        }
    }
    return gpus.empty() ? all : gpus;
}

bool debug_by_default() {
    return GLPROC_DEBUG_CONTEXT != 0;
}

Context::Context(const ContextOptions& options) : state_(std::make_unique<State>()) {
    state_->claim = claim_thread();
    set_driver_variables();
    std::vector<Attempt> attempts;
    for (const Candidate& candidate : candidates(options)) {
        try {
            state_->surface = candidate.open();
            load_gl(*state_->surface);
            state_->device = query_device();
            check_wanted(state_->device, options);
            check_driver(state_->device);
        } catch (const Error& error) {
            state_->surface.reset();
            attempts.push_back({candidate.what, error.what()});
            continue;
        }
        attempts.push_back({candidate.what, "used"});
        state_->device.backend = candidate.what;
        break;
    }
    if (!state_->surface) {
        no_context(attempts);
    }
    state_->device.attempts = std::move(attempts);
    state_->limits = query_limits(state_->device.has_subgroup);
    state_->limits.array_buffer_bytes = tuned(array_buffer_bytes, state_->device);
    lower_as_asked(state_->limits, options);
    state_->memory_bytes =
        options.memory_bytes > 0 ? options.memory_bytes : default_memory_bytes(state_->device);
    if (state_->device.software && options.host_bytes > 0)
        state_->memory_bytes = std::min(state_->memory_bytes, options.host_bytes);
    if (options.debug) { // and no stored programs: only compiling gives the compiler's warnings
        state_->debug_log.attach();
        state_->fills_canary = true;
    } else {
        state_->programs.use(user_program_store(state_->device));
    }
    const std::uint64_t most_free = std::uint64_t{state_->device.software ? 128U : 2048U} << 20U;
    const auto free_bytes = static_cast<std::size_t>(std::min(most_free, state_->memory_bytes / 4));
    state_->textures.most_bytes = free_bytes;
    state_->buffers.most_bytes = free_bytes;
    if (wants_self_check(options)) {
        state_->proofs.begin(user_program_store(state_->device), options.warn);
    }
    state_->programs.fail_at(state_->faults.broken_kernel(), state_->faults.unlinkable_kernel(),
                             state_->faults.wrong_kernel());
    state_->transfer.emplace(*this, tuned_road(*this));
    if (options.timing) {
        state_->timer = std::make_unique<Timer>(state_->device.software);
    }
}

Context::~Context() = default;

const DeviceInfo& Context::device() const {
    return state_->device;
}

const Limits& Context::limits() const {
    return state_->limits;
}

std::uint64_t Context::memory_bytes() const {
    return state_->memory_bytes;
}

GpuImage Context::make_image(const Form& form, std::string_view label) {
    state_->tracker.check_thread();
    const int texels = texels_per_row(form);
    if (texels > limits().texture_size || form.height > limits().texture_size) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} of {}x{} pixels needs a texture of {}x{}, {} allows {}", label,
                                form.width, form.height, texels, form.height, device().renderer,
                                limits().texture_size),
                    "give the operation a RowSource, which it cuts into tiles: see glproc/op/tiles.hpp");
    }
    Texture texture = allocate(
        *state_, [&] { return Texture(state_->tracker, state_->textures, texels, form.height, label); });
    GpuImage image(std::move(texture), form);
    if (state_->fills_canary) {
        image.texture().write(canary(image.texture().row_bytes() * static_cast<std::size_t>(form.height)));
    }
    return image;
}

Texture Context::make_table(std::span<const float> values, int width, std::string_view label) {
    state_->tracker.check_thread();
    const auto height = static_cast<int>(values.size_bytes() / Texture::texel_bytes) / width;
    Texture table =
        allocate(*state_, [&] { return Texture(state_->tracker, state_->textures, width, height, label); });
    table.write(std::as_bytes(values));
    return table;
}

Buffer Context::make_buffer(std::size_t bytes, std::string_view label) {
    state_->tracker.check_thread();
    // NVIDIA's driver accepts any size, and takes the memory of the whole machine when it is used.
    constexpr std::size_t most = std::size_t{1} << 40U;
    if (bytes > most) {
        throw Error(ErrorCode::gpu,
                    fmt::format("buffer {} wants {} bytes, {} has less", label, bytes, device().renderer));
    }
    Buffer buffer = allocate(*state_, [&] { return Buffer(state_->tracker, state_->buffers, bytes, label); });
    if (state_->fills_canary) {
        constexpr std::size_t part = std::size_t{1} << 20U;
        const std::vector<std::byte> filling = canary(std::min(bytes, part));
        for (std::size_t at = 0; at < bytes; at += part) {
            buffer.write(std::span(filling).first(std::min(part, bytes - at)), at);
        }
    }
    return buffer;
}

Pass Context::pass(std::string_view label, std::string_view kernel, const Defines& defines) {
    state_->tracker.check_thread();
    ProgramCache& programs = state_->programs;
    if (state_->proofs.refuses_new_programs() && !label.starts_with("transfer.") &&
        !programs.has(kernel, defines)) {
        throw UselessProbe();
    }
    return {*this, label,
            state_->tracker.rehearsing ? programs.begin(kernel, defines) : programs.get(kernel, defines)};
}

void Context::rehearse(const Form& form, const std::function<void(const GpuImage&)>& work) {
    const struct End {
        State& state;
        ~End() {
            state.tracker.rehearsing = false;
            state.debug_log.clear();
        }
    } end{*state_};
    state_->tracker.rehearsing = true;
    try {
        const GpuImage image = make_image(form, "rehearsal");
        state_->transfer->prepare(form);
        work(image);
    } catch (
        const Error&) { // NOLINT(bugprone-empty-catch): if it is a real one, the real work will hit it again
    }
}

std::shared_ptr<void>& Context::kept_slot(std::type_index type) {
    state_->tracker.check_thread();
    return state_->kept[type];
}

void Context::finish() {
    state_->tracker.check_thread();
    glFinish();
    check("finishing");
}

void Context::check(std::string_view doing) {
    check_gl(doing);
    if (device().tells_of_resets && glGetGraphicsResetStatus() != GL_NO_ERROR) {
        throw_reset(doing);
    }
    state_->debug_log.throw_if_any(doing);
}

std::vector<PassTime> Context::pass_times() {
    return state_->timer ? state_->timer->times() : std::vector<PassTime>{};
}

RunTimes Context::time(int runs, const std::function<void()>& work) {
    state_->tracker.check_thread();
    RunTimes times = time_runs(device().software, runs, work);
    check_gl("timing");
    state_->debug_log.throw_if_any("timing");
    return times;
}

double Context::compile_time() const {
    return state_->programs.milliseconds() + (state_->timer ? state_->timer->warm_up_milliseconds() : 0);
}

double Context::check_time() const {
    return state_->proofs.milliseconds;
}

TransferTimes Context::transfer_times() const {
    return state_->transfer->times();
}

std::string Context::timer_method() const {
    return state_->timer ? state_->timer->method() : "off";
}

} // namespace glproc
