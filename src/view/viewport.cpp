#include "view/viewport.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace glproc::view {

namespace {

constexpr std::array<double, 21> steps{1.0 / 64, 1.0 / 48, 1.0 / 32, 1.0 / 24, 1.0 / 16, 1.0 / 12, 1.0 / 8,
                                       1.0 / 6,  0.25,     1.0 / 3,  0.5,      2.0 / 3,  1,        1.5,
                                       2,        3,        4,        6,        8,        16,       32};

} // namespace

ScreenPlace fitted(double width, double height, const ScreenPlace& into) {
    const double scale = std::min(into.width / width, into.height / height);
    const Point2 room{into.width - width * scale, into.height - height * scale};
    constexpr double next_to_nothing = 0.01;
    if (room.x < std::max(scale, next_to_nothing * into.width) &&
        room.y < std::max(scale, next_to_nothing * into.height)) {
        return into;
    }
    return {{into.corner.x + std::round(room.x / 2), into.corner.y + std::round(room.y / 2)},
            width * scale,
            height * scale};
}

void Viewport::set_frame(double width, double height) {
    if (width == width_ && height == height_) {
        return;
    }
    // What is in the middle stays there.
    origin_.x += (width - width_) / 2;
    origin_.y += (height - height_) / 2;
    width_ = std::max(width, 1.0);
    height_ = std::max(height, 1.0);
    fits_ ? fit() : keep_in();
}

void Viewport::set_margin(double margin) {
    if (std::exchange(margin_, margin) != margin) {
        fits_ ? fit() : keep_in();
    }
}

void Viewport::set_picture(double width, double height) {
    const double before = std::exchange(picture_width_, width);
    if (std::exchange(picture_height_, height) != height || before != width) {
        fits_ ? fit() : keep_in();
    }
}

void Viewport::fit() {
    fits_ = true;
    if (picture_width_ < 1 || picture_height_ < 1) {
        return;
    }
    constexpr double largest = 8; // of a picture of a few pixels
    const auto room = [&](double frame) { return std::max(frame - 2 * margin_, 1.0); };
    zoom_ = std::min({room(width_) / picture_width_, room(height_) / picture_height_, largest});
    if (zoom_ > 1) {
        zoom_ = std::floor(zoom_);
    }
    keep_in();
}

void Viewport::zoom_to(double zoom, Point2 about) {
    fits_ = false;
    const Point2 at = to_picture(about);
    zoom_ = std::clamp(zoom, steps.front(), steps.back());
    origin_ = {about.x - at.x * zoom_, about.y - at.y * zoom_};
    keep_in();
}

void Viewport::step(int direction, Point2 about) {
    constexpr double slack = 1.001;
    if (direction > 0) {
        const auto next = std::upper_bound(steps.begin(), steps.end(), zoom_ * slack);
        zoom_to(next == steps.end() ? steps.back() : *next, about);
    } else {
        const auto next = std::lower_bound(steps.begin(), steps.end(), zoom_ / slack);
        zoom_to(next == steps.begin() ? steps.front() : *std::prev(next), about);
    }
}

void Viewport::pan(double x, double y) {
    fits_ = fits_ && x == 0 && y == 0;
    origin_.x += x;
    origin_.y += y;
    keep_in();
}

void Viewport::look_at(const ScreenPlace& part) {
    constexpr double least = 24; // pixels of the screen
    constexpr double closest = 8;
    const double side = std::max({part.width, part.height, 1.0});
    const Point2 middle{part.corner.x + part.width / 2, part.corner.y + part.height / 2};
    const double fitting =
        0.9 * std::min(width_ / std::max(part.width, 1.0), height_ / std::max(part.height, 1.0));
    const Point2 first = to_frame(part.corner);
    const Point2 last = to_frame({part.corner.x + part.width, part.corner.y + part.height});
    const bool is_in_sight = first.x >= 0 && first.y >= 0 && last.x <= width_ && last.y <= height_;
    const bool is_large = side * zoom_ >= least || zoom_ >= closest;
    if (is_in_sight && is_large) {
        return;
    }
    const double zoom = is_large ? zoom_ : std::min(2 * least / side, closest);
    zoom_to(std::min(zoom, fitting), to_frame(middle));
    const Point2 at = to_frame(middle);
    pan(width_ / 2 - at.x, height_ / 2 - at.y);
}

/// A picture that has room is in the middle; a larger one leaves no gap.
void Viewport::keep_in() {
    const auto along = [&](double origin, double frame, double picture) {
        const double kept = picture + 2 * margin_ <= frame
                                ? (frame - picture) / 2
                                : std::clamp(origin, frame - picture - margin_, margin_);
        return std::round(kept);
    };
    origin_.x = along(origin_.x, width_, picture_width_ * zoom_);
    origin_.y = along(origin_.y, height_, picture_height_ * zoom_);
}

} // namespace glproc::view
