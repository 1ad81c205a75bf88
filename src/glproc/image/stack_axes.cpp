#include "glproc/image/stack_axes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc {

int StackAxes::images() const {
    int product = 1;
    for (const StackAxis& axis : axes) {
        product *= axis.size;
    }
    return product;
}

int StackAxes::size(char axis) const {
    const auto found = std::ranges::find(axes, axis, &StackAxis::name);
    return found == axes.end() ? 1 : found->size;
}

StackAxes without_axis(StackAxes stack, char axis) {
    std::erase_if(stack.axes, [&](const StackAxis& one) { return one.name == axis; });
    stack.spacing = axis == 'z' ? 0 : stack.spacing;
    stack.interval = axis == 't' ? 0 : stack.interval;
    if (axis == 'c') {
        stack.channels.clear();
    }
    return stack;
}

namespace {

/// Images from one to the next along an axis.
int step_along(const StackAxes& stack, char axis) {
    int step = 1;
    for (auto one = stack.axes.rbegin(); one != stack.axes.rend() && one->name != axis; ++one) {
        step *= one->size;
    }
    return step;
}

} // namespace

int place_along(const StackAxes& stack, char axis, int image) {
    return image / step_along(stack, axis) % stack.size(axis);
}

std::vector<std::vector<int>> images_over(const StackAxes& stack, char axis) {
    std::vector<std::vector<int>> groups;
    for (int first = 0; first < stack.images(); ++first) {
        if (place_along(stack, axis, first) != 0) {
            continue;
        }
        std::vector<int>& group = groups.emplace_back();
        for (int i = 0; i < stack.size(axis); ++i) {
            group.push_back(first + i * step_along(stack, axis) + 1);
        }
    }
    return groups;
}

namespace {

/// From each of some places along an axis to the next, where that is always as far; else 0.
int step_between(const std::vector<int>& places) {
    for (std::size_t i = 2; i < places.size(); ++i) {
        if (places[i] - places[i - 1] != places[1] - places[0]) {
            return 0;
        }
    }
    return places.size() > 1 ? places[1] - places[0] : 0;
}

} // namespace

std::optional<StackAxes> part_of(const StackAxes& stack, const std::vector<int>& numbers) {
    StackAxes part = stack;
    part.axes.clear();
    for (const StackAxis& axis : stack.axes) {
        std::vector<int> places;
        for (const int number : numbers) {
            places.push_back(place_along(stack, axis.name, number - 1));
        }
        std::ranges::sort(places);
        places.erase(std::unique(places.begin(), places.end()), places.end());
        if (places.size() > 1) {
            part.axes.push_back({axis.name, static_cast<int>(places.size())});
        }
        if (axis.name == 'z') {
            part.spacing *= step_between(places);
        } else if (axis.name == 't') {
            part.interval *= step_between(places);
        } else if (!stack.channels.empty()) {
            part.channels.clear();
            for (const int place : places) {
                part.channels.push_back(stack.channels.at(static_cast<std::size_t>(place)));
            }
        }
    }
    part.told = part.images();
    return part.told == static_cast<int>(numbers.size()) ? std::optional(part) : std::nullopt;
}

std::string text_of(const std::vector<StackAxis>& axes) {
    std::string text;
    for (const StackAxis& axis : axes) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis.name, axis.size);
    }
    return text;
}

} // namespace glproc
