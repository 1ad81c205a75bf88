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

/// The size behind an operation here: "800x600" keeps the aspect there; "800x600!" does not. Nothing where
/// nothing here is the same.
std::optional<std::string> size_of(const std::string& operation, std::string value);

} // namespace glproc::cli
