#include "glproc/op/swept.hpp"

#include "glproc/op/proof.hpp"
#include "glproc/op/workload.hpp"

#include <memory>
#include <utility>

namespace glproc {

namespace {

GpuImage picture_of(Context& gpu, const SweepPlan& plan, const GpuImage& source) {
    return std::move(run_sweeps(gpu, plan, source).picture.value());
}

/// A run on the probe, compared with the processor's.
Workload proof_of(Context& gpu, const Swept& swept, const ImageInput& input) {
    const auto picture =
        std::make_shared<const Image>(swept.probe ? swept.probe(input.pixels) : input.pixels);
    const auto uploaded = std::make_shared<const GpuImage>(gpu.upload(*picture, "probe"));
    const auto compute = [&gpu, sweeps = swept.sweeps, uploaded] {
        return picture_of(gpu, sweeps(uploaded->form()), *uploaded);
    };
    const auto bits = [make = swept.by_processor, picture](const Image& got) {
        return Verdict{.wrong = difference_of_bits(got, make(*picture)), .rows = got.height()};
    };
    return image_workload(gpu, input, compute, bits);
}

SweepPlan proved(const Swept& swept, const Form& form) {
    SweepPlan plan = swept.sweeps(form);
    if (!plan.prove && swept.by_processor) {
        plan.prove = [swept, form](Context& gpu) {
            prove_on_picture(gpu, form, [&](const ImageInput& probe) { return proof_of(gpu, swept, probe); });
        };
    }
    return plan;
}

} // namespace

Plan swept_plan(const Form& form, Swept swept) {
    const SweepPlan here = swept.sweeps(form);
    Plan plan{.shape = {.source = form, .result = here.sweeps.back().makes.value()}};
    plan.shape.makes_mask = here.makes_mask;
    plan.shape.meaning = here.meaning;
    plan.work.needs = here.needs;
    if (swept.by_processor) {
        set_by_processor(plan, swept.by_processor, swept.row_cost);
    }
    const BySweeps by{[swept = std::move(swept)](const Form& any) { return proved(swept, any); }};
    plan.work.run = [by](Context& gpu, const Part& source, const Rect&) {
        return picture_of(gpu, by.plan(source.image.form()), source.image);
    };
    plan.work.cutting = by;
    return plan;
}

void run_swept(Context& gpu, const Plan& plan, const RowSource& source, RowWriter& to,
               const TileProgress& progress) {
    run_by_right_plan(gpu, plan, [&](const Plan& right) {
        run_sweeps(gpu, std::get<BySweeps>(right.work.cutting).plan(source.form), source, &to, progress);
    });
}

} // namespace glproc
