#include "glproc/ops/components/chosen.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/components/picture.hpp"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace glproc {

namespace {

bool measures_any(const Components& op, std::initializer_list<ComponentMeasure> measures) {
    return std::find_first_of(op.measure.begin(), op.measure.end(), measures.begin(), measures.end()) !=
           op.measure.end();
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

Threshold threshold_of(const Components& op) {
    return {.at = op.threshold->at,
            .rule = op.threshold->rule,
            .method = op.method == ComponentsMethod::cpu ? PointMethod::cpu : PointMethod::automatic};
}

Connectivity other(Connectivity connectivity) {
    return connectivity == Connectivity::eight ? Connectivity::four : Connectivity::eight;
}

bool is_outside(const ComponentSums& component, const Form& picture) {
    return component.left == 0 || component.top == 0 || component.right == picture.width - 1 ||
           component.bottom == picture.height - 1;
}

ChosenComponents chosen_of(const Components& op, const Form& picture,
                           const std::vector<ComponentSums>& found) {
    const std::int64_t most = op.max_area ? *op.max_area : INT64_MAX;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto area = static_cast<std::int64_t>(found[i].area);
        if (area >= op.min_area.value_or(1) && area <= most &&
            !(op.clear_border && is_outside(found[i], picture))) {
            kept.push_back(i);
        }
    }
    if (op.largest) {
        keep_largest(found, static_cast<std::size_t>(*op.largest), kept);
    }
    ChosenComponents chosen;
    chosen.kept.reserve(kept.size());
    for (const std::size_t i : kept) {
        ComponentSums& component = chosen.kept.emplace_back(found[i]);
        if (!measures_moments(op)) { // which are then not complete
            component.xx = component.xy = component.yy = 0;
        }
    }
    if (kept.size() < found.size()) {
        chosen.labels.resize(found.size());
        for (std::size_t i = 0; i < kept.size(); ++i) {
            chosen.labels[kept[i]] = static_cast<std::uint32_t>(i + 1);
        }
    }
    return chosen;
}

bool measures_moments(const Components& op) {
    using enum ComponentMeasure;
    return measures_any(op, {axes, orientation, eccentricity});
}

bool measures_shapes(const Components& op) {
    using enum ComponentMeasure;
    return measures_any(op, {perimeter, euler, holes});
}

bool measures_values(const Components& op) {
    using enum ComponentMeasure;
    return measures_any(op, {mean, min, max, sum});
}

Form painted_form(const Components& op, const Form& form) {
    if (op.overlay.image) {
        return outlined_form(op.overlay.image->form());
    }
    return {form.width, form.height, 1, op.output == ComponentsOutput::labels ? Depth::u16 : form.depth};
}

void check_16_bits(std::size_t labels) {
    constexpr std::size_t most = 65535;
    if (labels > most) {
        throw Error(ErrorCode::operation,
                    fmt::format("{} objects have more labels than 16 bits hold", labels),
                    "write them to a .npy file");
    }
}

void add_objects_finding(std::size_t count) {
    add_finding(counted(count, "object"));
}

} // namespace glproc
