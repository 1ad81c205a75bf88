// Makes a small picture of a large one.
#pragma once

#include "glproc/image/fraction.hpp"
#include "glproc/kinds/gather/plan.hpp"

#include <optional>

namespace glproc {

/// Shrinks the picture to fit a box and keeps its aspect. It is never enlarged. Of a HEIC or AVIF file it is given the smallest
/// preview inside the file that is large enough, or the picture itself where there is none.
struct Thumbnail {
    Extent box = {256, 256}; ///< a side of 0 sets no limit
    ResampleFilter filter = ResampleFilter::lanczos3;
    AlphaMode alpha = AlphaMode::premultiply;
    GatherMethod method = GatherMethod::automatic;
    std::optional<Fraction> fraction = std::nullopt; ///< how much a decoder has shrunk it already

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) for a box that is invalid or out of range.
Plan plan(const Thumbnail& op, const Form& form);

/// "256", "400x300", "400x" or "x300". Throws Error(usage).
template <>
struct FieldText<Extent> {
    static Extent parse(const FieldContext& c, std::string_view text);
    static std::string print(const Extent& box);
    static std::string range(const Limit&) { return "N, WxH, Wx or xH"; }
};

} // namespace glproc
