#include "glproc/ops/scan.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/ops/scan/variants.hpp"
#include "glproc/op/workload.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr auto scan_variants =
    tuning<ScanVariant>({{"llvmpipe", any_radius, ScanVariant::cpu, "see scan without subgroups"},
                         {"nvidia", any_radius, ScanVariant::lookback,
                          "u32, 2^20, 2^24 and 2^28 values: lookback 0.0103, 0.0499 and 0.600 ms, subgroup "
                          "0.027, 0.107 and 1.64 (NVIDIA H200, driver 580.159.04, 2026-11-22)"},
                         {"", any_radius, ScanVariant::subgroup, "not measured on other GPUs yet"}});

constexpr auto scan_variants_without_subgroups = tuning<ScanVariant>(
    {{"llvmpipe", any_radius, ScanVariant::cpu,
      "u32, 2^20 and 2^24 values, both transfers included: cpu 1.2 and 156 ms, blocked 37 and 548, lookback "
      "48 and 650 (llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-20)"},
     {"", any_radius, ScanVariant::blocked,
      "u32, 2^20, 2^24 and 2^28 values: blocked 0.028, 0.136 and 1.76 ms, lookback 0.036, 0.379 and 21.7 "
      "(NVIDIA H200, driver 580.159.04, without GL_KHR_shader_subgroup, 2026-11-20)"}});

/// The running sums of `values` in `Sum`'s arithmetic; `sums` may be the same memory.
template <class Sum, class T>
void sum_up(std::span<const T> values, std::span<T> sums, bool exclusive) {
    Sum sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Sum with = sum + static_cast<Sum>(values[i]);
        sums[i] = static_cast<T>(exclusive ? sum : with);
        sum = with;
    }
}

template <class Sum, class T>
void sum_up(const Array& values, Array& sums, bool exclusive) {
    sum_up<Sum, T>({reinterpret_cast<const T*>(values.bytes.data()), values.count()},
                   {reinterpret_cast<T*>(sums.bytes.data()), sums.count()}, exclusive);
}

/// Variant `cpu`; `sums` may be `values`.
void sum_on_cpu(const Scan& scan, const Array& values, Array& sums) {
    if (scan.type == ScanType::f32) {
        sum_up<double, float>(values, sums, scan.exclusive);
    } else {
        sum_up<std::uint32_t, std::uint32_t>(values, sums, scan.exclusive); // i32 wraps to the same bits
    }
}

void run_cpu(const Scan& scan, const Buffer& in, Buffer& out, std::size_t count) {
    Array values{scan.type, {count}, in.read<std::byte>(count * sizeof(std::uint32_t))};
    sum_on_cpu(scan, values, values);
    out.write(values.bytes);
}

void check_buffers(const Buffer& in, const Buffer& out, std::size_t count) {
    if (in.id() == out.id()) {
        throw Error(ErrorCode::operation,
                    fmt::format("a prefix sum cannot overwrite its input, buffer {}", in.label()),
                    "give it another buffer to write to");
    }
    for (const Buffer* buffer : {&in, &out}) {
        if (count > buffer->bytes() / sizeof(std::uint32_t)) {
            throw Error(ErrorCode::operation,
                        fmt::format("a prefix sum of {} values wants {} bytes, buffer {} has {}", count,
                                    count * sizeof(std::uint32_t), buffer->label(), buffer->bytes()));
        }
    }
}

void run_variant(const ScanJob& job) {
    switch (job.scan.variant) {
    case ScanVariant::hillis_steele:
        return run_hillis_steele(job);
    case ScanVariant::blelloch:
        return run_blelloch(job);
    case ScanVariant::blocked:
    case ScanVariant::subgroup:
        return run_blocked(job);
    case ScanVariant::lookback:
        return run_lookback(job);
    case ScanVariant::automatic:
    case ScanVariant::cpu:
        break;
    }
    throw Error(ErrorCode::operation, fmt::format("run_scan cannot run {}", name_of(job.scan.variant)));
}

} // namespace

std::optional<std::string> why_unavailable(Context& gpu, ScanVariant variant) {
    if (variant == ScanVariant::subgroup && !gpu.device().has_subgroup) {
        return fmt::format("scan variant subgroup needs GL_KHR_shader_subgroup, which {} does not have or "
                           "GLPROC_DISABLE turns off",
                           gpu.device().renderer);
    }
    return std::nullopt;
}

ScanVariant choose_scan_variant(Context& gpu) {
    const DeviceInfo& device = gpu.device();
    return device.has_subgroup ? tuned(scan_variants, device)
                               : tuned(scan_variants_without_subgroups, device);
}

ScanPlan plan_scan(Context& gpu, ScanVariant variant) {
    const auto align = static_cast<std::size_t>(std::max<std::int64_t>(gpu.limits().storage_alignment, 16));
    const auto block = static_cast<std::size_t>(gpu.limits().storage_block_bytes);
    ScanPlan plan{.chunk_words = block / align * align / sizeof(std::uint32_t)};
    if (variant != ScanVariant::blocked && gpu.device().has_subgroup) {
        plan.quads = 3;
        plan.subgroup = 1;
    }
    if (variant == ScanVariant::lookback && plan.subgroup == 1) { // see scan_variants
        plan.group = 512;
        plan.quads = 3;
    }
    if (gpu.device().is("nvidia")) { // its groups start in order, and all its subgroups are of one size
        plan.tickets = false;
        plan.lanes = static_cast<int>(gpu.limits().subgroup_size);
    }
    if (gpu.device().software) { // few invocations, so that barriers are cheap
        plan.group = 8;
        plan.quads = 8;
        plan.window = 8;
    }
    return plan;
}

ScanPlan plan_scan_of_blocks(Context& gpu) {
    ScanPlan plan = plan_scan(gpu, ScanVariant::lookback);
    if (plan.subgroup == 1 &&
        !gpu.device().software) { // a tile is a block; see array_buffer_bytes of gl/context.cpp
        plan.group = 256;
        plan.quads = 4;
    }
    return plan;
}

void run_scan(Context& gpu, const Scan& scan, const ScanPlan& plan, const Buffer& in, Buffer& out,
              std::size_t count) {
    ScanMemory& memory = gpu.kept<ScanMemory>();
    memory.prepare(gpu);
    for (std::size_t first = 0; first < count; first += plan.chunk_words) {
        const std::size_t words = std::min(plan.chunk_words, count - first);
        const ScanJob job{gpu,
                          scan,
                          plan,
                          {in, first, words},
                          {out, first, words},
                          first == 0 ? *memory.zero : *memory.carry};
        run_variant(job);
        if (first + words < count) {
            job.pass("scan.carry", "scan/carry.comp", {})
                .writes("b_carry", *memory.carry)
                .set("u_exclusive", job.exclusive())
                .groups_1d(1);
        }
    }
}

void Scan::operator()(Context& gpu, const Buffer& in, Buffer& out, std::size_t count) const {
    check_buffers(in, out, count);
    Scan scan = *this;
    scan.variant = variant == ScanVariant::automatic ? choose_scan_variant(gpu) : variant;
    if (const auto why = why_unavailable(gpu, scan.variant)) {
        throw Error(ErrorCode::operation, *why, "use --method auto, blocked or lookback");
    }
    if (count == 0) {
        return;
    }
    if (scan.variant == ScanVariant::cpu) {
        run_cpu(scan, in, out, count);
    } else {
        run_scan(gpu, scan, plan_scan(gpu, scan.variant), in, out, count);
    }
}

namespace {

/// The fault in the sums of floats, if any. They may miss the exact ones by n · ε · Σ|x|.
std::string float_difference(const Scan& scan, const Array& values, const Array& sums) {
    double sum = 0;
    double magnitude = 0;
    for (std::size_t i = 0; i < values.count(); ++i) {
        const double before = sum;
        sum += value_at<float>(values, i);
        magnitude += std::abs(value_at<float>(values, i));
        const double expected = scan.exclusive ? before : sum;
        const double got = value_at<float>(sums, i);
        if (!(std::abs(got - expected) <= static_cast<double>(i + 1) * 0x1p-23 * magnitude)) {
            return fmt::format("sum {} is {}, not {}", i, got, expected);
        }
    }
    return {};
}

/// The scan of an array with its open settings decided: its variant and the type of its elements.
Scan decided(const Scan& asked, Context& gpu, const GpuArray& values) {
    Scan scan = asked;
    scan.type = values.type;
    if (scan.variant == ScanVariant::automatic) {
        scan.variant = choose_scan_variant(gpu);
    }
    return scan;
}

/// A copy of the values in a buffer, if they lie in blocks that the variant cannot read.
std::optional<GpuArray> copy_for(ScanVariant variant, Context& gpu, const GpuArray& values) {
    const bool reads_it = variant == ScanVariant::lookback || variant == ScanVariant::cpu;
    return values.in_blocks() && !reads_it ? std::optional(gpu.in_words(values, "scan.values"))
                                           : std::nullopt;
}

/// Memory for the sums of an array, of the same kind as for its values.
GpuArray make_sums(Context& gpu, const GpuArray& values) {
    constexpr const char* label = "scan.sums";
    if (values.in_blocks()) {
        return {values.type, values.shape, gpu.make_image(values.blocks().form(), label)};
    }
    return {values.type, values.shape, gpu.make_buffer(values.words().bytes(), label)};
}

/// Sums by any variant except `cpu`; `sums` comes from make_sums().
void sum_on_gpu(const Scan& scan, Context& gpu, const GpuArray& values, GpuArray& sums) {
    if (values.in_blocks()) {
        run_scan_of_blocks(gpu, scan, plan_scan_of_blocks(gpu), values, sums);
    } else {
        scan(gpu, values.words(), sums.words(), values.count());
    }
}

Workload scan_workload(const Scan& op, Context& gpu, const ArrayInput& input) {
    struct Work {
        Scan scan;
        Array values;
        Array sums;
        std::optional<GpuArray> copy;
        GpuArray out;
    };
    const Scan scan = decided(op, gpu, input.array);
    std::optional<GpuArray> copy = copy_for(scan.variant, gpu, input.array);
    GpuArray out = make_sums(gpu, copy ? *copy : input.array);
    const Array values = gpu.download(input.array);
    const auto work = std::make_shared<Work>(Work{scan, values, values, std::move(copy), std::move(out)});
    const bool on_cpu = scan.variant == ScanVariant::cpu;
    Workload result;
    result.on_cpu = on_cpu;
    result.least_bytes = 2.0 * static_cast<double>(values.bytes.size());
    result.run = [work, &gpu, &in = input.array] {
        if (work->scan.variant == ScanVariant::cpu) {
            sum_on_cpu(work->scan, work->values, work->sums);
        } else {
            sum_on_gpu(work->scan, gpu, work->copy ? *work->copy : in, work->out);
        }
    };
    result.check = [work, &gpu, on_cpu]() -> Verdict {
        if (!on_cpu) {
            work->sums = gpu.download(work->out);
        }
        if (work->scan.type == ScanType::f32) {
            return {.wrong = float_difference(work->scan, work->values, work->sums)};
        }
        Array expected = work->values;
        sum_on_cpu(work->scan, work->values, expected);
        return {.wrong = difference(work->sums, expected)};
    };
    return result;
}

GpuArray sums_of(const Scan& scan, Context& gpu, const GpuArray& values) {
    if (scan.variant == ScanVariant::cpu) {
        Array sums = gpu.download(values);
        sum_on_cpu(scan, sums, sums);
        return gpu.upload(sums, "scan.sums");
    }
    const std::optional<GpuArray> copy = copy_for(scan.variant, gpu, values);
    const GpuArray& readable = copy ? *copy : values;
    GpuArray sums = make_sums(gpu, readable);
    sum_on_gpu(scan, gpu, readable, sums);
    return sums;
}

bool needs_no_device(const Scan& scan) {
    return scan.variant == ScanVariant::automatic || scan.variant == ScanVariant::cpu;
}

Array sums_alone(const Scan& asked, const Array& values) {
    Scan scan = asked;
    scan.type = values.type;
    Array sums = values;
    sum_on_cpu(scan, sums, sums);
    return sums;
}

/// 2^10, 2^12 … 2^26.
Ladder scan_ladder() {
    Ladder ladder{.title = "Prefix sums of random u32, ms", .columns = {}};
    for (int power = 10; power <= 26; power += 2) {
        ladder.columns.push_back({fmt::format("2^{}", power), std::to_string(1 << power)});
    }
    return ladder;
}

} // namespace

GpuArray Scan::operator()(Context& gpu, const GpuArray& values) const {
    return run_by_proved_method(
        gpu, *this, &Scan::variant, [&](const Scan& op) { return sums_of(decided(op, gpu, values), gpu, values); },
        [&](const Scan& op) {
            prove_on_array(gpu, values.type, [&](const ArrayInput& probe) { return scan_workload(op, gpu, probe); });
        });
}

const OpInfo& scan_info() {
    static const OpInfo info =
        Describe<Scan>("scan", "compute the prefix sums of an array",
                       "in.npy out.npy --exclusive")
            .example("Sum raw 32-bit integers, each sum without its own value",
                     "counts.raw offsets.npy --dtype u32 --exclusive")
            .found_by({"cumsum"}, "in.npy out.npy")
            .toggle("inclusive", &Scan::exclusive, false,
                    {.help = "each sum includes the value at its own position (the default)",
                     .contradicts = "exclusive"})
            .toggle("exclusive", &Scan::exclusive, true,
                    {.help = "each sum stops before its own position, so the first is 0",
                     .contradicts = "inclusive"})
            .field("method", &Scan::variant,
                   {.value = "M",
                    .help = "the algorithm; integer sums are identical, float sums agree within rounding",
                    .alias = "variant"})
            .bench<ArrayInput>(
                "method", &Scan::variant, {.size = "1048576", .ladders = {scan_ladder()}},
                [](const Scan& op, Context& gpu, const ArrayInput&) {
                    return why_unavailable(gpu, op.variant);
                },
                scan_workload)
            .at_need(&needs_no_device, &sums_alone)
            .runs(Product::array, [](const Scan& op, Context& gpu, const ArrayInput& input) -> Products {
                return op(gpu, input.array);
            });
    return info;
}

} // namespace glproc
