#include "glproc/ops/scan.hpp"

#include "glproc/gl/tuning.hpp"
#include "glproc/ops/scan_variants.hpp"

#include <algorithm>

namespace glproc {

namespace {

/// The running sums of `values` in place, in `Sum`'s arithmetic.
template <class Sum, class T>
void sum_up(std::vector<T>& values, bool exclusive) {
    Sum sum = 0;
    for (T& value : values) {
        const Sum with = sum + static_cast<Sum>(value);
        value = static_cast<T>(exclusive ? sum : with);
        sum = with;
    }
}

void run_cpu(const Scan& scan, const Buffer& in, Buffer& out, std::size_t count) {
    if (scan.type == ScanType::f32) {
        std::vector<float> values = in.read<float>(count);
        sum_up<double>(values, scan.exclusive);
        out.write(values);
    } else {
        std::vector<std::uint32_t> values = in.read<std::uint32_t>(count); // i32 wraps to the same bits
        sum_up<std::uint32_t>(values, scan.exclusive);
        out.write(values);
    }
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
    const std::string_view family = gpu.device().has_subgroup ? "scan" : "scan without subgroups";
    return FieldText<ScanVariant>::parse({"variant", "", {}}, tuned_variant(gpu.device(), family));
}

ScanPlan plan_scan(Context& gpu, ScanVariant variant) {
    const auto align = static_cast<std::size_t>(std::max<std::int64_t>(gpu.limits().storage_alignment, 16));
    const auto block = static_cast<std::size_t>(gpu.limits().storage_block_bytes);
    ScanPlan plan{.chunk_words = block / align * align / sizeof(std::uint32_t)};
    if (variant != ScanVariant::blocked && gpu.device().has_subgroup) {
        plan.quads = 3;
        plan.subgroup = 1;
    }
    if (variant == ScanVariant::lookback && plan.subgroup == 1) { // see the tuning row of scan
        plan.group = 512;
        plan.quads = 2;
    }
    if (gpu.device().software) { // few invocations, so that barriers are cheap
        plan.group = 8;
        plan.quads = 8;
        plan.window = 8;
    }
    return plan;
}

void run_scan(Context& gpu, const Scan& scan, const ScanPlan& plan, const Buffer& in, Buffer& out,
              std::size_t count) {
    Buffer carry = gpu.make_buffer(sizeof(std::uint32_t), "scan.carry");
    carry.fill(0);
    for (std::size_t first = 0; first < count; first += plan.chunk_words) {
        const std::size_t words = std::min(plan.chunk_words, count - first);
        const ScanJob job{gpu, scan, plan, {in, first, words}, {out, first, words}, carry};
        run_variant(job);
        if (first + words < count) {
            job.pass("scan.carry", "scan_carry.comp", {})
                .writes("b_carry", carry)
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
        throw Error(ErrorCode::operation, *why, "use variant auto, blocked or lookback");
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

const OpInfo& scan_info() {
    static const OpInfo info =
        Describe<Scan>("scan", "prefix sums: at each place the sum of all values up to it",
                       "in.npy out.npy --exclusive")
            .toggle("inclusive", &Scan::exclusive, false,
                    {.help = "each sum contains the value at its own place, as without either switch",
                     .contradicts = "exclusive"})
            .toggle(
                "exclusive", &Scan::exclusive, true,
                {.help = "each sum ends before its own place; the first is 0", .contradicts = "inclusive"})
            .field("variant", &Scan::variant,
                   {.value = "V", .help = "how it is computed; integer sums are the same, floats nearly"})
            .runs(Product::array, [](const Scan& op, Context& gpu, const ArrayInput& input) -> OpOutput {
                const GpuArray& values = input.array;
                GpuArray sums{values.type, values.shape, gpu.make_buffer(values.words.bytes(), "scan.sums")};
                Scan scan = op;
                scan.type = values.type;
                scan(gpu, values.words, sums.words, values.count());
                return sums;
            });
    return info;
}

} // namespace glproc
