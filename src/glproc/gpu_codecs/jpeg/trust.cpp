#include "glproc/gpu_codecs/jpeg/trust.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/gl/stopwatch.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc::gpu_codecs {

namespace {

/// The verdicts of this context, by the work that each is about.
struct Verdicts {
    std::map<std::string, bool, std::less<>> known;
};

/// The user's work is not waiting for programs that run while this lives. Memory is filled with a pattern,
/// because freed memory may hold the right result.
class ProbeScope {
  public:
    explicit ProbeScope(Context& gpu) : state_(gpu.state()), filled_(std::exchange(state_.fills_canary, true)) {
        state_.proofs.begin_probe(true);
    }
    ProbeScope(const ProbeScope&) = delete;
    ProbeScope& operator=(const ProbeScope&) = delete;
    ~ProbeScope() {
        state_.proofs.end_probe(was_right);
        state_.fills_canary = filled_;
    }

    bool was_right = false;

  private:
    Context::State& state_;
    bool filled_;
};

bool was_proved(Context& gpu, std::span<const CodecProgram> programs) {
    Context::State& state = gpu.state();
    for (const CodecProgram& one : programs) { // all at work at once, where the driver has threads
        state.programs.begin(one.kernel, one.defines);
    }
    return std::ranges::all_of(programs, [&](const CodecProgram& one) {
        return state.proofs.is_proved(state.programs.get(one.kernel, one.defines));
    });
}

bool find_out(Context& gpu, std::string_view work, std::span<const CodecProgram> programs,
              const std::function<bool()>& is_right) {
    Proofs& proofs = gpu.state().proofs;
    std::string why;
    try {
        if (!proofs.is_on() || was_proved(gpu, programs)) {
            return true;
        }
        const Stopwatch stopwatch(proofs.milliseconds);
        ProbeScope probe(gpu);
        probe.was_right = is_right();
        if (probe.was_right) {
            return true;
        }
        why = "gives other values than the CPU";
    } catch (const Error& error) {
        if (error.code() != ErrorCode::operation) {
            throw;
        }
        why = error.what();
    }
    proofs.warn(fmt::format("{} ({}) cannot be trusted to {}: {}; done by the CPU", gpu.device().renderer,
                            gpu.device().version, work, why));
    return false;
}

} // namespace

bool is_trusted(Context& gpu, std::string_view work, std::span<const CodecProgram> programs,
                const std::function<bool()>& is_right) {
    auto& known = gpu.kept<Verdicts>().known;
    if (const auto found = known.find(work); found != known.end()) {
        return found->second;
    }
    const bool is_good = find_out(gpu, work, programs, is_right);
    known.emplace(work, is_good);
    return is_good;
}

} // namespace glproc::gpu_codecs
