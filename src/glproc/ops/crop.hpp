// A part of a picture.
#pragma once

#include "glproc/kinds/gather/plan.hpp"

#include <optional>

namespace glproc {

/// The pixels of a rectangle, bit for bit: `rect`, or one of `size` that lies where `gravity` says.
struct Crop {
    std::optional<Rect> rect = std::nullopt;
    std::optional<PixelSize> size = std::nullopt;
    Gravity gravity = Gravity::center;
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) unless there is either rectangle or size, and it lies within the picture.
Plan plan(const Crop& op, const Form& form);

/// "X,Y,W,H". Throws Error(usage).
template <>
struct FieldText<Rect> {
    static Rect parse(const FieldContext& c, std::string_view text);
    static std::string print(const Rect& rect);
    static std::string range(const Limit&) { return "within the picture"; }
};

} // namespace glproc
