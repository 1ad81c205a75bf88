#include "glproc/ops/components/run.hpp"

#include "glproc/base/error.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/components/chosen.hpp"
#include "glproc/ops/components/numbers.hpp"
#include "glproc/ops/components/picture.hpp"
#include "glproc/ops/components/runs.hpp"
#include "glproc/ops/threshold.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr auto labelling_methods =
    tuning<ComponentsMethod>({{"llvmpipe", any_radius, ComponentsMethod::runs,
                               "2448x1505, random, half of it set, labels and sums: runs 84 ms, gpu 305 "
                               "(llvmpipe, Mesa 22.3.6, two busy cores, 2026-11-27)"},
                              {"", any_radius, ComponentsMethod::gpu,
                               "labels and sums stay on the device; runs need them in CPU memory"}});

/// A copy of rows, with room for `more`.
MaskBits rows_of_bits(Context& gpu, const MaskBits& bits, int first, int count, int more = 0) {
    MaskBits rows{
        bits.width, count + more,
        gpu.make_buffer(bits.row_bytes() * static_cast<std::size_t>(count + more), "components.rows")};
    rows.words.copy_from(bits.words, bits.row_bytes() * static_cast<std::size_t>(first), 0,
                         bits.row_bytes() * static_cast<std::size_t>(count));
    return rows;
}

/// By the threshold of `op` alone.
MaskBits mask_of(Context& gpu, const Components& op, const GpuImage& picture) {
    if (!op.threshold) {
        return mask_bits(gpu, picture);
    }
    const Rect all{0, 0, picture.width(), picture.height()};
    return mask_bits(gpu, plan_of(threshold_of(op), picture.form()).work.run(gpu, {picture, all}, all));
}

/// Whether the processor joins the runs of pixels: by the method `runs`, and where it is faster than the
/// device.
bool joins_runs_on_cpu(const Context& gpu, const Components& op) {
    const bool is_automatic = op.method == ComponentsMethod::automatic;
    return (is_automatic ? tuned(labelling_methods, gpu.device()) : op.method) == ComponentsMethod::runs;
}

/// Throws Error(operation) where median and mode take more memory than a picture in bands may.
void check_ranks(const Context& gpu, const MeasuredComponents& components) {
    const std::uint64_t bytes = SpreadMeasures::most_bytes(components.sums, components.with);
    if (bytes > gpu.memory_bytes()) {
        const std::uint64_t megabytes = bytes / 1000000 + 1;
        throw Error(ErrorCode::operation,
                    fmt::format("median and mode of these objects take {} MB of memory", megabytes),
                    fmt::format("--memory {}M", megabytes));
    }
}

std::vector<std::byte> bytes_of(const Image& rows) {
    return {rows.bytes().begin(), rows.bytes().end()};
}

} // namespace

LabelledPicture label_on_gpu(Context& gpu, const Components& op, const GpuImage& picture) {
    Labelling components(gpu, mask_of(gpu, op, picture), op.connectivity);
    const std::size_t pixels = std::size_t(picture.width()) * std::size_t(picture.height());
    Buffer labels = gpu.make_buffer(pixels * sizeof(std::uint32_t), "components.labels");
    components.write_labels(labels, 0, picture.height());
    Buffer sums = components.sums_of(1, std::max(components.count(), 1U), true, 0);
    return {std::move(components), std::move(labels), std::move(sums)};
}

std::pair<std::vector<ComponentSums>, std::vector<std::uint32_t>>
label_on_cpu(Context& gpu, const Components& op, const GpuImage& picture) {
    const MaskBits bits = mask_of(gpu, op, picture);
    const MaskRuns runs(host_mask(bits), op.connectivity);
    std::vector<std::uint32_t> labels(static_cast<std::size_t>(bits.width) *
                                      static_cast<std::size_t>(bits.height));
    runs.write_labels(labels, 0, bits.height);
    return {runs.sums(true), std::move(labels)};
}

ComponentsRun::ComponentsRun(Context& gpu, const Components& op, const Form& picture, bool paints)
    : op_(op), picture_(picture), measured_{.picture = picture,
                                            .with = op.with.image ? op.with.image->form() : Form()} {
    if (op.threshold) {
        threshold_ = plan_of(threshold_of(op), picture);
    }
    if (op.method == ComponentsMethod::cpu) {
        alone_.emplace(op, picture);
        return;
    }
    const bool on_cpu = joins_runs_on_cpu(gpu, op);
    if (op.fill_holes) {
        background_.emplace(gpu, ComponentsWanted{.connectivity = other(op.connectivity),
                                                  .pixels = MaskedPixels::zero,
                                                  .labels = true,
                                                  .on_cpu = on_cpu});
    }
    objects_.emplace(gpu, ComponentsWanted{.connectivity = op.connectivity,
                                           .moments = needs_of(op).moments,
                                           .labels = paints,
                                           .on_cpu = on_cpu});
}

RowsMade ComponentsRun::look_at_values(Context&, Band& band) {
    range_.add(band.pixels().values<float>(), picture_.channels);
    return {};
}

void ComponentsRun::choose_range(Context&) {
    threshold_->look.counting = threshold_->look.counting->over(range_.range());
}

RowsMade ComponentsRun::count(Context& gpu, Band& band) {
    const Counts more = threshold_->look.counting->count(gpu, band.image());
    counts_.resize(more.size());
    std::transform(more.begin(), more.end(), counts_.begin(), counts_.begin(), std::plus<>());
    return {};
}

void ComponentsRun::choose_threshold(Context& gpu) {
    threshold_ = threshold_->look.counting->plan(gpu, counts_);
}

/// Gives `use` the rows as a mask, whose pixels are not 0.
void ComponentsRun::with_mask(Context& gpu, Band& band,
                              const std::function<void(const GpuImage&)>& use) const {
    if (!threshold_) {
        return use(band.image());
    }
    const Rect rows{0, band.first_row(), picture_.width, band.rows()};
    use(threshold_->work.run(gpu, {band.image(), rows}, rows));
}

/// The mask without holes: all that is not background outside.
GpuImage ComponentsRun::filled(Context& gpu, const GpuImage& mask, Depth depth) {
    const Buffer outside = background_->paint(mask);
    return picture_of(gpu, outside, {mask.width(), mask.height(), 1, depth}, LabelPixels::background);
}

/// The same, with holes filled if that is asked for.
void ComponentsRun::with_objects(Context& gpu, Band& band, const std::function<void(const GpuImage&)>& use) {
    with_mask(gpu, band, [&](const GpuImage& mask) { background_ ? use(filled(gpu, mask)) : use(mask); });
}

RowsMade ComponentsRun::look_for_holes(Context& gpu, Band& band) {
    if (alone_) {
        return look(gpu, band);
    }
    with_mask(gpu, band, [this](const GpuImage& mask) { background_->look(mask); });
    return {};
}

void ComponentsRun::choose_holes(Context&) {
    if (alone_) {
        return alone_->fill_holes();
    }
    const std::vector<ComponentSums> background = background_->end();
    std::vector<std::uint32_t> labels(background.size());
    std::transform(background.begin(), background.end(), labels.begin(),
                   [this](const ComponentSums& part) { return is_outside(part, picture_) ? 1U : 0U; });
    background_->choose(labels);
}

RowsMade ComponentsRun::look(Context& gpu, Band& band) {
    if (alone_) {
        alone_->look(band.pixels(), threshold_ ? &*threshold_ : nullptr);
        return {};
    }
    with_objects(gpu, band, [&](const GpuImage& mask) {
        objects_->look(mask);
        if (op_.overlay.image) {
            first_rows_.push_back(rows_of_bits(gpu, mask_bits(gpu, mask), 0, 1));
        }
    });
    return {};
}

void ComponentsRun::choose(Context&) {
    if (alone_) {
        alone_->choose();
        measured_.sums = alone_->kept();
        return;
    }
    ChosenComponents chosen = chosen_of(op_, picture_, objects_->end());
    if (!chosen.labels.empty()) {
        objects_->choose(chosen.labels);
    }
    measured_.sums = std::move(chosen.kept);
}

/// The labels of the rows, of components that are left. `use_mask` gets the mask that they are made of.
Buffer ComponentsRun::labels_of(Context& gpu, Band& band,
                                const std::function<void(const GpuImage&)>& use_mask) {
    std::optional<Buffer> labels;
    with_objects(gpu, band, [&](const GpuImage& mask) {
        labels.emplace(objects_->paint(mask));
        if (use_mask) {
            use_mask(mask);
        }
    });
    return std::move(*labels);
}

RowsMade ComponentsRun::measure(Context& gpu, Band& band) {
    const ComponentNeeds needs = needs_of(op_);
    if (!measures_) {
        if (needs.ranks && band.rows() < picture_.height) {
            check_ranks(gpu, measured_);
        }
        measures_.emplace(needs, measured_);
    }
    const std::size_t pixels =
        static_cast<std::size_t>(picture_.width) * static_cast<std::size_t>(band.rows());
    const std::vector<std::uint32_t> labels = alone_ ? alone_->labels(band.first_row(), band.rows())
                                                     : labels_of(gpu, band).read<std::uint32_t>(pixels);
    measures_->add(labels, needs.values ? &band.pixels(1) : nullptr);
    return {};
}

void ComponentsRun::end_measuring(Context&) {
    measures_->end();
    const std::vector<std::uint32_t> labels = choose_measured(op_, measured_);
    if (labels.empty()) {
        return;
    }
    if (alone_) {
        alone_->choose_again(labels);
    } else {
        objects_->choose_again(labels);
    }
}

void ComponentsRun::end_painting(Context&) {
    add_objects_finding(measured_.sums.size());
}

RowsMade ComponentsRun::paint_filled(Context& gpu, Band& band) {
    if (alone_) {
        return bytes_of(alone_->objects(band.first_row(), band.rows(), picture_.depth));
    }
    std::optional<GpuImage> made;
    with_mask(gpu, band, [&](const GpuImage& mask) { made.emplace(filled(gpu, mask, picture_.depth)); });
    return std::move(*made);
}

RowsMade ComponentsRun::paint_labels(Context& gpu, Band& band) {
    if (alone_) {
        return as_bytes(alone_->labels(band.first_row(), band.rows()));
    }
    const auto width = static_cast<std::size_t>(picture_.width);
    return GpuArray{ArrayType::u32, {static_cast<std::size_t>(band.rows()), width}, labels_of(gpu, band)};
}

/// The mask of a band, with the last row of the band before and the first of the band after.
FramedMask ComponentsRun::framed(Context& gpu, const GpuImage& mask) {
    FramedMask frame{
        mask_bits(gpu, mask, MaskedPixels::nonzero, row_above_ ? &*row_above_ : nullptr, row_above_ ? 1 : 0),
        row_above_ ? 1 : 0};
    MaskBits& bits = frame.bits;
    row_above_ = rows_of_bits(gpu, bits, bits.height - 1, 1);
    if (++outlined_ < first_rows_.size()) {
        MaskBits more = rows_of_bits(gpu, bits, 0, bits.height, 1);
        more.words.copy_from(first_rows_[outlined_].words, 0, bits.words.bytes(), bits.row_bytes());
        bits = std::move(more);
    }
    return frame;
}

GpuImage ComponentsRun::outlined_rows(Context& gpu, Band& band) {
    std::optional<FramedMask> frame;
    const Buffer labels =
        labels_of(gpu, band, [&](const GpuImage& mask) { frame.emplace(framed(gpu, mask)); });
    std::optional<MaskBits> ink;
    if (op_.numbers == OverlayNumbers::on) {
        if (!numbers_) {
            numbers_.emplace(measured_.sums, picture_);
        }
        ink = upload(gpu, numbers_->drawn(band.first_row(), band.rows()));
    }
    return outlined(gpu, band.image(overlay_input()), labels, *frame, op_.outline, ink ? &*ink : nullptr);
}

RowsMade ComponentsRun::paint_picture(Context& gpu, Band& band) {
    if (alone_) {
        const Image* under = op_.overlay.image ? &band.pixels(overlay_input()) : nullptr;
        return bytes_of(alone_->painted(band.first_row(), band.rows(), under));
    }
    if (op_.overlay.image) {
        return outlined_rows(gpu, band);
    }
    Form form = painted_form(op_, picture_);
    form.height = band.rows();
    const bool is_numbered = op_.output == ComponentsOutput::labels;
    if (is_numbered) {
        check_16_bits(measured_.sums.size());
    }
    return picture_of(gpu, labels_of(gpu, band), form,
                      is_numbered ? LabelPixels::numbers : LabelPixels::mask);
}

} // namespace glproc
