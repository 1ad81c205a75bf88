// Several operations, one after another, run as one on the GPU from end to end.
//
//   glproc::Chain{glproc::Blur{.sigma = 2}, glproc::Invert{}}(gpu, photo);
#pragma once

#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace glproc {

/// Gives the same result as the operations one after another, bit for bit, through images of their depth.
/// Neighbours that are point operations are one pass.
class Chain {
  public:
    using Step = std::function<Plan(const Form&)>;

    Chain() = default;
    template <class... Ops>
    explicit Chain(Ops... ops) {
        (then(std::move(ops)), ...);
    }

    /// Appends an operation: anything with a plan().
    template <class Op>
    Chain& then(Op op) {
        return then(Step([op = std::move(op)](const Form& form) { return plan_of(op, form); }));
    }
    Chain& then(const Chain& other);
    Chain& then(Step step);

    const std::vector<Step>& steps() const { return steps_; }

    /// Throws Error(usage) if there is no operation, or if one does not take the result of the one before it.
    GpuImage operator()(Context& gpu, const GpuImage& source) const;
    /// The same for pictures of any size. `to` gets the rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& source, RowWriter& to,
                    const TileProgress& progress = {}) const;

  private:
    std::vector<Step> steps_;
};

/// Without a reference: each operation's own reference allows it a step, and it is not known how these add
/// up.
Plan plan(const Chain& chain, const Form& form);
/// The same of steps that are planned already, in their order.
Plan plan(const Chain& chain, std::vector<Plan> steps);

/// Operations of the registry as one. All must turn one picture into another.
std::unique_ptr<Operation> chain_of(std::vector<std::unique_ptr<Operation>> operations);

/// The chain that an operation made by chain_of() runs.
const Chain& chain_in(const Operation& operation);

/// How `bench` measures an operation of chain_of().
std::vector<BenchVariant> chain_variants();

} // namespace glproc
