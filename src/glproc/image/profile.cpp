// ICC.1:2022, 7.2.6: the colour space stands at offset 16 of the header. Descriptions are ASCII in version 2
// and UTF-16 in version 4.
#include "glproc/image/profile.hpp"

#include <algorithm>
#include <string_view>

namespace glproc {

bool fits_channels(std::span<const std::byte> icc, int channels) {
    constexpr std::size_t place = 16;
    constexpr std::size_t length = 4;
    if (icc.size() < place + length) {
        return true; // it says nothing
    }
    const std::string_view space(reinterpret_cast<const char*>(icc.data()) + place, length);
    return space != (channels < 3 ? "RGB " : "GRAY");
}

bool names_srgb(std::span<const std::byte> icc) {
    using namespace std::string_view_literals;
    const std::string_view text(reinterpret_cast<const char*>(icc.data()), icc.size());
    return text.find("sRGB"sv) != std::string_view::npos ||
           text.find("s\0R\0G\0B"sv) != std::string_view::npos;
}

} // namespace glproc
