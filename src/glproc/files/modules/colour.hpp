// What the module of colour management and the program know of each other. Like the modules of formats it is loaded at
// need, and links nothing of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glproc::modules {

/// The order is that of ICC.1.
enum class ColourIntent { perceptual, relative, saturation, absolute };

/// Profiles that need no file.
enum class StandardColours { srgb, display_p3 };

/// Which of them: of grey or of colours, and with the curve of sRGB or for linear light.
struct StandardProfile {
    StandardColours colours = StandardColours::srgb;
    bool is_grey = false;
    bool is_linear = false;
};

/// From the colours of one profile to the colours of another: floats, one for grey and three for RGB, full at 1. Threads
/// may share it.
class ColourConversion {
  public:
    ColourConversion() = default;
    ColourConversion(const ColourConversion&) = delete;
    ColourConversion& operator=(const ColourConversion&) = delete;
    virtual ~ColourConversion() = default;

    virtual void convert(const float* from, float* to, std::size_t pixels) const = 0;
};

/// From four inks of 16 bits, the most at 65535, to sRGB of 16 bits. Threads may share it.
class InkConversion {
  public:
    InkConversion() = default;
    InkConversion(const InkConversion&) = delete;
    InkConversion& operator=(const InkConversion&) = delete;
    virtual ~InkConversion() = default;

    virtual void convert(const std::uint16_t* from, std::uint16_t* to, std::size_t pixels) const = 0;
};

struct ConversionRequest {
    std::span<const std::byte> from;
    std::span<const std::byte> to;
    bool is_grey = false;
    ColourIntent intent = ColourIntent::perceptual;
    bool black_points = false; ///< whether these are mapped onto each other
};

/// What is wrong with a profile for pictures.
struct ProfileFault {
    enum class Kind { none, broken, other_colours };
    Kind kind = Kind::none;
    std::string what = {};
};

struct ColourModule {
    ProfileFault (*check)(std::span<const std::byte> profile, bool is_grey);
    /// Null, with the reason, where the library finds no way from one to the other.
    std::unique_ptr<ColourConversion> (*begin)(const ConversionRequest& request, std::string& problem);
    /// The same bytes each time.
    std::vector<std::byte> (*standard)(const StandardProfile& which);
    /// For a profile of CMYK, perceptually. Null, with the reason, where it cannot be used.
    std::unique_ptr<InkConversion> (*inks)(std::span<const std::byte> profile, std::string& problem);
};

} // namespace glproc::modules
