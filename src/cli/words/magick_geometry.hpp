// Numbers as ImageMagick writes them: 0x1.5+1+0.02, 50%x25%, 10%,90%,1.2.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace glproc::cli {

/// "0x1.5+1+0.02": the numbers, and the marks that count for all of them.
struct Geometry {
    std::vector<double> numbers = {};
    bool is_percent = false;
};

struct PixelSize {
    int width = 0;
    int height = 0;
    bool operator==(const PixelSize&) const = default;
};

/// The left top pixel of a part.
struct Corner {
    int x = 0;
    int y = 0;
};

/// "WxH+X-Y", of which ImageMagick lets each part be missing. Percent are of the image.
struct MagickPlace {
    double width = 0;
    double height = 0;
    int x = 0;
    int y = 0;
    bool has_size = false;
    bool has_height = false;
    bool has_place = false;
    bool is_percent = false;
};

/// Nothing where anything else stands there.
std::optional<MagickPlace> place_in(const std::string& value);

/// Its size in pixels, where percent are of the image; nothing where there is none, or the image is not
/// known.
std::optional<PixelSize> size_in(const MagickPlace& place, const std::optional<PixelSize>& image);

/// What -resize VALUE makes of such an image; nothing where that is not known.
std::optional<PixelSize> resized(const PixelSize& image, const std::string& value);

/// Where a part of this size begins by gravity, and so many pixels farther in; ImageMagick has its own rule
/// where a middle lies between two pixels.
Corner corner_of(const PixelSize& image, const PixelSize& part, const std::string& gravity,
                 const MagickPlace& place);

/// The part of this size where gravity has it there, as a call of crop: by its place in pixels where that is
/// another one here, if the size of the image is known.
std::string crop_to(const std::optional<PixelSize>& image, const PixelSize& part, const std::string& gravity);

/// The image on a larger one, as a call of pad; the same is said of its place.
std::string pad_to(const PixelSize& image, const PixelSize& whole, const std::string& gravity,
                   const std::string& background);

/// "glproc crop IN OUT WxH+X+Y" of what lies inside the image, which becomes its size.
std::string crop_at(PixelSize& image, Corner corner, const PixelSize& part);

/// Nothing where anything but a geometry stands there.
std::optional<Geometry> geometry_in(const std::string& value);

/// The size behind an operation here: "800x600" keeps the aspect there; "800x600!" does not. Nothing where
/// nothing here is the same.
std::optional<std::string> size_of(const std::string& operation, std::string value);

} // namespace glproc::cli
