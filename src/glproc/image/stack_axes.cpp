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

std::vector<std::vector<int>> images_over(const StackAxes& stack, char axis) {
    int along = 1; // images from one to the next along the axis
    for (auto one = stack.axes.rbegin(); one != stack.axes.rend() && one->name != axis; ++one) {
        along *= one->size;
    }
    const int size = stack.size(axis);
    std::vector<std::vector<int>> groups;
    for (int first = 0; first < stack.images(); ++first) {
        if (first / along % size != 0) {
            continue;
        }
        std::vector<int>& group = groups.emplace_back();
        for (int i = 0; i < size; ++i) {
            group.push_back(first + i * along + 1);
        }
    }
    return groups;
}

std::string text_of(const std::vector<StackAxis>& axes) {
    std::string text;
    for (const StackAxis& axis : axes) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis.name, axis.size);
    }
    return text;
}

} // namespace glproc
