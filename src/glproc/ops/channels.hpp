// Channels in another order, from other images, or as stains.
#pragma once

#include "glproc/kinds/point.hpp"
#include "glproc/ops/channels/stains.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace glproc {

enum class ImageChannel { red, green, blue, alpha };

template <>
inline constexpr std::array<EnumRow<ImageChannel>, 4> enum_rows<ImageChannel>{
    EnumRow{ImageChannel::red, "r", "red, or grey"},
    EnumRow{ImageChannel::green, "g", "green, or grey"},
    EnumRow{ImageChannel::blue, "b", "blue, or grey"},
    EnumRow{ImageChannel::alpha, "a", "opacity"},
};

/// One to four of "rgba01", a letter for each channel of the result: grey, grey and alpha, RGB, RGBA.
struct ChannelOrder {
    std::string letters;
};

template <>
struct FieldText<ChannelOrder> {
    static ChannelOrder parse(const FieldContext& context, std::string_view text);
    static std::string print(const ChannelOrder& order) { return order.letters; }
    static std::string range(const Limit&) { return "one to four of r, g, b, a, 0 and 1"; }
};

enum class StainOutput { density, light };

template <>
inline constexpr std::array<EnumRow<StainOutput>, 2> enum_rows<StainOutput>{
    EnumRow{StainOutput::density, "density",
            "floats as scikit-image's: 0 is no stain, 1 leaves a millionth of the light"},
    EnumRow{StainOutput::light, "light",
            "what each stain alone lets through, as ImageJ shows it: white is no stain"},
};

/// Copies channels, bit for bit. In a grey image red, green and blue are its grey; without alpha everything
/// is opaque.
///
/// Or, with `stains`, makes red, green and blue the amounts of three stains, by their absorption. Densities
/// equal skimage.color.separate_stains. Values below 1e-6 count as that; NaN stays NaN.
struct Channels {
    std::optional<ChannelOrder> order = std::nullopt;   ///< where each channel of the result comes from
    std::optional<ImageChannel> extract = std::nullopt; ///< instead: the only channel of a grey result
    std::optional<ImageChannel> set = std::nullopt;     ///< first, this one is replaced by `with`
    PictureInput with = {}; ///< as large as the image; as grey, and with the image's depth
    std::optional<Stains> stains = std::nullopt; ///< instead of all these
    StainOutput output = StainOutput::density;
    PointMethod method = PointMethod::automatic;

    GpuImage operator()(Context& gpu, const GpuImage& src) const { return run(*this, gpu, src); }
};

/// Throws Error(usage) if there is nothing to do, and for a second image of another size.
Plan plan(const Channels& op, const Form& form);

} // namespace glproc
