#include "glproc/ops/components/run.hpp"

#include "glproc/ops/components/bands.hpp"
#include "glproc/ops/components/filling.hpp"
#include "glproc/ops/components/picture.hpp"
#include "glproc/ops/threshold.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace glproc {

namespace {

Threshold threshold_of(const Components& op) {
    return {.at = op.threshold->at,
            .rule = op.threshold->rule,
            .method = op.method == ComponentsMethod::cpu ? PointMethod::cpu : PointMethod::automatic};
}

Connectivity other(Connectivity connectivity) {
    return connectivity == Connectivity::eight ? Connectivity::four : Connectivity::eight;
}

/// Keeps so many of them, the largest: `kept` are their places.
void keep_largest(const std::vector<ComponentSums>& components, std::size_t count,
                  std::vector<std::size_t>& kept) {
    if (kept.size() <= count) {
        return;
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [&](std::size_t a, std::size_t b) { return components[a].area > components[b].area; });
    kept.resize(count);
    std::sort(kept.begin(), kept.end());
}

} // namespace

bool measures_moments(const Components& op) {
    using enum ComponentMeasure;
    return std::any_of(op.measure.begin(), op.measure.end(), [](ComponentMeasure measure) {
        return measure == axes || measure == orientation || measure == eccentricity;
    });
}

ComponentsRun::ComponentsRun(Context& gpu, const Components& op, const Form& picture)
    : op_(op), picture_(picture) {
    if (op.threshold) {
        threshold_ = plan_of(threshold_of(op), picture);
    }
    if (op.fill_holes) {
        background_ = finder(
            gpu, {.connectivity = other(op.connectivity), .pixels = MaskedPixels::zero, .labels = true});
    }
    objects_ = finder(gpu, {.connectivity = op.connectivity, .moments = measures_moments(op)});
}

std::unique_ptr<ComponentFinder> ComponentsRun::finder(Context& gpu, const ComponentsWanted& wanted) const {
    if (op_.method == ComponentsMethod::cpu) {
        return std::make_unique<ComponentFilling>(gpu, wanted.connectivity, wanted.pixels);
    }
    return std::make_unique<ComponentBands>(gpu, wanted);
}

RowsMade ComponentsRun::count(Context& gpu, Band& band) {
    const Counts more = threshold_->counting->count(gpu, band.image());
    counts_.resize(more.size());
    std::transform(more.begin(), more.end(), counts_.begin(), counts_.begin(), std::plus<>());
    return {};
}

void ComponentsRun::choose_threshold(Context& gpu) {
    threshold_ = threshold_->counting->plan(gpu, counts_);
}

/// Gives `use` the rows as a mask, whose pixels are not 0.
void ComponentsRun::with_mask(Context& gpu, Band& band,
                              const std::function<void(const GpuImage&)>& use) const {
    if (!threshold_) {
        return use(band.image());
    }
    const Rect rows{0, band.first_row(), picture_.width, band.rows()};
    use(threshold_->run(gpu, {band.image(), rows}, rows));
}

/// The mask without holes: all that is not background outside.
GpuImage ComponentsRun::filled(Context& gpu, const GpuImage& mask) {
    const Buffer outside = background_->paint(mask);
    return picture_of(gpu, outside, {mask.width(), mask.height(), 1, Depth::u8}, LabelPixels::background);
}

RowsMade ComponentsRun::look_for_holes(Context& gpu, Band& band) {
    with_mask(gpu, band, [this](const GpuImage& mask) { background_->look(mask); });
    return {};
}

bool ComponentsRun::is_outside(const ComponentSums& component) const {
    return component.left == 0 || component.top == 0 || component.right == picture_.width - 1 ||
           component.bottom == picture_.height - 1;
}

void ComponentsRun::choose_holes(Context&) {
    const std::vector<ComponentSums> background = background_->end();
    std::vector<std::uint32_t> labels(background.size());
    std::transform(background.begin(), background.end(), labels.begin(),
                   [this](const ComponentSums& part) { return is_outside(part) ? 1U : 0U; });
    background_->choose(labels);
}

RowsMade ComponentsRun::look(Context& gpu, Band& band) {
    with_mask(gpu, band, [&](const GpuImage& mask) {
        background_ ? objects_->look(filled(gpu, mask)) : objects_->look(mask);
    });
    return {};
}

void ComponentsRun::choose(Context&) {
    const std::vector<ComponentSums> found = objects_->end();
    const std::int64_t most = op_.max_area ? *op_.max_area : INT64_MAX;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto area = static_cast<std::int64_t>(found[i].area);
        if (area >= op_.min_area.value_or(1) && area <= most && !(op_.clear_border && is_outside(found[i]))) {
            kept.push_back(i);
        }
    }
    if (op_.largest) {
        keep_largest(found, static_cast<std::size_t>(*op_.largest), kept);
    }
    kept_.reserve(kept.size());
    std::transform(kept.begin(), kept.end(), std::back_inserter(kept_),
                   [&](std::size_t i) { return found[i]; });
    if (!measures_moments(op_)) { // which are then not complete
        for (ComponentSums& component : kept_) {
            component.xx = component.xy = component.yy = 0;
        }
    }
}

} // namespace glproc
