#include "glproc/ops/components/alone.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/components/chosen.hpp"
#include "glproc/ops/components/measures.hpp"
#include "glproc/ops/components/numbers.hpp"
#include "glproc/ops/components/runs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace glproc {

namespace {

void check_size(const PictureInput& other, const Image& picture) {
    if (other.image &&
        (other.image->width() != picture.width() || other.image->height() != picture.height())) {
        throw Error(ErrorCode::usage, "the images differ in size", "resize one of them first");
    }
}

std::vector<std::uint32_t> labels_of(const MaskRuns& runs, const HostMask& mask,
                                     const std::vector<std::uint32_t>& numbers) {
    std::vector<std::uint32_t> labels(static_cast<std::size_t>(mask.width) *
                                      static_cast<std::size_t>(mask.height));
    runs.write_labels(labels, 0, mask.height, numbers);
    return labels;
}

/// All that is not background outside.
HostMask without_holes(const HostMask& mask, const Components& op, const Form& picture) {
    const MaskRuns background(inverted(mask), other(op.connectivity));
    std::vector<std::uint32_t> outside;
    for (const ComponentSums& part : background.sums(false)) {
        outside.push_back(is_outside(part, picture) ? 1 : 0);
    }
    const std::vector<std::uint32_t> labels = labels_of(background, mask, outside);
    HostMask filled{mask.width, mask.height};
    filled.words.resize(mask.words.size());
    const std::uint32_t* label = labels.data();
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x, ++label) {
            filled.words[filled.word_of(x, y)] |= (*label == 0 ? 1U : 0U) << (static_cast<unsigned>(x) % 32);
        }
    }
    return filled;
}

HostMask objects_of(const Components& op, const Image& picture) {
    const HostMask mask = host_mask(
        op.threshold ? image_by_processor(plan_of(threshold_of(op), picture.form()), picture) : picture,
        MaskedPixels::nonzero);
    return op.fill_holes ? without_holes(mask, op, picture.form()) : mask;
}

/// As glsl/components/outline.comp.
class Outlines {
  public:
    Outlines(const ComponentsAlone& components, std::optional<HostMask> ink)
        : components_(components), mask_(components.objects), ink_(std::move(ink)) {}

    bool is_drawn(int x, int y) const { return is_outline(x, y) || (ink_ && ink_->is_set(x, y)); }

  private:
    bool is_set(int x, int y) const {
        return x < 0 || y < 0 || x >= mask_.width || y >= mask_.height || mask_.is_set(x, y);
    }
    bool is_outline(int x, int y) const {
        return components_.label(x, y) != 0 &&
               !(is_set(x - 1, y) && is_set(x + 1, y) && is_set(x, y - 1) && is_set(x, y + 1));
    }

    const ComponentsAlone& components_;
    const HostMask& mask_;
    std::optional<HostMask> ink_;
};

/// This colour where `is_drawn`.
template <class IsDrawn>
void draw(const Colour& colour, const IsDrawn& is_drawn, Image& picture) {
    const std::vector<std::byte> pixel = row_in(colour, {1, 1, picture.channels(), picture.depth()});
    parallel_for(static_cast<std::size_t>(picture.height()), [&](std::size_t row) {
        const int y = static_cast<int>(row);
        std::byte* to = picture.row(y);
        for (int x = 0; x < picture.width(); ++x, to += pixel.size()) { // NOLINT: within the row
            if (is_drawn(x, y)) {
                std::ranges::copy(pixel, to);
            }
        }
    });
}

} // namespace

ComponentsAlone components_alone(const Components& op, const Image& picture, bool paints) {
    check_size(op.with, picture);
    check_size(op.overlay, picture);
    ComponentsAlone made{.objects = objects_of(op, picture)};
    const MaskRuns runs(made.objects, op.connectivity);
    ChosenComponents chosen = chosen_of(op, picture.form(), runs.sums(measures_moments(op)));
    const bool measures_labels = measures_shapes(op) || measures_values(op);
    if (paints || measures_labels) {
        made.labels = labels_of(runs, made.objects, chosen.labels);
    }
    LabelMeasures measures(picture.width(), chosen.kept.size(), measures_shapes(op));
    if (measures_labels) {
        measures.add(made.labels, measures_values(op) ? op.with.image.get() : nullptr);
        measures.end();
    }
    made.measured = {std::move(chosen.kept), measures_labels ? measures.sums() : std::vector<LabelledSums>(),
                     op.with.image ? op.with.image->form() : Form()};
    return made;
}

Image painted_alone(const Components& op, const Image& picture, const ComponentsAlone& components) {
    Image painted(painted_form(op, picture.form()));
    if (op.overlay.image) {
        const Image& under = *op.overlay.image;
        if (under.channels() < 3) {
            to_colour(under.bytes(), under.form(), painted.bytes());
        } else {
            painted = under;
        }
        std::optional<HostMask> ink;
        if (op.numbers == OverlayNumbers::on) {
            ink = ComponentNumbers(components.measured.sums, picture.form()).drawn(0, picture.height());
        }
        const Outlines outlines(components, std::move(ink));
        draw(
            {op.outline.red, op.outline.green, op.outline.blue, 1},
            [&](int x, int y) { return outlines.is_drawn(x, y); }, painted);
    } else if (op.output == ComponentsOutput::labels) {
        check_16_bits(components.measured.sums.size());
        std::ranges::copy(components.labels, painted.values<std::uint16_t>().begin());
    } else {
        draw(
            {1, 1, 1, 1}, [&](int x, int y) { return components.label(x, y) != 0; }, painted);
    }
    return painted;
}

} // namespace glproc
