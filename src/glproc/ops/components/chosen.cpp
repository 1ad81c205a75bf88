#include "glproc/ops/components/chosen.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/components/columns.hpp"
#include "glproc/ops/components/filter.hpp"
#include "glproc/ops/components/picture.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

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

/// By the filter, and then the largest.
void keep_best(const Components& op, const MeasuredComponents& all, std::vector<std::size_t>& kept) {
    if (op.keep) {
        const auto is_kept = filter_of(*op.keep, all);
        std::erase_if(kept, [&](std::size_t i) { return !is_kept(i); });
    }
    if (op.largest) {
        keep_largest(all.sums, static_cast<std::size_t>(*op.largest), kept);
    }
}

/// 1, 2, … for those that are kept; nothing where that is all of them.
std::vector<std::uint32_t> labels_of(const std::vector<std::size_t>& kept, std::size_t count) {
    std::vector<std::uint32_t> labels;
    if (kept.size() < count) {
        labels.resize(count);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            labels[kept[i]] = static_cast<std::uint32_t>(i + 1);
        }
    }
    return labels;
}

/// Those that are kept, of `each` values a component.
template <class T>
void leave(const std::vector<std::size_t>& kept, std::vector<T>& values, std::size_t each = 1) {
    if (values.empty() || values.size() == kept.size() * each) {
        return;
    }
    std::vector<T> left;
    left.reserve(kept.size() * each);
    for (const std::size_t i : kept) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * each);
        left.insert(left.end(), std::make_move_iterator(begin),
                    std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(each)));
    }
    values = std::move(left);
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

ComponentNeeds needs_of(const Components& op) {
    std::vector<ComponentMeasure> measures = op.measure;
    if (op.keep) {
        const std::vector<ComponentMeasure> more = measures_of(*op.keep);
        measures.insert(measures.end(), more.begin(), more.end());
    }
    return needs_of(measures);
}

bool filters_labelled(const Components& op) {
    return op.keep && needs_of(measures_of(*op.keep)).labels();
}

ChosenComponents chosen_of(const Components& op, const Form& picture, std::vector<ComponentSums> found) {
    const std::int64_t most = op.max_area ? *op.max_area : INT64_MAX;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto area = static_cast<std::int64_t>(found[i].area);
        if (area >= op.min_area.value_or(1) && area <= most &&
            !(op.clear_border && is_outside(found[i], picture))) {
            kept.push_back(i);
        }
    }
    MeasuredComponents all{.sums = std::move(found), .picture = picture};
    if (!filters_labelled(op)) {
        keep_best(op, all, kept);
    }
    ChosenComponents chosen{.labels = labels_of(kept, all.sums.size())};
    leave(kept, all.sums);
    chosen.kept = std::move(all.sums);
    if (!needs_of(op).moments) { // which are then not complete
        for (ComponentSums& component : chosen.kept) {
            component.xx = component.xy = component.yy = 0;
        }
    }
    return chosen;
}

std::vector<std::uint32_t> choose_measured(const Components& op, MeasuredComponents& components) {
    if (!filters_labelled(op)) {
        return {};
    }
    std::vector<std::size_t> kept(components.sums.size());
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    keep_best(op, components, kept);
    std::vector<std::uint32_t> labels = labels_of(kept, components.sums.size());
    leave(kept, components.sums);
    leave(kept, components.labelled);
    leave(kept, components.hulls);
    leave(kept, components.spreads, static_cast<std::size_t>(components.with.channels));
    return labels;
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
