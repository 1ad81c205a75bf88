#include "glproc/ops/components/join.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

/// Sets of numbers; the smallest of each is its root.
class Sets {
  public:
    explicit Sets(std::size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0U); }

    std::uint32_t root_of(std::uint32_t number) {
        while (parents_[number] != number) {
            parents_[number] = parents_[parents_[number]];
            number = parents_[number];
        }
        return number;
    }

    void unite(std::uint32_t a, std::uint32_t b) {
        const auto [low, high] = std::minmax({root_of(a), root_of(b)});
        parents_[high] = low;
    }

  private:
    std::vector<std::uint32_t> parents_;
};

} // namespace

void renumber(std::vector<std::uint32_t>& numbers, std::span<const std::uint32_t> labels) {
    if (numbers.empty()) {
        numbers.assign(labels.begin(), labels.end());
        return;
    }
    for (std::uint32_t& number : numbers) {
        number = number == 0 ? 0 : labels[number - 1];
    }
}

void ComponentJoin::add(std::vector<ComponentSums> components, std::span<const std::uint32_t> above,
                        std::span<const std::uint32_t> last) {
    const auto count = static_cast<std::uint32_t>(components.size());
    // The components of the band, then the live ones: two runs of a live one may be two components of this
    // band.
    Sets sets(components.size() + live_.size());
    for (std::size_t x = 0; x < above.size(); ++x) {
        if (last_[x] != 0) {
            sets.unite(above[x] - 1, count + last_[x] - 1);
        }
    }
    std::vector<std::uint32_t> roots(components.size());
    std::vector<Component> found(components.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        found[i] = {firsts_.back() + i, components[i]};
        roots[i] = sets.root_of(i);
        if (roots[i] != i) {
            found[roots[i]].sums.join(components[i]);
        }
    }
    std::vector<std::uint32_t> live_roots(live_.size());
    for (std::size_t i = 0; i < live_.size();
         ++i) { // each has a pixel in the row above, so its root is of this band
        live_roots[i] = sets.root_of(count + static_cast<std::uint32_t>(i));
        Component& root = found[live_roots[i]];
        root.sums.join(live_[i].sums);
        root.number = std::min(root.number, live_[i].number);
    }
    if (keeps_numbers_) {
        if (firsts_.back() + count > UINT32_MAX) {
            throw Error(ErrorCode::operation, "more than 4294967295 components in bands");
        }
        for (const std::uint32_t root : roots) {
            parents_.push_back(static_cast<std::uint32_t>(found[root].number));
        }
        for (std::size_t i = 0; i < live_.size(); ++i) {
            parents_[live_[i].number] = static_cast<std::uint32_t>(found[live_roots[i]].number);
        }
    }
    firsts_.push_back(firsts_.back() + count);
    pass_on(std::move(found), roots, last);
}

/// Keeps the components that reach the last row; the others are finished.
void ComponentJoin::pass_on(std::vector<Component> found, std::span<const std::uint32_t> roots,
                            std::span<const std::uint32_t> last) {
    std::vector<std::uint32_t> places(found.size()); // 1 + place in live_, or 0
    live_.clear();
    last_.assign(last.size(), 0);
    for (std::size_t x = 0; x < last.size(); ++x) {
        if (last[x] != 0) {
            const std::uint32_t root = roots[last[x] - 1];
            if (places[root] == 0) {
                live_.push_back(found[root]);
                places[root] = static_cast<std::uint32_t>(live_.size());
            }
            last_[x] = places[root];
        }
    }
    for (std::uint32_t i = 0; i < found.size(); ++i) {
        if (roots[i] == i && places[i] == 0) {
            finished_.push_back(found[i]);
        }
    }
}

std::vector<ComponentSums> ComponentJoin::end() {
    finished_.insert(finished_.end(), live_.begin(), live_.end());
    live_.clear();
    std::sort(finished_.begin(), finished_.end(),
              [](const Component& a, const Component& b) { return a.number < b.number; });
    std::vector<ComponentSums> result;
    result.reserve(finished_.size());
    for (const Component& component : std::exchange(finished_, {})) {
        result.push_back(component.sums);
    }
    return result;
}

void ComponentJoin::number_bands(std::span<const std::uint32_t> labels) {
    std::size_t component = 0;
    for (std::size_t i = 0; i < parents_.size();
         ++i) { // a number leads to a smaller one, which is a label already
        parents_[i] = parents_[i] == i ? labels[component++] : parents_[parents_[i]];
    }
}

std::span<const std::uint32_t> ComponentJoin::labels_of_band(std::size_t band) const {
    return std::span(parents_).subspan(firsts_[band], firsts_[band + 1] - firsts_[band]);
}

} // namespace glproc
