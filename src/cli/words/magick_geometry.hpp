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

/// Nothing where anything but a geometry stands there.
std::optional<Geometry> geometry_in(const std::string& value);

} // namespace glproc::cli
