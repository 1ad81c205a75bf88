// Resizes a picture.
#pragma once

#include "glproc/kinds/light.hpp"
#include "glproc/kinds/gather/plan.hpp"

#include <optional>

namespace glproc {

/// A new size: width and height, one of them alone (0: the other follows from the aspect), or percent of the
/// old ones.
struct NewSize {
    int width = 0;
    int height = 0;
    double percent = 0;        ///< of the width
    double percent_y = 0;      ///< of the height; 0: as of the width
    bool covers = false;       ///< "800x600^": the smallest size of the same aspect that covers that box
    bool only_shrinks = false; ///< "800x600>": the largest size within that box, and never a larger picture
};

/// The picture at a new size. If it shrinks, filters widen so that nothing aliases; they end at its edges.
struct Resize {
    NewSize size = {};
    std::optional<int> max = std::nullopt; ///< instead of `size`: the longer side at most
    bool fit = false;                      ///< fits into the box of `size`, keeps the aspect
    bool fill = false;                 ///< fills the box, keeps the aspect and crops the rest
    Gravity gravity = Gravity::center; ///< for `fill`: the part that stays
    ResampleFilter filter = ResampleFilter::lanczos3;
    bool linear = false; ///< in linear light: integer pictures are taken to be sRGB
    FloatValues floats = FloatValues::linear; ///< with `linear`: the meaning of float values
    AlphaMode alpha = AlphaMode::premultiply;
    GatherMethod method = GatherMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) for a size that is invalid or out of range.
Plan plan(const Resize& given, const Form& form);

/// "800x600", "800x", "x600", "50%" or "50%x25%", also "800x600>", "800x600^" and, as it stands, "800x600!".
/// Throws Error(usage).
template <>
struct FieldText<NewSize> {
    static NewSize parse(const FieldContext& c, std::string_view text);
    static std::string print(const NewSize& size);
    static std::string range(const Limit&) { return "P%, or WxH, Wx or xH"; }
};

} // namespace glproc
