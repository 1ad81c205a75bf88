// The meaning of values in the result of an operation, for those who write them to a file or show them.
#pragma once

namespace glproc {

enum class Meaning {
    kept,    ///< the same as the values of the source
    numbers, ///< such as distances and deviations: no curve of light applies to them
    srgb,    ///< encoded by the curve of sRGB
    light,   ///< in proportion to light
};

} // namespace glproc
