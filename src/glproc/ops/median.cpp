#include "glproc/ops/median.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/median/parts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace glproc {

std::uint32_t rank_among(double percentile, int count) {
    const int last = std::max(count - 1, 0);
    const int rank = percentile == 100 ? last : static_cast<int>(double(count) * percentile / 100);
    return static_cast<std::uint32_t>(std::min(rank, last));
}

int box_pixels(const Median& median) {
    return (2 * median.radius.x + 1) * (2 * median.radius.y + 1);
}

bool has_network(const Median& median) {
    const PerAxis<int> radius = median.radius;
    return median.percentile == 50 && (radius == PerAxis<int>(1) || radius == PerAxis<int>(2));
}

namespace {

constexpr auto median_methods =
    tuning<MedianMethod>({{"llvmpipe", any_radius, MedianMethod::cpu,
                           "2448x1505 RGBA8, radius 5 and 15: cpu 0.61 and 1.2 s, histogram 4.2 and 13.8; "
                           "radius 2: network 0.077 (llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-22)"},
                          {"", any_radius, MedianMethod::histogram, "the only one for any radius on a GPU"}});

constexpr auto median_methods_of_bytes = tuning<MedianMethod>(
    {{"llvmpipe", any_radius, MedianMethod::cpu, "see median"},
     {"", 7, MedianMethod::bits,
      "8192x8192 RGBA8, straight alpha, radius 5 and 7: bits 14.8 and 23.6 ms, thresholds 32.5 and 36, "
      "histogram 28.8 for 5 (NVIDIA H200, driver 580.159.04, 2026-11-23)"},
     {"", any_radius, MedianMethod::thresholds,
      "the same with radius 15: bits 80.7 ms, thresholds 21.6, histogram 87"}});

/// Why the method that it names cannot run; nothing if it can.
std::optional<std::string> why_unavailable(Context& gpu, const Form& form, const Median& median) {
    if (median.radius == PerAxis<int>(0)) {
        return std::nullopt;
    }
    if (median.method == MedianMethod::network && !has_network(median)) {
        return "network takes the 50th percentile with radius 1 or 2 along both axes";
    }
    if (median.method == MedianMethod::bits && !can_run_bits(gpu.limits(), form, median)) {
        return "bits takes 8 bits and a radius up to 7";
    }
    if (median.method == MedianMethod::thresholds && !can_run_thresholds(gpu.limits(), form, median)) {
        return "thresholds takes 8 bits and a radius up to 15";
    }
    if (median.method == MedianMethod::histogram && !can_run_histogram(gpu, form, median)) {
        return fmt::format("radius {},{} is too large for the loops of {}", median.radius.x, median.radius.y,
                           gpu.device().renderer);
    }
    return std::nullopt;
}

MedianMethod tuned_method(Context& gpu, const Form& form, const Median& median) {
    if (has_network(median)) {
        return MedianMethod::network;
    }
    const int radius = std::max(median.radius.x, median.radius.y);
    const bool is_of_bytes = can_run_thresholds(gpu.limits(), form, median);
    return is_of_bytes ? tuned(median_methods_of_bytes, gpu.device(), radius)
                       : tuned(median_methods, gpu.device());
}

GpuImage run_by_method(Context& gpu, const GpuImage& src, const Median& median) {
    const bool is_automatic = median.method == MedianMethod::automatic;
    switch (is_automatic ? tuned_method(gpu, src.form(), median) : median.method) {
    case MedianMethod::cpu:
        return gpu.upload(median_on_cpu(gpu.download(src), median), "median");
    case MedianMethod::network:
        return run_network(gpu, src, median);
    case MedianMethod::bits:
        return run_bits(gpu, src, median);
    case MedianMethod::thresholds:
        return run_thresholds(gpu, src, median);
    case MedianMethod::automatic:
    case MedianMethod::histogram:
        break;
    }
    return run_histogram(gpu, src, median);
}

/// Of floats a median leaves out what is missing: that is what hidden colours become. Denormals become 0 on the way.
GpuImage run_on_seen(Context& gpu, const GpuImage& src, Median median) {
    const GpuImage seen = with_hidden(gpu, src, std::numeric_limits<double>::quiet_NaN(), Depth::f32);
    for (const MedianMethod method : {median.method, MedianMethod::histogram, MedianMethod::cpu}) {
        median.method = method;
        if (!why_unavailable(gpu, seen.form(), median)) {
            break;
        }
    }
    return without_missing(gpu, run_by_method(gpu, seen, median), src.depth());
}

GpuImage run_median(Context& gpu, const GpuImage& src, const Median& median) {
    if (median.radius == PerAxis<int>(0)) {
        return gpu.copy(src, "median");
    }
    const bool may_hide = src.has_alpha() && (src.depth() == Depth::f32 || has_hidden(gpu, src)); // all tiles of floats go one way
    return median.method == MedianMethod::cpu || !may_hide ? run_by_method(gpu, src, median) : run_on_seen(gpu, src, median);
}

GpuImage run_all(Context& gpu, const GpuImage& src, const Median& median) {
    GpuImage medians = run_median(gpu, src, median);
    return median.outliers ? without_outliers(gpu, src, medians, median) : std::move(medians);
}

Image all_on_cpu(const Image& src, const Median& median) {
    Image medians = median_on_cpu(src, median);
    return median.outliers ? without_outliers(src, std::move(medians), median) : medians;
}

void check_outliers(const Median& median, const Form& form) {
    if (median.outliers.has_value() != median.threshold.has_value()) {
        throw Error(ErrorCode::usage, "median takes --outliers and --threshold together",
                    "glproc median in.png out.png --radius 2 --outliers bright --threshold 20%");
    }
    if (median.threshold) {
        check_level("threshold", *median.threshold, form, between_black_and_white, outlier_limit);
    }
}

/// Comparisons, counts and the like for each value.
double value_work(const Median& median, const Form& form) {
    const bool walks = form.depth == Depth::u8 || median.method == MedianMethod::cpu;
    return median.method == MedianMethod::network ? 60
           : walks                                ? 2.0 * (2 * median.radius.x + 1) + 32
                                                  : 4.0 * box_pixels(median);
}

} // namespace

Plan plan(const Median& op, const Form& form) {
    check_limit("radius", op.radius.x, median_radius_limit);
    check_limit("radius", op.radius.y, median_radius_limit);
    check_limit("percentile", op.percentile, percentile_limit);
    check_outliers(op, form);
    Plan plan = rank_plan(fmt::format("median with radius {},{}", op.radius.x, op.radius.y), form, op.border,
                          op.radius, value_work(op, form));
    if (form.has_alpha()) { // floats beside it: run_on_seen()
        plan.work.needs = [needs = plan.work.needs, form](Context& gpu) {
            TileNeeds all = needs(gpu);
            all.texel_pixels = pixels_per_texel({form.width, form.height, form.channels, Depth::f32});
            all.pixel_bytes += 2 * 16.0 / all.texel_pixels;
            return all;
        };
    }
    if (op.outliers) { // one image more
        plan.work.needs = [needs = plan.work.needs, form](Context& gpu) {
            TileNeeds all = needs(gpu);
            all.pixel_bytes += 16.0 / pixels_per_texel(form);
            return all;
        };
    }
    plan.work.why_unavailable = [=](Context& gpu) { return why_unavailable(gpu, form, op); };
    plan.work.run = [=](Context& gpu, const Part& source, const Rect&) {
        return run_all(gpu, source.image, op);
    };
    set_by_processor(
        plan, [op](const Image& source) { return all_on_cpu(source, op); },
        8.0 * form.width * form.channels * (2.0 * op.radius.y + 1));
    const bool has_network =
        op.radius.x <= 2 && op.radius.y <= 2; // which software renderers sort six times as fast
    plan.twin.work = can_run_sorted(form, op) ? 2.0 * box_pixels(op)
                     : has_network            ? 220
                                              : 100 + 15.0 * (2.0 * op.radius.y + 1);
    plan.twin.only_proves = op.method != MedianMethod::automatic && op.method != MedianMethod::cpu;
    plan.work.on_cpu = op.method == MedianMethod::cpu;
    return plan;
}

const OpInfo& median_info() {
    static const OpInfo info =
        Describe<Median>("median", "remove noise with a median filter, or take another percentile",
                         "in.png out.png --radius 2")
            .example("Take the darkest pixel around each one, to remove bright specks",
                     "photo.jpg out.jpg --radius 1 --percentile 0")
            .example("Remove salt-and-pepper noise", "photo.jpg out.jpg --radius 1")
            .example("Remove hot pixels, and leave all others as they are",
                     "photo.jpg out.png --radius 2 --outliers bright --threshold 20%")
            .found_by({"despeckle"}, "IN OUT --radius 1")
            .found_by({"medianblur"}, "IN OUT --radius 2")
            .found_by({"rank"}, "IN OUT --radius 1 --percentile 100")
            .found_by({"remove-outliers"}, "IN OUT --radius 2 --outliers bright --threshold 20%")
            .found_by({"inpaint", "-mode N"})
            .cost({.llvmpipe = 0, .per_work = 1.45})
            .field("radius", &Median::radius,
                   {.value = "R[,RY]",
                    .unit = "pixels",
                    .limit = median_radius_limit,
                    .slider = {0, 20},
                    .help = "how far the box reaches from its centre; R,RY for each axis",
                    .required = true})
            .field("percentile", &Median::percentile,
                   {.value = "P",
                    .unit = "percent",
                    .limit = percentile_limit,
                    .help = "which of the sorted values to take: 0 is the smallest, 100 the largest"})
            .field("outliers", &Median::outliers,
                   {.value = "WHICH",
                    .help = "replace only pixels that differ from the median by more than --threshold",
                    .needs = "threshold"})
            .field("threshold", &Median::threshold,
                   {.value = "V",
                    .limit = outlier_limit,
                    .slider = {0, 1, 0.005},
                    .help = "how far --outliers differ from the median",
                    .needs = "outliers"})
            .field("border", &Median::border)
            .field("alpha", &Median::alpha)
            .method(&Median::method,
                    {.size = "2448x1505",
                     .ladders = {{.title = "Median of a random 2448x1505 RGBA8 image, ms",
                                  .columns = {{"radius 1", "2448x1505", {{"radius", "1"}}},
                                              {"radius 2", "2448x1505", {{"radius", "2"}}},
                                              {"radius 5", "2448x1505", {{"radius", "5"}}},
                                              {"radius 15", "2448x1505", {{"radius", "15"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
