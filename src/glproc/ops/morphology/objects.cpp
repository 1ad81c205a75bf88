// Steps that look at whole objects of a mask, by the engine of components.
#include "glproc/base/error.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/components/chosen.hpp"
#include "glproc/ops/components/labelling.hpp"
#include "glproc/ops/components/picture.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// A whole picture on the GPU: all the work is the second sweep's.
class WholeObjects final : public SweepState {
  public:
    WholeObjects(bool fills, const Form& made) : fills_(fills), made_(made) {}

    RowsMade next(Context& gpu, Band& band) override {
        Labelling components(
            gpu, mask_bits(gpu, band.image(), fills_ ? MaskedPixels::zero : MaskedPixels::nonzero),
            fills_ ? Connectivity::four : Connectivity::eight);
        InsidePicture inside = inside_of(gpu, components, made_, fills_);
        if (!fills_) {
            add_objects_finding(inside_count(components, inside));
        }
        return std::move(inside.picture);
    }

  private:
    bool fills_;
    Form made_;
};

class NothingYet final : public SweepState {
    RowsMade next(Context&, Band&) override { return {}; }
};

/// In bands, the sweeps of components; else the same at once.
Sweep at_once(const Sweep& sweep, bool fills) {
    Sweep result = sweep;
    result.begin = [sweep, fills](Context& gpu, const BandCut& cut,
                                  SweepState* before) -> std::unique_ptr<SweepState> {
        if (!cut.is_whole() || cut.is_wide ||
            cut.picture.height > most_labelled_rows(gpu, cut.picture.width)) {
            return sweep.begin(gpu, cut, before);
        }
        if (!sweep.makes) {
            return std::make_unique<NothingYet>();
        }
        return std::make_unique<WholeObjects>(fills, *sweep.makes);
    };
    return result;
}

/// The call of the engine.
Components components_of(const Morphology& op) {
    Components components{.method = op.method == MorphologyMethod::cpu ? ComponentsMethod::cpu
                                                                       : ComponentsMethod::automatic};
    (op.step == MorphologyStep::fill ? components.fill_holes : components.clear_border) = true;
    return components;
}

SweepPlan object_sweeps(const Morphology& op, const Form& form) {
    const Components components = components_of(op);
    const bool fills = op.step == MorphologyStep::fill;
    SweepPlan plan = fills ? filled_plan(components, form) : picture_plan(components, form);
    if (op.method != MorphologyMethod::cpu) {
        std::transform(plan.sweeps.begin(), plan.sweeps.end(), plan.sweeps.begin(),
                       [fills](const Sweep& sweep) { return at_once(sweep, fills); });
    }
    plan.report = {};
    plan.prove = {}; // by the reference of this operation
    return plan;
}

/// The mask by the processor alone. White is the largest code of the picture.
Image objects_on_cpu(const Morphology& op, const Image& picture) {
    ComponentsAlone objects(components_of(op), picture.form());
    objects.look(picture, nullptr);
    if (op.step == MorphologyStep::fill) {
        objects.fill_holes();
        return objects.objects(0, picture.height(), picture.depth());
    }
    objects.choose();
    add_objects_finding(objects.kept().size());
    return objects.painted(0, picture.height(), nullptr);
}

/// Half of the noise becomes background.
template <class T>
Image with_holes(Image noise, double half) {
    for (T& value : noise.values<T>()) {
        value = static_cast<double>(value) > half ? value : T{0};
    }
    return noise;
}

Image probe_of(Image noise) {
    const double half = max_code(noise.depth()) / 2;
    switch (noise.depth()) {
    case Depth::u8:
        return with_holes<std::uint8_t>(std::move(noise), half);
    case Depth::u16:
        return with_holes<std::uint16_t>(std::move(noise), half);
    case Depth::f32:
        break;
    }
    return with_holes<float>(std::move(noise), half);
}

Plan filling_plan(const Morphology& op, const Form& form) {
    Swept swept{.sweeps = [op](const Form& any) { return object_sweeps(op, any); },
                .by_processor = [op](const Image& picture) { return objects_on_cpu(op, picture); },
                .row_cost = 20.0 * form.width};
    swept.probe = probe_of;
    Plan plan = swept_plan(form, std::move(swept));
    plan.work.on_cpu = op.method == MorphologyMethod::cpu;
    plan.twin.only_proves = op.method != MorphologyMethod::automatic && !plan.work.on_cpu;
    return plan;
}

} // namespace

bool is_of_objects(MorphologyStep step) {
    return step == MorphologyStep::fill || step == MorphologyStep::clear_border ||
           step == MorphologyStep::hitmiss || step == MorphologyStep::reconstruct;
}

Plan objects_plan(const Morphology& op, const Form& form) {
    const std::string_view name = name_of(op.step);
    if (op.radius.is_given || op.shape != MorphologyShape::box) {
        throw Error(ErrorCode::usage,
                    fmt::format("--do {} has no --{}", name, op.radius.is_given ? "radius" : "shape"));
    }
    if ((!op.pattern.cells.empty() && op.step != MorphologyStep::hitmiss) ||
        ((op.with.image || !op.with.path.empty()) && op.step != MorphologyStep::reconstruct)) {
        throw Error(ErrorCode::usage,
                    fmt::format("--do {} has no --{}", name, op.pattern.cells.empty() ? "with" : "pattern"));
    }
    Plan plan = op.step == MorphologyStep::hitmiss       ? hitmiss_plan(op, form)
                : op.step == MorphologyStep::reconstruct ? reconstruct_plan(op, form)
                                                         : filling_plan(op, form);
    plan.work.why_unavailable = [op, name](Context&) -> std::optional<std::string> {
        if (op.method == MorphologyMethod::direct || op.method == MorphologyMethod::flat) {
            return fmt::format("{} is for shapes, and {} has none", name_of(op.method), name);
        }
        return std::nullopt;
    };
    return plan;
}

} // namespace glproc
