// What a picture file contains besides its pixels, and which way up the pixels are.
#pragma once

#include "glproc/image/format.hpp"
#include "glproc/image/fraction.hpp"
#include "glproc/image/interval.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

class Image;

/// How many pixels there are on a unit of length, across and down.
struct Density {
    enum class Unit { none, inch, centimetre, metre }; ///< none: only the proportion of the two is known

    double x = 1;
    double y = 1;
    Unit unit = Unit::none;

    /// What files can hold.
    bool possible() const { return x > 0 && y > 0 && x < 1e9 && y < 1e9; }

    /// The same in another unit. From and to none the numbers stay.
    Density in(Unit wanted) const;

    /// The width of a pixel divided by its height; 0 where pixels are square or their shape is not known.
    double pixel_aspect() const { return possible() && x != y ? y / x : 0; }

    /// A proportion in whole numbers up to 65535, as PNG and JPEG store it: off by less than 1/65535 of it.
    Density whole() const;

    bool operator==(const Density&) const = default;
};

/// A text in a file, UTF-8, under one of the names that PNG has for them: "Comment", "Description",
/// "Software", …
struct Text {
    std::string name;
    std::string text;

    bool operator==(const Text&) const = default;
};

/// The names of PNG that other formats have a place for.
inline constexpr std::string_view comment_text = "Comment";
inline constexpr std::string_view description_text = "Description";

/// At which resolution JPEG keeps colour: all of it, half across, half across and down,
/// or half down. Automatic is that of the JPEG that the picture comes from, else 4:4:4 from quality 90 on and 4:2:0 below.
enum class Subsampling { automatic, s444, s422, s420, s440 };

/// How a JPEG was packed; another is by default packed alike.
struct JpegPacking {
    int quality = 90;                                 ///< 1 to 100, estimated
    Subsampling subsampling = Subsampling::automatic; ///< automatic: it has no colour

    bool operator==(const JpegPacking&) const = default;
};

/// What is copied from file to file; blocks byte for byte. What is empty is absent.
struct Metadata {
    std::vector<std::byte> icc{};  ///< an ICC profile
    std::vector<std::byte> exif{}; ///< a TIFF structure, without the "Exif" that JPEG puts before it
    std::vector<std::byte> xmp{};  ///< a packet of XML
    std::vector<std::byte> iptc{}; ///< records of captions, without what a format puts round them
    std::optional<Density> density{};
    std::vector<Text> texts{};
    std::optional<Format> format{};    ///< of the file that the picture comes from, which says what its values mean
    std::optional<JpegPacking> jpeg{}; ///< how the source was packed, where that was a JPEG
    std::optional<Fraction> fraction{}; ///< where the decoder made a smaller picture than the file holds
    std::optional<Interval> range{};    ///< of the type that floats had in the file, where they were integers

    /// `format`, `jpeg`, `fraction` and `range` are nothing that a file is written with.
    bool empty() const {
        return icc.empty() && exif.empty() && xmp.empty() && iptc.empty() && !density && texts.empty();
    }
};

/// Whether a text has this name; ImageMagick writes "comment".
bool is_named(const Text& text, std::string_view name);

/// The text of this name, or null.
const std::string* find_text(const Metadata& metadata, std::string_view name);

/// Latin-1, as old formats have it, to UTF-8; what is UTF-8 already is kept.
std::string utf8_of(std::string_view text);

/// How stored rows and columns lie in the picture, 1 to 8 as EXIF and TIFF number it: 1 upright, 3 upside
/// down, 6 and 8 turned by a quarter, even numbers below 5 and odd ones above mirrored. 1 where `exif` does
/// not say or cannot be read.
int orientation_of(const std::vector<std::byte>& exif);

/// To be called when a picture that was stored in this orientation has been turned: EXIF and XMP, where they
/// have an orientation, then say upright, and density and fraction are those of the turned picture.
void reset_orientation(Metadata& metadata, int stored);

/// The picture turned upright; the metadata is unchanged.
Image upright(Image image, int orientation);

} // namespace glproc
