// Colour management.
#pragma once

#include "glproc/kinds/light.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/ops/profile/icc_choice.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace glproc {

enum class ProfileMethod { automatic, gpu, lcms, cpu };

template <>
inline constexpr std::array<EnumRow<ProfileMethod>, 4> enum_rows<ProfileMethod>{
    EnumRow{ProfileMethod::automatic, "auto", "gpu for 8 and 16 bits if both profiles are a matrix and formulas, otherwise lcms"},
    EnumRow{ProfileMethod::gpu, "gpu", "a matrix and curves in one pass over the image, within one code of lcms"},
    EnumRow{ProfileMethod::lcms, "lcms", "Little CMS 2 in floats, on all cores of the CPU"},
    EnumRow{ProfileMethod::cpu, "cpu", "same as lcms"},
};

template <>
inline constexpr std::array<EnumRow<modules::ColourIntent>, 4> enum_rows<modules::ColourIntent>{
    EnumRow{modules::ColourIntent::perceptual, "perceptual", "as the profile's maker found photos pleasing"},
    EnumRow{modules::ColourIntent::relative, "relative", "the same colours, relative to white"},
    EnumRow{modules::ColourIntent::saturation, "saturation", "vivid colours, for charts"},
    EnumRow{modules::ColourIntent::absolute, "absolute", "the same colours, with the white of the other device"},
};

/// Converts colours from one ICC profile to another, as the float transform of Little CMS 2 does, or within one code
/// of it. The result is rounded once, with ties to even. Alpha is kept. A grey image stays grey, and gets a grey
/// profile. Or it assigns a profile: colours then mean something else, and values stay as they are.
///
/// Floats of linear light stay that: "srgb" and "display-p3" then name the same colours without a curve.
struct Profile {
    IccChoice to = {};
    IccChoice assign = {};                  ///< instead of `to`
    IccChoice from = IccChoice::Kind::own;  ///< sRGB where the image has none of its own
    modules::ColourIntent intent = modules::ColourIntent::perceptual;
    bool bpc = false; ///< whether black becomes black; with the intent perceptual profiles of version 4 always do
    FloatValues floats = FloatValues::linear;
    ProfileMethod method = ProfileMethod::automatic;
    std::vector<std::byte> own = {}; ///< the profile that came with the image, if it did

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

Plan plan(const Profile& op, const Form& form);

/// The profile that results of such a form are to be stored with.
std::vector<std::byte> profile_after(const Profile& op, const Form& form);

/// For frames of a video, which carry no profile. Throws Error(usage) where the colours of results would need
/// another than sRGB's.
void refuse_profile_of_frames(const Operation& operation, const Form& form);

} // namespace glproc
