// Facts of the file that an operation's picture comes from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace glproc {

struct PictureFacts {
    std::string path = {}; ///< empty where there is no file
    std::vector<std::byte> exif = {};

    bool operator==(const PictureFacts&) const = default;
};

} // namespace glproc
