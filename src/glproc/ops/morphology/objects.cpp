// Steps that look at whole objects of a mask, by the engine of components.
#include "glproc/base/error.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/labelling.hpp"
#include "glproc/ops/components/chosen.hpp"
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

SweepPlan object_sweeps(const Morphology& op, const Form& form) {
    Components components{.method = op.method == MorphologyMethod::cpu ? ComponentsMethod::cpu
                                                                       : ComponentsMethod::automatic};
    const bool fills = op.step == MorphologyStep::fill;
    (fills ? components.fill_holes : components.clear_border) = true;
    SweepPlan plan = fills ? filled_plan(components, form) : picture_plan(components, form);
    if (op.method != MorphologyMethod::cpu) {
        std::transform(plan.sweeps.begin(), plan.sweeps.end(), plan.sweeps.begin(),
                       [fills](const Sweep& sweep) { return at_once(sweep, fills); });
    }
    plan.report = {};
    plan.prove = {}; // by the reference of this operation
    return plan;
}

/// Pixels of this kind that a way of steps leads to from the border of the image, through such pixels only.
class FromBorder {
  public:
    FromBorder(const HostMask& mask, bool is_diagonal)
        : mask_(mask), is_diagonal_(is_diagonal), reached_{mask.width, mask.height, {}} {
        reached_.words.resize(mask.words.size());
    }

    HostMask reached() {
        for (int y = 0; y < mask_.height; ++y) {
            for (int x = 0; x < mask_.width; ++x) {
                if (x == 0 || y == 0 || x == mask_.width - 1 || y == mask_.height - 1) {
                    reach(x, y);
                }
            }
        }
        while (!open_.empty()) {
            const auto [x, y] = open_.back();
            open_.pop_back();
            for (int v = std::max(y - 1, 0); v <= std::min(y + 1, mask_.height - 1); ++v) {
                for (int u = std::max(x - 1, 0); u <= std::min(x + 1, mask_.width - 1); ++u) {
                    if (is_diagonal_ || u == x || v == y) {
                        reach(u, v);
                    }
                }
            }
        }
        return std::move(reached_);
    }

  private:
    void reach(int x, int y) {
        const std::uint32_t bit = 1U << (static_cast<unsigned>(x) % 32);
        std::uint32_t& word = reached_.words[reached_.word_of(x, y)];
        if ((mask_.words[mask_.word_of(x, y)] & ~word & bit) != 0) {
            word |= bit;
            open_.emplace_back(x, y);
        }
    }

    const HostMask& mask_;
    bool is_diagonal_;
    HostMask reached_;
    std::vector<std::pair<int, int>> open_;
};

HostMask objects_on_cpu(const Image& picture, MorphologyStep step) {
    if (step == MorphologyStep::fill) {
        const HostMask background = host_mask(picture, MaskedPixels::zero);
        return inverted(FromBorder(background, false).reached());
    }
    HostMask objects = host_mask(picture, MaskedPixels::nonzero);
    const HostMask removed = FromBorder(objects, true).reached();
    std::transform(objects.words.begin(), objects.words.end(), removed.words.begin(), objects.words.begin(),
                   [](std::uint32_t object, std::uint32_t gone) { return object & ~gone; });
    return objects;
}

/// White is the largest code of the picture.
Image without_objects(const Image& picture, MorphologyStep step) {
    return with_depth(picture_of(objects_on_cpu(picture, step)), picture.depth());
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
                .by_processor = [step = op.step](const Image& picture) { return without_objects(picture, step); },
                .row_cost = 20.0 * form.width};
    swept.probe = probe_of;
    Plan plan = swept_plan(form, std::move(swept));
    plan.on_cpu = op.method == MorphologyMethod::cpu;
    plan.by_kernel = op.method != MorphologyMethod::automatic && !plan.on_cpu;
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
    plan.why_unavailable = [op, name](Context&) -> std::optional<std::string> {
        if (op.method == MorphologyMethod::direct || op.method == MorphologyMethod::flat) {
            return fmt::format("{} is for shapes, and {} has none", name_of(op.method), name);
        }
        return std::nullopt;
    };
    return plan;
}

} // namespace glproc
