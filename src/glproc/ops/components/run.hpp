// One run of `components`, which all its sweeps share.
#pragma once

#include "glproc/files/transfer_curve.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/sweep.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/components/bands.hpp"
#include "glproc/ops/components/labelling.hpp"
#include "glproc/ops/components/numbers.hpp"
#include "glproc/ops/components/picture.hpp"
#include "glproc/ops/components/table.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace glproc {

/// The labels of a whole picture and its components, before any of them is read back.
struct LabelledPicture {
    Labelling components;
    Buffer labels; ///< a word for each pixel
    Buffer sums;   ///< of each component, with moments
};

/// By the threshold and the connectivity of `op` alone. The rules for thresholds are not built here.
LabelledPicture label_on_gpu(Context& gpu, const Components& op, const GpuImage& picture);

/// The same by ComponentsMethod::runs, in CPU memory.
std::pair<std::vector<ComponentSums>, std::vector<std::uint32_t>>
label_on_cpu(Context& gpu, const Components& op, const GpuImage& picture);

/// The steps of a run. Each is one sweep. The steps of the threshold and of holes are left out unless they
/// are needed. By the method `cpu` no kernel runs: look() finds holes, too.
class ComponentsRun {
  public:
    /// `paints`: whether labels are wanted.
    ComponentsRun(Context& gpu, const Components& op, const Form& picture, bool paints);

    /// Finds the range of floats, over which they are counted.
    RowsMade look_at_values(Context& gpu, Band& band);
    void choose_range(Context& gpu);
    /// Counts for the rule of the threshold.
    RowsMade count(Context& gpu, Band& band);
    void choose_threshold(Context& gpu);

    /// Finds the background.
    RowsMade look_for_holes(Context& gpu, Band& band);
    void choose_holes(Context& gpu);

    /// Finds the components, and which of them are left.
    RowsMade look(Context& gpu, Band& band);
    void choose(Context& gpu);

    /// Goes over the labels of those, in a sweep of its own.
    RowsMade measure(Context& gpu, Band& band);
    void end_measuring(Context& gpu);
    RowsMade paint_labels(Context& gpu, Band& band);
    RowsMade paint_picture(Context& gpu, Band& band);
    void end_painting(Context& gpu);
    RowsMade paint_filled(Context& gpu, Band& band);
    void end_filling(Context&) {}

    /// The components that are left, in the order of their labels.
    const std::vector<ComponentSums>& components() const { return measured_.sums; }
    const MeasuredComponents& measured() const { return measured_; }

  private:
    void with_mask(Context& gpu, Band& band, const std::function<void(const GpuImage&)>& use) const;
    void with_objects(Context& gpu, Band& band, const std::function<void(const GpuImage&)>& use);
    GpuImage filled(Context& gpu, const GpuImage& mask, Depth depth = Depth::u8);
    Buffer labels_of(Context& gpu, Band& band, const std::function<void(const GpuImage&)>& use_mask = {});
    GpuImage outlined_rows(Context& gpu, Band& band);
    std::size_t overlay_input() const { return op_.with.image ? 2 : 1; }
    FramedMask framed(Context& gpu, const GpuImage& mask);

    Components op_;
    Form picture_;
    std::optional<Plan> threshold_;
    OwnRange range_;
    Counts counts_;
    std::optional<ComponentsAlone> alone_; ///< by the method `cpu`, instead of the others
    std::optional<ComponentBands> background_;
    std::optional<ComponentBands> objects_;
    MeasuredComponents measured_;             ///< of those that are left
    std::optional<ComponentNumbers> numbers_; ///< of these, once they are drawn
    std::optional<LabelMeasures> measures_;
    std::vector<MaskBits> first_rows_; ///< for outlines: of each band
    std::optional<MaskBits> row_above_;
    std::size_t outlined_ = 0; ///< bands
};

/// The state of each of those sweeps.
class ComponentsSweep final : public SweepState {
  public:
    using Work = RowsMade (ComponentsRun::*)(Context&, Band&);
    using End = void (ComponentsRun::*)(Context&);

    ComponentsSweep(std::shared_ptr<ComponentsRun> run, Work work, End end)
        : run_(std::move(run)), work_(work), end_(end) {}

    RowsMade next(Context& gpu, Band& band) override { return ((*run_).*work_)(gpu, band); }
    void end(Context& gpu) override { ((*run_).*end_)(gpu); }

    const std::shared_ptr<ComponentsRun>& run() const { return run_; }

  private:
    std::shared_ptr<ComponentsRun> run_;
    Work work_;
    End end_;
};

} // namespace glproc
