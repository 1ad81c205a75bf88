// One run of `components`, which all its sweeps share.
#pragma once

#include "glproc/op/plan.hpp"
#include "glproc/op/sweep.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/finder.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace glproc {

/// The steps of a run, each of which is one sweep: those of the threshold and of holes only if they are asked
/// for.
class ComponentsRun {
  public:
    ComponentsRun(Context& gpu, const Components& op, const Form& picture);

    /// Counts for the rule of the threshold.
    RowsMade count(Context& gpu, Band& band);
    void choose_threshold(Context& gpu);

    /// Finds the background.
    RowsMade look_for_holes(Context& gpu, Band& band);
    void choose_holes(Context& gpu);

    /// Finds the components, and which of them are left.
    RowsMade look(Context& gpu, Band& band);
    void choose(Context& gpu);

    const std::vector<ComponentSums>& components() const { return kept_; }

  private:
    std::unique_ptr<ComponentFinder> finder(Context& gpu, const ComponentsWanted& wanted) const;
    bool is_outside(const ComponentSums& component) const;
    void with_mask(Context& gpu, Band& band, const std::function<void(const GpuImage&)>& use) const;
    GpuImage filled(Context& gpu, const GpuImage& mask);

    Components op_;
    Form picture_;
    std::optional<Plan> threshold_;
    Counts counts_;
    std::unique_ptr<ComponentFinder> background_;
    std::unique_ptr<ComponentFinder> objects_;
    std::vector<ComponentSums> kept_;
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

/// Whether second moments are needed.
bool measures_moments(const Components& op);

} // namespace glproc
