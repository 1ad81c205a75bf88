#include "glproc/ops/histogram/sweep.hpp"

#include "glproc/op/proof.hpp"
#include "glproc/ops/histogram/bench.hpp"
#include "glproc/ops/histogram/count.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace glproc {

namespace {

Histogram with_variant(const Histogram& asked, const Context& gpu) {
    Histogram histogram = asked;
    if (histogram.variant == HistogramVariant::automatic) {
        histogram.variant = tuned_histogram(gpu.device());
    }
    return histogram;
}

std::vector<ChannelCounts> count_by_variant(const Histogram& asked, Context& gpu, BandRows& rows) {
    const Histogram histogram = with_variant(asked, gpu);
    if (histogram.variant == HistogramVariant::cpu) {
        return count_on_cpu(rows.pixels(), histogram);
    }
    const GpuImage& image = rows.image();
    return read_counts(count_on_gpu_buffer(gpu, image, histogram), image.form(), histogram);
}

std::vector<ChannelCounts> count(const Histogram& histogram, Context& gpu, BandRows& rows) {
    return run_by_proved_method(
        gpu, histogram, &Histogram::variant, [&](const Histogram& op) { return count_by_variant(op, gpu, rows); },
        [&](const Histogram& op) {
            prove_on_picture(gpu, rows.image().form(), [&](const ImageInput& probe) {
                return histogram_workload(with_variant(op, gpu), gpu, probe);
            });
        });
}

} // namespace

BandCounts::BandCounts(const Histogram& histogram, Context& gpu, const BandCut& cut)
    : histogram_(histogram), width_(cut.is_wide ? plan_grid(gpu, cut.picture, histogram_needs(cut.picture)).size.x : 0) {}

void BandCounts::add(Context& gpu, Band& band) {
    if (width_ == 0) {
        return add(count(histogram_, gpu, band.source()));
    }
    visit_columns(band.pixels(), width_, [&](const Image& part) {
        BandRows rows(gpu, nullptr, &part);
        add(count(histogram_, gpu, rows));
    });
}

void BandCounts::add(std::vector<ChannelCounts> more) {
    if (counts_.empty()) {
        counts_ = std::move(more);
        return;
    }
    for (std::size_t i = 0; i < more.size(); ++i) {
        ChannelCounts& sum = counts_[i];
        std::transform(more[i].counts.begin(), more[i].counts.end(), sum.counts.begin(), sum.counts.begin(),
                       std::plus<>());
        sum.outside += more[i].outside;
        sum.nan += more[i].nan;
    }
}

HistogramSweep::HistogramSweep(const Histogram& histogram, Context& gpu, const BandCut& cut, bool measures)
    : counts_(histogram, gpu, cut) {
    for (const HistogramChannel channel : histogram.channels) {
        if (measures) {
            measured_.emplace_back(cut.picture, channel, histogram.luma, histogram.hidden);
        }
    }
}

RowsMade HistogramSweep::next(Context& gpu, Band& band) {
    if (!is_second_) {
        counts_.add(gpu, band);
    }
    for (Measurement& one : measured_) {
        one.add(band.pixels());
    }
    return {};
}

bool HistogramSweep::again() {
    if (std::exchange(is_second_, true)) {
        return false;
    }
    // All of them: those that are done look at nothing new.
    return std::count_if(measured_.begin(), measured_.end(), [](Measurement& one) { return one.begin_again(); }) > 0;
}

std::vector<Statistics> HistogramSweep::statistics() const {
    std::vector<Statistics> statistics;
    std::transform(measured_.begin(), measured_.end(), std::back_inserter(statistics),
                   [](const Measurement& one) { return one.result(); });
    return statistics;
}

SweepPlan histogram_plan(const Histogram& histogram, const Form& form, bool measures) {
    check_histogram(histogram, form);
    return {.source = form,
            .needs = [form](Context&) { return histogram_needs(form); },
            .sweeps = {{.may_repeat = measures, .begin = [=](Context& gpu, const BandCut& cut, SweepState*) {
                            return std::make_unique<HistogramSweep>(histogram, gpu, cut, measures);
                        }}}};
}

TileNeeds histogram_needs(const Form& form) {
    const int pixels = pixels_per_texel(form);
    return {.what = "histogram",
            .grain = {pixels, 1},
            .texel_pixels = pixels,
            .pixel_bytes = 16.0 / pixels,
            .pixel_work = 1};
}

} // namespace glproc
