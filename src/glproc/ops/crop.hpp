// A part of a picture.
#pragma once

#include "glproc/kinds/gather/plan.hpp"
#include "glproc/op/pixel_length.hpp"

#include <optional>

namespace glproc {

/// The size of a part, and where its first pixel lies if that is said.
struct PartSize : SizeOrShare {
    constexpr PartSize(SizeOrShare size) : SizeOrShare(size) {} // implicit: as FieldText has it
    constexpr PartSize(PixelSize size) : SizeOrShare(size) {}  // implicit: Crop{.size = PixelSize{640, 480}}
    std::optional<Int2> first = std::nullopt;
};

/// Width to height.
struct Aspect {
    double width = 1;
    double height = 1;
};

/// The pixels of a rectangle, bit for bit: `rect`, or one of `size`, or the largest of `aspect`, that lies
/// where `gravity` says.
struct Crop {
    std::optional<Rect> rect = std::nullopt;
    std::optional<PartSize> size = std::nullopt;
    std::optional<Aspect> aspect = std::nullopt;
    Gravity gravity = Gravity::center;
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) unless there is one of rectangle, size and aspect, and it lies within the picture.
Placement placement_of(const Crop& op, const Form& form);
Plan plan(const Crop& op, const Form& form);

/// "WxH", or "WxH+X+Y" as ImageMagick has it; "50%x50%" for W and H, or "50%" for both. Throws Error(usage).
template <>
struct FieldText<PartSize> {
    static PartSize parse(const FieldContext& c, std::string_view text);
    static std::string print(const PartSize& part);
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

/// "W:H", or the quotient of both as a number. Throws Error(usage).
template <>
struct FieldText<Aspect> {
    static Aspect parse(const FieldContext& c, std::string_view text);
    static std::string print(const Aspect& aspect);
    static std::string range(const Limit&) { return "W:H, or a number"; }
};

/// "X,Y,W,H". Throws Error(usage).
template <>
struct FieldText<Rect> {
    static Rect parse(const FieldContext& c, std::string_view text);
    static std::string print(const Rect& rect);
    static std::string range(const Limit&) { return "whole"; }
};

} // namespace glproc
