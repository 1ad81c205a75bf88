// Operations one after another as one, on the GPU from end to end.
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

/// Bit for bit what the operations make of a picture one after another, through images of their depth.
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

    /// Throws Error(usage) where there is no operation, or one does not take what the one before it makes.
    GpuImage operator()(Context& gpu, const GpuImage& source) const;
    /// The same for pictures of any size. `to` gets the rows; the caller calls finish().
    void operator()(Context& gpu, const RowSource& source, RowWriter& to,
                    const TileProgress& progress = {}) const;

  private:
    std::vector<Step> steps_;
};

/// Without a reference: each operation's own allows it a step, and how these add up is not known.
Plan plan(const Chain& chain, const Form& form);

/// Operations of the registry as one. All make pictures of pictures.
std::unique_ptr<Operation> chain_of(std::vector<std::unique_ptr<Operation>> operations);

/// What an operation of chain_of() runs.
const Chain& chain_in(const Operation& operation);

/// How `bench` measures an operation of chain_of().
std::vector<BenchVariant> chain_variants();

} // namespace glproc
