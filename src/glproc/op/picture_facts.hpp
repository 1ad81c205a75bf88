// A picture beside its form and its pixels: its file, its profile, its light.
#pragma once

#include "glproc/files/transfer_curve.hpp"
#include "glproc/image/fraction.hpp"
#include "glproc/op/meaning.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace glproc {

struct PictureFacts {
    std::string path = {}; ///< as it was named; empty where there is no file
    std::vector<std::byte> exif = {};
    std::vector<std::byte> icc = {};
    ColourCurve curve = ColourCurve::unknown;  ///< of its floats
    bool are_numbers = false;                  ///< whether a step of a chain has made numbers of them
    std::optional<Fraction> fraction = {};     ///< what a decoder has made of it
    std::vector<std::string> notes = {};       ///< of second pictures that were converted to meet it

    bool operator==(const PictureFacts&) const = default;
};

/// Of the result of an operation, by the meaning that its plan states.
constexpr ColourCurve curve_after(Meaning meaning, ColourCurve before) {
    switch (meaning) {
    case Meaning::numbers:
        return ColourCurve::unknown;
    case Meaning::srgb:
        return ColourCurve::srgb;
    case Meaning::light:
        return ColourCurve::linear;
    case Meaning::kept:
        break;
    }
    return before;
}

} // namespace glproc
