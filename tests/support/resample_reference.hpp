// What a picture of another size must be, from the definition of each filter. Shares no code with the
// library.
#pragma once

#include "support/reference.hpp"

#include <string>

namespace glproc::test {

/// A part of a line shown in `to` pixels.
struct Part1D {
    int to;
    double begin;
    double length;
};

/// `filter` by the name that users type. Where `linear`, codes are taken to be sRGB.
Reference resampled(const Image& image, const std::string& filter, const Part1D& x, const Part1D& y,
                    bool premultiply, bool linear);

} // namespace glproc::test
