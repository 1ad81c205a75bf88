#include "glproc/ops/components/filling.hpp"

#include "glproc/kinds/host_mask.hpp"

#include <algorithm>

namespace glproc {

namespace {

constexpr std::uint32_t unvisited = UINT32_MAX;

ComponentSums pixel_sums(std::int64_t x, std::int64_t y) {
    const auto column = static_cast<std::uint64_t>(x);
    const auto row = static_cast<std::uint64_t>(y);
    return {.area = 1,
            .x = column,
            .y = row,
            .xx = WideSum{column} * column,
            .xy = WideSum{column} * row,
            .yy = WideSum{row} * row,
            .left = static_cast<int>(x),
            .top = static_cast<int>(y),
            .right = static_cast<int>(x),
            .bottom = static_cast<int>(y)};
}

} // namespace

void ComponentFilling::look(const GpuImage& band) {
    const HostMask mask = host_mask(gpu_.download(band), pixels_);
    width_ = mask.width;
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            labels_.push_back(mask.is_set(x, y) ? unvisited : 0);
        }
    }
    height_ += mask.height;
}

/// All pixels that a way leads to from the first one.
ComponentSums ComponentFilling::fill(std::int64_t first, std::uint32_t label) {
    ComponentSums sums;
    const auto visit = [&](std::int64_t x, std::int64_t y) {
        std::uint32_t& at = labels_[static_cast<std::size_t>(y * width_ + x)];
        if (at == unvisited) {
            at = label;
            sums.join(pixel_sums(x, y));
            open_.push_back(y * width_ + x);
        }
    };
    visit(first % width_, first / width_);
    while (!open_.empty()) {
        const std::int64_t x = open_.back() % width_;
        const std::int64_t y = open_.back() / width_;
        open_.pop_back();
        for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v <= std::min(y + 1, height_ - 1); ++v) {
            for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u <= std::min(x + 1, width_ - 1); ++u) {
                if (connectivity_ == Connectivity::eight || u == x || v == y) {
                    visit(u, v);
                }
            }
        }
    }
    return sums;
}

std::vector<ComponentSums> ComponentFilling::end() {
    std::vector<ComponentSums> found;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        if (labels_[i] == unvisited) {
            found.push_back(fill(static_cast<std::int64_t>(i), static_cast<std::uint32_t>(found.size() + 1)));
        }
    }
    return found;
}

void ComponentFilling::choose(std::span<const std::uint32_t> labels) {
    for (std::uint32_t& label : labels_) {
        label = label == 0 ? 0 : labels[label - 1];
    }
}

Buffer ComponentFilling::paint(const GpuImage& band) {
    painted_ = painted_ == height_ ? 0 : painted_;
    const auto rows = std::span(labels_).subspan(static_cast<std::size_t>(painted_ * width_),
                                                 static_cast<std::size_t>(band.height() * width_));
    painted_ += band.height();
    Buffer labels = gpu_.make_buffer(rows.size_bytes(), "components.labels");
    labels.write(std::as_bytes(rows));
    return labels;
}

} // namespace glproc
