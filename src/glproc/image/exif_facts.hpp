// What EXIF says about how a picture was taken, for people.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glproc {

/// Empty where EXIF does not say. Texts are ASCII; other characters are question marks.
struct ExifFacts {
    std::string date = {};               ///< "2021-05-12 10:15:00", as the camera's clock had it
    std::string camera = {};             ///< maker and model
    std::optional<double> latitude = {}; ///< degrees, north of the equator
    std::optional<double> longitude = {};
};

/// Bounded: a few directories, each read once.
ExifFacts exif_facts(std::span<const std::byte> exif);

/// One value, by its name in EXIF: Make, Model, DateTimeOriginal, ExposureTime ("1/250"), FNumber, ISO ... Empty
/// where EXIF does not say. Throws Error(usage) for a name that is not known.
std::string exif_text(std::span<const std::byte> exif, std::string_view key);

} // namespace glproc
