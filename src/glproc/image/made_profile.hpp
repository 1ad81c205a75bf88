// ICC profiles that are written here: of pictures whose files say in another way what their colours are.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace glproc {

/// x and y of red, green, blue and white.
using Chromaticities = std::array<double, 8>;
inline constexpr Chromaticities srgb_chromaticities{0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290};
inline constexpr Chromaticities adobe_rgb_chromaticities{0.64, 0.33, 0.21, 0.71, 0.15, 0.06, 0.3127, 0.3290};

/// The colours of a profile. Grey has the white and the curve alone.
struct ProfileColours {
    std::string_view name;
    Chromaticities chromaticities = srgb_chromaticities;
    double gamma = 0; ///< light is the value to this power; 0: the curve of sRGB
    bool is_grey = false;
};

/// A display profile of version 4. Empty where the chromaticities are of no light.
std::vector<std::byte> made_profile(const ProfileColours& colours);

/// That of sRGB, for colours or for grey.
std::vector<std::byte> srgb_profile(bool is_grey);

} // namespace glproc
