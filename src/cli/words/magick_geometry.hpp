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

/// "100x80" of whole numbers.
std::optional<PixelSize> box_in(const std::string& value);

/// What -resize VALUE makes of such an image; nothing where that is not known.
std::optional<PixelSize> resized(const PixelSize& image, const std::string& value);

/// The part of this size where gravity has it there, as a call of crop. Where a middle lies between two pixels, ImageMagick has its
/// own rule, and the part gets its place in pixels if the size of the image is known.
std::string crop_to(const std::optional<PixelSize>& image, const PixelSize& part, const std::string& gravity);

/// The image on a larger one, as a call of pad; the same is said of its place.
std::string pad_to(const PixelSize& image, const PixelSize& whole, const std::string& gravity, const std::string& background);

/// Nothing where anything but a geometry stands there.
std::optional<Geometry> geometry_in(const std::string& value);

/// The size behind an operation here: "800x600" keeps the aspect there; "800x600!" does not. Nothing where
/// nothing here is the same.
std::optional<std::string> size_of(const std::string& operation, std::string value);

} // namespace glproc::cli
