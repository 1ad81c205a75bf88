#include "glproc/op/proof.hpp"

#include "glproc/base/random_words.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/gl/stopwatch.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/op/workload.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc {

namespace {

/// Odd, so that texels and groups end in the middle of rows, and small: the processor takes a few milliseconds.
constexpr int probe_width = 67;
constexpr int probe_height = 23;
/// Some programs are only for larger pictures.
constexpr int large_probe_width = 509;
constexpr int large_probe_height = 67;
constexpr double most_work = 3e7;  ///< multiplications of the processor

/// From 0 to 1.
double next_fraction(RandomWords& noise) {
    return double(noise() >> 8U) / double((1U << 24U) - 1U);
}

/// Noise, with runs of the lowest and the highest value between.
double probe_value(RandomWords& noise, std::size_t i) {
    const double value = next_fraction(noise);
    const std::size_t kind = i / 7 % 5;
    return kind == 3 ? 0 : kind == 4 ? 1 : value;
}

/// Counts the time of a check, without the time for building programs.
class CheckTime {
  public:
    explicit CheckTime(Context& gpu)
        : gpu_(gpu), compiled_(gpu.compile_time()), stopwatch_(gpu.state().proofs.milliseconds) {}
    CheckTime(const CheckTime&) = delete;
    CheckTime& operator=(const CheckTime&) = delete;
    ~CheckTime() { gpu_.state().proofs.milliseconds -= gpu_.compile_time() - compiled_; }

  private:
    Context& gpu_;
    double compiled_;
    Stopwatch stopwatch_;
};

/// While it lives, programs that run belong to a probe. Memory is filled with a pattern, because freed memory
/// may hold the right result.
class Probe {
  public:
    Probe(Context& gpu, bool may_build)
        : state_(gpu.state()), fills_canary_(std::exchange(state_.fills_canary, true)) {
        state_.proofs.begin_probe(may_build);
    }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
    ~Probe() {
        state_.proofs.end_probe(was_right);
        state_.fills_canary = fills_canary_;
    }

    bool was_right = false;

  private:
    Context::State& state_;
    bool fills_canary_;
    FindingsAside aside_;
};

void check_transfers(Context& gpu, const Image& picture, const GpuImage& uploaded) {
    const Image back = gpu.download(uploaded);
    if (!std::equal(back.bytes().begin(), back.bytes().end(), picture.bytes().begin(), picture.bytes().end())) {
        const DeviceInfo& device = gpu.device();
        throw Error(ErrorCode::no_context,
                    fmt::format("{} ({}) does not return images unchanged", device.renderer,
                                device.version),
                    "choose another driver with --device, or update it");
    }
}

/// Runs the plan on a part of this size, which is treated like a picture of its own, and compares all of the result.
std::string result_of_probe(Context& gpu, const Plan& plan, int width, int height, bool may_build) {
    const Form form{std::min(width, plan.shape.source.width), std::min(height, plan.shape.source.height),
                    plan.shape.source.channels, plan.shape.source.depth};
    const Rect all = whole_of(form);
    Probe probe(gpu, may_build);
    const Image picture = probe_picture(form);
    const GpuImage uploaded = gpu.upload(picture, "probe");
    check_transfers(gpu, picture, uploaded);
    Image got;
    Plan seen = plan;
    try {
        if (plan.look.at) {
            seen = plan.look.at(gpu, &uploaded, {});
            seen.look.alone = plan.look.alone;
            seen.twin.run = seen.twin.run ? seen.twin.run : plan.twin.run;
        }
        got = gpu.download(
            seen.work.run(gpu, {uploaded, all}, seen.moves() ? whole_of(seen.shape.result) : all));
    } catch (const UselessProbe&) {
        return "";
    }
    if (!seen.twin.run && !seen.look.alone) { // nothing to compare with
        return "";
    }
    const std::string difference = difference_of_bits(got, image_by_processor(seen, picture));
    probe.was_right = difference.empty();
    return difference;
}

/// The fault, if there is one and the device has room for the probe: lowered limits may leave none.
std::string wrong_on_probe(Context& gpu, const Plan& plan, int width, int height, bool may_build = false) {
    try {
        return result_of_probe(gpu, plan, width, height, may_build);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::operation || error.code() == ErrorCode::usage) {
            return "";
        }
        throw;
    }
}

/// Whether the processor makes a probe in milliseconds.
bool is_quick(const Plan& plan, int width, int height) {
    const double share = double(std::min(width, plan.shape.source.width)) / plan.shape.source.width;
    return plan.twin.row_cost * share * std::min(height, plan.shape.source.height) < most_work;
}

bool covers_whole(const Plan& plan, const Part& source, const Rect& result) {
    return !plan.moves() ||
           (source.rect == whole_of(plan.shape.source) && result == whole_of(plan.shape.result));
}

void prove(Context& gpu, const Plan& plan, const Part& source, const Rect& result, const GpuImage& image) {
    Proofs& proofs = gpu.state().proofs;
    const CheckTime time(gpu);
    const auto require = [&](const std::string& difference) {
        if (!difference.empty()) {
            refuse_result(gpu, difference);
        }
    };
    const bool begins = source.rect.x == 0 && source.rect.y == 0; // some operations know the place of a pixel
    const bool can_compare = plan.twin.run && begins &&
                             rows_of_twin(plan, plan.work.needs(gpu), source.rect, most_work) > 0 &&
                             covers_whole(plan, source, result);
    if (plan.proof.probe) {
        const Plan probe = plan.proof.probe();
        require(wrong_on_probe(gpu, probe, probe.shape.source.width, probe.shape.source.height));
        if (proofs.any_open() && !can_compare) { // then it is worth building programs for it
            require(wrong_on_probe(gpu, probe, probe.shape.source.width, probe.shape.source.height, true));
        }
    } else if (!plan.moves()) {
        if (is_quick(plan, probe_width, probe_height)) {
            require(wrong_on_probe(gpu, plan, probe_width, probe_height));
        }
        if (proofs.any_open() && is_quick(plan, large_probe_width, large_probe_height)) {
            require(wrong_on_probe(gpu, plan, large_probe_width, large_probe_height));
        }
    }
    if (!proofs.any_open()) {
        return;
    }
    if (can_compare) {
        const Probe transfers(gpu, true); // their programs are not the ones being proved
        require(difference_of_twin(gpu.download(source.image), gpu.download(image), plan,
                                   plan.work.needs(gpu), most_work)
                    .wrong);
    }
    proofs.close_all(can_compare);
}

GpuImage run_once(Context& gpu, const Plan& plan, const Part& source, const Rect& result) {
    const OpenPrograms open(gpu);
    GpuImage image = plan.work.run(gpu, source, result);
    if (has_open_programs(gpu) && (plan.twin.run || plan.proof.probe)) {
        prove(gpu, plan, source, result, image);
    }
    return image;
}

} // namespace

Form probe_form(const Form& form) {
    return {std::min(form.width, probe_width), std::min(form.height, probe_height), form.channels, form.depth};
}

void refuse_result(Context& gpu, const std::string& fault) {
    Proofs& proofs = gpu.state().proofs;
    const std::vector<std::string> kernels = proofs.open_kernels();
    proofs.drop_open();
    const DeviceInfo& device = gpu.device();
    throw WrongKernel(ErrorCode::no_context,
                      fmt::format("{} ({}) computes wrong values in {}: {}", device.renderer, device.version,
                                  fmt::join(kernels, ", "), fault),
                      "leave out --method, or choose another driver with --device");
}

bool has_open_programs(Context& gpu) {
    const Proofs& proofs = gpu.state().proofs;
    return proofs.any_open() && !proofs.is_probing();
}

OpenPrograms::OpenPrograms(Context& gpu) : gpu_(gpu), thrown_(std::uncaught_exceptions()) {}

OpenPrograms::~OpenPrograms() {
    Proofs& proofs = gpu_.state().proofs;
    if (std::uncaught_exceptions() > thrown_ && !proofs.is_probing()) {
        proofs.drop_open();
    }
}

void warn_of(Context& gpu, const WrongKernel& wrong, std::string_view method) {
    gpu.state().proofs.warn(fmt::format("{}; done by method {}", wrong.what(), method));
}

GpuImage run_proved(Context& gpu, const Plan& plan, const Part& source, const Rect& result) {
    std::optional<GpuImage> image;
    run_by_right_plan(gpu, plan,
                      [&](const Plan& right) { image.emplace(run_once(gpu, right, source, result)); });
    return std::move(*image);
}

void run_by_right_plan(Context& gpu, const Plan& plan, const std::function<void(const Plan&)>& run) {
    if (plan.proof.fallback && plan.proof.fallback->chosen) {
        return run_by_right_plan(gpu, *plan.proof.fallback->chosen, run);
    }
    std::optional<WrongKernel> first;
    try {
        return run(plan);
    } catch (const WrongKernel& wrong) {
        if (!plan.proof.fallback || gpu.state().proofs.is_probing()) {
            throw;
        }
        first = wrong;
    }
    for (auto& [method, other] : plan.proof.fallback->plans()) {
        try {
            if (other.work.why_unavailable && other.work.why_unavailable(gpu)) {
                continue;
            }
            run(other);
            warn_of(gpu, *first, method);
            plan.proof.fallback->chosen = std::make_shared<const Plan>(std::move(other));
            return;
        } catch (const WrongKernel&) { // so the next one is tried
        }
    }
    throw WrongKernel(*first);
}

Image probe_picture(const Form& form) {
    Image picture(form);
    RandomWords noise;
    std::size_t i = 0;
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            const bool is_calm = 2 * x < form.width; // in noise all large windows have the same extremes
            const double slope = 0.25 + 0.5 * x / form.width;
            for (int c = 0; c < form.channels; ++c) {
                const std::size_t at = i++;
                const double any = probe_value(noise, at);
                const double value = is_calm ? slope + any / 8 : any;
                switch (form.depth) {
                case Depth::u8:
                    picture.values<std::uint8_t>()[at] = static_cast<std::uint8_t>(std::lround(value * 255));
                    break;
                case Depth::u16:
                    picture.values<std::uint16_t>()[at] = static_cast<std::uint16_t>(std::lround(value * 65535));
                    break;
                case Depth::f32:
                    picture.values<float>()[at] = static_cast<float>(value);
                    break;
                }
            }
        }
    }
    return picture;
}

namespace {

/// Nothing where the probe did not run to its end.
std::optional<std::string> difference_in(Context& gpu, const std::function<Workload()>& make, bool may_build) {
    Probe probe(gpu, may_build);
    try {
        const Workload work = make();
        work.run();
        const std::string difference = work.check().wrong;
        probe.was_right = difference.empty();
        return difference;
    } catch (const UselessProbe&) { // it would take other programs
    } catch (const Error& error) {  // lowered limits, say, have no room for it
        if (error.code() != ErrorCode::operation) {
            throw;
        }
    }
    return std::nullopt;
}

void prove_by(Context& gpu, const std::function<Workload()>& make) {
    const CheckTime time(gpu);
    std::optional<std::string> difference = difference_in(gpu, make, false);
    if (!difference) { // then it is worth building programs for it
        difference = difference_in(gpu, make, true);
    }
    if (difference && !difference->empty()) {
        refuse_result(gpu, *difference);
    }
    gpu.state().proofs.close_all(difference.has_value()); // the others are the same kernels for larger inputs
}

} // namespace

void prove_on_picture(Context& gpu, const Form& form, const std::function<Workload(const ImageInput&)>& make) {
    const Form small{std::min(form.width, large_probe_width), std::min(form.height, large_probe_height), form.channels,
                     form.depth};
    const std::string name = "probe";
    const Image picture = probe_picture(small);
    std::optional<GpuImage> uploaded;
    std::optional<ImageInput> input;
    prove_by(gpu, [&] {
        uploaded.emplace(gpu.upload(picture, name));
        check_transfers(gpu, picture, *uploaded);
        input.emplace(ImageInput{name, picture, *uploaded});
        return make(*input);
    });
}

Array probe_array(ArrayType type) {
    constexpr std::size_t count = 20011;
    Array values{type, {count}, std::vector<std::byte>(count * 4)};
    RandomWords noise;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = next_fraction(noise) * 1000;
        const std::uint32_t bits = type == ArrayType::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                                          : static_cast<std::uint32_t>(value);
        std::memcpy(values.bytes.data() + i * 4, &bits, 4);
    }
    return values;
}

void prove_on_array(Context& gpu, ArrayType type, const std::function<Workload(const ArrayInput&)>& make) {
    const Array values = probe_array(type);
    std::optional<GpuArray> uploaded;
    std::optional<ArrayInput> input;
    prove_by(gpu, [&] {
        uploaded.emplace(gpu.upload(values, "probe"));
        input.emplace(ArrayInput{*uploaded});
        return make(*input);
    });
}

} // namespace glproc
