#include "glproc/ops/histogram/measured.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/transfer_curve.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/ops/histogram/count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The range of an image whose floats are not all from 0 to 1, in which bins can be told apart.
Interval counted_range(Interval own) {
    const double least = 1e-6 * std::max(std::abs(own.low), std::abs(own.high)); // of floats: 2^-24
    own.high = std::max(own.high, own.low + least);
    return own;
}

/// Whether floats from 0 to 1 lie in a few neighbouring bins, in which they may be told apart by their own range alone.
bool are_narrow(const ChannelCounts& channel) {
    const auto is_used = [](std::uint64_t count) { return count > 0; };
    const Counts& counts = channel.counts;
    const auto first = std::find_if(counts.begin(), counts.end(), is_used);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), is_used).base();
    return first != counts.end() && static_cast<double>(last - first) <= static_cast<double>(counts.size()) * narrow_range + 1;
}

/// `count` counts by a histogram, `own` returns the range of the image.
template <class Count, class Own>
Counted counted_by(Histogram histogram, bool is_of_floats, const Count& count, const Own& own) {
    Counted counted{count(histogram), histogram.range};
    const bool is_beyond = std::any_of(counted.channels.begin(), counted.channels.end(),
                                       [](const ChannelCounts& channel) { return channel.outside > 0; });
    if (is_beyond || (is_of_floats && std::ranges::all_of(counted.channels, are_narrow))) {
        histogram.range = own();
    }
    if (histogram.range != counted.range) {
        histogram.range = counted_range(histogram.range);
        add_finding(fmt::format("values from {:.6g} to {:.6g}", histogram.range.low, histogram.range.high));
        counted = {count(histogram), histogram.range};
    }
    return counted;
}

Point counted_by_processor(Context& gpu, const GpuImage& image, const Measure& measure) {
    return measure.point(counted_on_cpu(gpu.download(image), measure.histogram));
}

Buffer params_of(Context& gpu, const GpuImage& image, const Measure& measure) {
    return measure.params_on_gpu(gpu, image.form(), count_on_gpu_buffer(gpu, image, measure.histogram));
}

/// A probe that leaves both ends of the range empty, so that the parameters change it.
Image narrowed(const Image& probe) {
    Image image = probe;
    const auto narrow = [](auto codes) {
        using Code = typename decltype(codes)::value_type;
        constexpr int full = std::numeric_limits<Code>::max();
        std::ranges::transform(codes, codes.begin(), [](Code code) { return static_cast<Code>(full / 4 + code / 2); });
    };
    image.depth() == Depth::u8 ? narrow(image.values<std::uint8_t>()) : narrow(image.values<std::uint16_t>());
    return image;
}

/// Compares the parameters that the GPU finds with those that the processor finds.
Workload params_workload(Context& gpu, const ImageInput& probe, const Measure& measure) {
    const auto image = std::make_shared<const Image>(narrowed(probe.pixels));
    const auto on_gpu = std::make_shared<const GpuImage>(gpu.upload(*image, "probe"));
    const auto got = std::make_shared<std::optional<Buffer>>();
    return {.run = [=, &gpu, &measure] { *got = params_of(gpu, *on_gpu, measure); },
            .check =
                [=, &measure] {
                    const std::vector<float> right = measure.point(counted_on_cpu(*image, measure.histogram)).params;
                    const std::vector<float> found = (*got)->read<float>(right.size());
                    return Verdict{std::ranges::equal(std::as_bytes(std::span(found)), std::as_bytes(std::span(right)))
                                       ? ""
                                       : "other parameters are found"};
                }};
}

/// The counts stay on the GPU, so that no frame of a video waits for them.
Point look_without_counts(Context& gpu, const GpuImage& image, const Point& point, const Measure& measure) {
    return run_by_proved_method(
        gpu, point, &Point::method,
        [&](const Point& by) {
            if (by.method == PointMethod::cpu) {
                return counted_by_processor(gpu, image, measure);
            }
            Point seen = point;
            seen.computed = std::make_shared<const Buffer>(params_of(gpu, image, measure));
            return seen;
        },
        [&](const Point&) {
            prove_on_picture(gpu, image.form(),
                             [&](const ImageInput& probe) { return params_workload(gpu, probe, measure); });
        });
}

Point look_at(Context& gpu, const GpuImage& image, const Point& point, const Measure& measure) {
    const bool is_of_probe = gpu.state().proofs.is_probing(); // on which the mask does not lie
    if (measure.within && !(is_of_probe && !measure.within.fits(image.form()))) {
        const Image pixels = gpu.download(image);
        return measure.point(counted_within(rows_of(pixels), measure.within, measure.histogram));
    }
    if (point.method == PointMethod::cpu) {
        return counted_by_processor(gpu, image, measure);
    }
    const bool is_all_codes = image.depth() != Depth::f32 && !image.has_alpha();
    if (measure.params_on_gpu && is_all_codes && !findings_wanted()) {
        return look_without_counts(gpu, image, point, measure);
    }
    return measure.point(counted_by(
        measure.histogram, image.depth() == Depth::f32,
        [&](const Histogram& histogram) { return histogram(gpu, image); },
        [&] { return own_range(gpu.download(image)); }));
}

Counts flat(const std::vector<ChannelCounts>& channels) {
    Counts all;
    for (const ChannelCounts& channel : channels) {
        all.insert(all.end(), channel.counts.begin(), channel.counts.end());
        all.insert(all.end(), {channel.outside, channel.nan});
    }
    return all;
}

/// The reverse of flat().
std::vector<ChannelCounts> by_channel(const Counts& all, const Histogram& histogram) {
    const auto bins = static_cast<std::ptrdiff_t>(histogram.bins);
    if (all.size() != histogram.channels.size() * static_cast<std::size_t>(bins + 2)) {
        throw Error(ErrorCode::usage, "these counts are not of this operation");
    }
    std::vector<ChannelCounts> channels;
    for (auto at = all.begin(); at != all.end(); at += bins + 2) {
        channels.push_back({histogram.channels[channels.size()], {at, at + bins}, at[bins], at[bins + 1]});
    }
    return channels;
}

/// Where each machine has counted its part of floats: none of them knows the range of the whole.
void refuse_own_range(const std::vector<ChannelCounts>& counts) {
    const bool is_beyond = std::any_of(counts.begin(), counts.end(), [](const ChannelCounts& channel) {
        return channel.outside > 0 && channel.counts.front() == 0 && channel.counts.back() == 0; // infinities have no bin
    });
    const bool is_of_one_value = std::ranges::all_of(counts, [](const ChannelCounts& channel) {
        return std::ranges::count_if(channel.counts, [](std::uint64_t count) { return count > 0; }) == 1;
    });
    if (is_beyond || (std::ranges::all_of(counts, are_narrow) && !is_of_one_value)) {
        throw Error(ErrorCode::operation,
                    "floats beyond 0 to 1, or in a narrow part of it, are counted over the range of the whole image",
                    "scale them to 0 to 1 first");
    }
}

} // namespace

double Counted::edge(std::size_t bin) const {
    const double share = static_cast<double>(bin) / static_cast<double>(channels.front().counts.size());
    return range.low + share * (range.high - range.low);
}

float Counted::last_in(std::size_t bin) const {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::size_t bins = channels.front().counts.size();
    const FloatBins how = float_bins(range, static_cast<int>(bins));
    if (bin + 1 >= bins) {
        return how.high;
    }
    const auto is_in = [&](float value) {
        const float offset = value - how.low;
        return offset * how.scale < static_cast<float>(bin + 1);
    };
    auto value = static_cast<float>(edge(bin + 1));
    while (!is_in(value)) {
        value = std::nextafter(value, -infinity);
    }
    while (is_in(std::nextafter(value, infinity))) {
        value = std::nextafter(value, infinity);
    }
    return value;
}

Counted counted_on_cpu(const Image& image, const Histogram& histogram) {
    return counted_by(
        histogram, image.depth() == Depth::f32, [&](const Histogram& asked) { return count_on_cpu(image, asked); },
        [&] { return own_range(image); });
}

Counted counted_within(const RowSource& rows, const CountedWithin& within, const Histogram& histogram) {
    return counted_by(
        histogram, rows.form.depth == Depth::f32,
        [&](const Histogram& asked) { return count_within(rows, within, asked); },
        [&] {
            OwnRange own;
            add_range_within(rows, within, own);
            return own.range();
        });
}

Counted counted_over(const EachImage& images, Depth depth, const Measure& measure) {
    const CountedWithin& within = measure.within;
    OwnRange own;
    bool knows_range = depth != Depth::f32;
    const auto count = [&](const Histogram& asked) {
        std::vector<ChannelCounts> all;
        images([&](const Image& image) {
            const RowSource rows = rows_of(image);
            add_counts(all, within ? count_within(rows, within, asked) : count_on_cpu(image, asked));
            if (!knows_range) {
                within ? add_range_within(rows, within, own)
                       : own.add(image.values<float>(), image.channels());
            }
            return true;
        });
        knows_range = true;
        return all;
    };
    return counted_by(measure.histogram, depth == Depth::f32, count, [&] { return own.range(); });
}

std::uint64_t pixels_in(const ChannelCounts& counts) {
    return std::accumulate(counts.counts.begin(), counts.counts.end(), std::uint64_t{0});
}

std::shared_ptr<const Counting>
counting_by(const Histogram& histogram,
            std::function<Plan(Context&, const std::vector<ChannelCounts>&)> plan) {
    return std::make_shared<const Counting>(
        Counting{[histogram](Context& gpu, const GpuImage& part) { return flat(histogram(gpu, part)); },
                 [histogram, plan = std::move(plan)](Context& gpu, const Counts& counts) {
                     return plan(gpu, by_channel(counts, histogram));
                 }});
}

namespace {

std::shared_ptr<const Counting> counting_over(const Form& form, const Measure& measure, bool knows_range = false) {
    const Interval range = measure.histogram.range;
    Counting counting = *counting_by(measure.histogram, [=](Context&, const std::vector<ChannelCounts>& counts) {
        if (form.depth == Depth::f32 && !knows_range) {
            refuse_own_range(counts);
        }
        return point_plan(form, measure.point({counts, range}));
    });
    if (form.depth == Depth::f32) {
        counting.over = [=](const Interval& own) {
            Measure over = measure;
            over.histogram.range = own == Interval{} ? own : counted_range(own);
            return counting_over(form, over, true);
        };
    }
    return std::make_shared<const Counting>(std::move(counting));
}

} // namespace

Plan measured_plan(const Form& form, const Point& point, const Measure& given) {
    Measure measure = given;
    if (point.method == PointMethod::cpu) {
        measure.histogram.variant = HistogramVariant::cpu;
    }
    check_histogram(measure.histogram, form);
    Plan plan = point_plan(form, point, [=](Context& gpu, const Look& picture, const TileProgress& progress) {
        if (const auto* image = std::get_if<const GpuImage*>(&picture)) {
            return look_at(gpu, **image, point, measure);
        }
        const Histogram& asked = measure.histogram;
        const RowSource& rows = *std::get<const RowSource*>(picture);
        if (measure.within) {
            return measure.point(counted_within(rows, measure.within, asked));
        }
        return measure.point(counted_by(
            asked, form.depth == Depth::f32,
            [&](const Histogram& histogram) { return histogram(gpu, rows, progress); },
            [&] { return own_range(rows); }));
    });
    plan.look.counting = measure.within ? nullptr : counting_over(form, measure);
    plan.twin.holds_picture = true;
    plan.look.alone = [=](const RowSource& source) {
        if (measure.within) {
            return point_plan(source.form,
                              measure.point(counted_within(source, measure.within, measure.histogram)));
        }
        Image image(source.form);
        source.open()->read(image.bytes());
        return point_plan(source.form, measure.point(counted_on_cpu(image, measure.histogram)));
    };
    plan.twin.run = {}; // the look decides what it does
    return plan;
}

int bins_of(const Form& form) {
    return form.depth == Depth::u8 ? 256 : 65536;
}

} // namespace glproc
