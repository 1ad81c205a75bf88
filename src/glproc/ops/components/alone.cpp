#include "glproc/ops/components/alone.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "glproc/ops/components/chosen.hpp"
#include "glproc/ops/components/join.hpp"
#include "glproc/ops/components/measures.hpp"

#include <algorithm>
#include <memory>
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

/// This colour where `is_drawn`, in rows of a picture that begin with `first_row`.
template <class IsDrawn>
void draw(const Colour& colour, int first_row, const IsDrawn& is_drawn, Image& rows) {
    const std::vector<std::byte> pixel = row_in(colour, {1, 1, rows.channels(), rows.depth()});
    parallel_for(static_cast<std::size_t>(rows.height()), [&](std::size_t row) {
        const int y = static_cast<int>(row);
        std::byte* to = rows.row(y);
        for (int x = 0; x < rows.width(); ++x, to += pixel.size()) { // NOLINT: within the row
            if (is_drawn(x, first_row + y)) {
                std::ranges::copy(pixel, to);
            }
        }
    });
}

/// Which needs no look at the picture any more.
std::optional<Plan> looked_threshold(const Components& op, const RowSource& picture) {
    if (!op.threshold) {
        return {};
    }
    Plan threshold = plan_of(threshold_of(op), picture.form);
    return threshold.look.alone ? threshold.look.alone(picture) : std::move(threshold);
}

/// Rows of pictures that lie under one another.
class StackedRows final : public RowReader {
  public:
    StackedRows(const std::vector<const Image*>& parts, const Form& form) : parts_(parts), form_(form) {}

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return parts_.front()->metadata(); }
    void read(std::span<std::byte> rows) override {
        while (!rows.empty()) {
            const std::span<const std::byte> part = parts_.at(part_)->bytes();
            const std::size_t count = std::min(rows.size(), part.size() - at_);
            std::ranges::copy(part.subspan(at_, count), rows.begin());
            rows = rows.subspan(count);
            at_ += count;
            if (at_ == part.size()) {
                ++part_;
                at_ = 0;
            }
        }
    }

  private:
    const std::vector<const Image*>& parts_;
    Form form_;
    std::size_t part_ = 0;
    std::size_t at_ = 0; ///< bytes of this part that were read
};

RowSource rows_of(const std::vector<const Image*>& parts) {
    Form form = parts.front()->form();
    form.height *= static_cast<int>(parts.size());
    return {form, parts.front()->metadata(),
            [&parts, form] { return std::make_unique<StackedRows>(parts, form); }};
}

HostMask objects_in(const Image& rows, const Plan* threshold) {
    return host_mask(threshold != nullptr ? image_by_processor(*threshold, rows) : rows,
                     MaskedPixels::nonzero);
}

/// Below those that it has.
void add_rows(HostMask& mask, const HostMask& rows) {
    mask.words.insert(mask.words.end(), rows.words.begin(), rows.words.end());
    mask.height += rows.height;
}

} // namespace

ComponentsAlone::ComponentsAlone(const Components& op, const Form& picture)
    : op_(op), picture_(picture), objects_{picture.width, 0} {}

void ComponentsAlone::look(const Image& rows, const Plan* threshold) {
    add_rows(objects_, objects_in(rows, threshold));
}

/// All that is not background outside.
void ComponentsAlone::fill_holes() {
    const MaskRuns background(inverted(std::move(objects_)), other(op_.connectivity));
    std::vector<std::uint32_t> outside;
    for (const ComponentSums& part : background.sums(false)) {
        outside.push_back(is_outside(part, picture_) ? 1 : 0);
    }
    objects_ = inverted(background.mask(outside));
}

void ComponentsAlone::choose() {
    if (op_.fill_holes) {
        fill_holes();
    }
    runs_.emplace(objects_, op_.connectivity);
    ChosenComponents chosen = chosen_of(op_, picture_, runs_->sums(needs_of(op_).moments));
    numbers_ = std::move(chosen.labels);
    kept_ = std::move(chosen.kept);
    number();
}

void ComponentsAlone::choose_again(std::span<const std::uint32_t> labels) {
    renumber(numbers_, labels);
    std::vector<ComponentSums> left;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i] != 0) {
            left.push_back(kept_[i]);
        }
    }
    kept_ = std::move(left);
    number();
}

void ComponentsAlone::number() {
    if (op_.overlay.image && op_.numbers == OverlayNumbers::on) {
        digits_.emplace(kept_, picture_);
    }
}

std::vector<std::uint32_t> ComponentsAlone::labels(int first_row, int rows) const {
    std::vector<std::uint32_t> labels(static_cast<std::size_t>(picture_.width) *
                                      static_cast<std::size_t>(rows));
    runs_->write_labels(labels, first_row, rows, numbers_);
    return labels;
}

Image ComponentsAlone::objects(int first_row, int rows, Depth depth) const {
    Image painted(picture_.width, rows, 1, depth);
    draw(
        {1, 1, 1, 1}, first_row, [&](int x, int y) { return objects_.is_set(x, y); }, painted);
    return painted;
}

/// As glsl/components/outline.comp, of a pixel with a label.
bool ComponentsAlone::is_outline(int x, int y) const {
    const auto is_set = [&](int u, int v) {
        return u < 0 || v < 0 || u >= picture_.width || v >= picture_.height || objects_.is_set(u, v);
    };
    return !(is_set(x - 1, y) && is_set(x + 1, y) && is_set(x, y - 1) && is_set(x, y + 1));
}

Image ComponentsAlone::painted(int first_row, int rows, const Image* under) const {
    Form form = painted_form(op_, picture_);
    form.height = rows;
    Image painted(form);
    const std::vector<std::uint32_t> labels = this->labels(first_row, rows);
    const auto has_label = [&](int x, int y) {
        return labels[static_cast<std::size_t>(y - first_row) * static_cast<std::size_t>(picture_.width) +
                      static_cast<std::size_t>(x)] != 0;
    };
    if (under != nullptr) {
        if (under->channels() < 3) {
            to_colour(under->bytes(), under->form(), painted.bytes());
        } else {
            painted = *under;
        }
        const std::optional<HostMask> ink =
            digits_ ? std::optional(digits_->drawn(first_row, rows)) : std::nullopt;
        draw(
            {op_.outline.red, op_.outline.green, op_.outline.blue, 1}, first_row,
            [&](int x, int y) {
                return (has_label(x, y) && is_outline(x, y)) || (ink && ink->is_set(x, y - first_row));
            },
            painted);
    } else if (op_.output == ComponentsOutput::labels) {
        check_16_bits(kept_.size());
        std::ranges::copy(labels, painted.values<std::uint16_t>().begin());
    } else {
        draw({1, 1, 1, 1}, first_row, has_label, painted);
    }
    return painted;
}

HostMask objects_of(const Components& op, const std::vector<const Image*>& parts) {
    const std::optional<Plan> threshold = looked_threshold(op, rows_of(parts));
    HostMask mask{parts.front()->width(), 0};
    for (const Image* part : parts) {
        add_rows(mask, objects_in(*part, threshold ? &*threshold : nullptr));
    }
    return mask;
}

HostMask objects_of(const Components& op, const Image& picture) {
    return objects_of(op, std::vector{&picture});
}

ComponentsAlone components_alone(const Components& op, const Image& picture) {
    check_size(op.with, picture);
    check_size(op.overlay, picture);
    const std::optional<Plan> threshold = looked_threshold(op, rows_of(picture));
    ComponentsAlone components(op, picture.form());
    components.look(picture, threshold ? &*threshold : nullptr);
    components.choose();
    return components;
}

Array labels_array(const ComponentsAlone& components, const Form& picture) {
    const std::vector<std::uint32_t> labels = components.labels(0, picture.height);
    const auto bytes = std::as_bytes(std::span(labels));
    return {ArrayType::u32,
            {static_cast<std::size_t>(picture.height), static_cast<std::size_t>(picture.width)},
            {bytes.begin(), bytes.end()}};
}

MeasuredComponents measured_alone(const Components& op, const Form& picture, ComponentsAlone& components) {
    MeasuredComponents measured{.sums = components.kept(),
                                .picture = picture,
                                .with = op.with.image ? op.with.image->form() : Form()};
    const ComponentNeeds needs = needs_of(op);
    if (needs.labels()) {
        LabelMeasures measures(needs, measured);
        measures.add(components.labels(0, picture.height), needs.values ? op.with.image.get() : nullptr);
        measures.end();
    }
    const std::vector<std::uint32_t> labels = choose_measured(op, measured);
    if (!labels.empty()) {
        components.choose_again(labels);
    }
    return measured;
}

} // namespace glproc
