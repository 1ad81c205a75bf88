#include "glproc/files/codecs/ink.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/colour_management.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::codecs {

namespace {

/// ICC.1, 7.2: the colour space stands in bytes 16 to 19, and "acsp" in 36 to 39.
bool is_of_ink(std::span<const std::byte> profile) {
    const auto has = [&](std::size_t at, std::string_view text) {
        return profile.size() >= 128 &&
               std::equal(text.begin(), text.end(), profile.begin() + static_cast<std::ptrdiff_t>(at),
                          [](char c, std::byte b) { return static_cast<unsigned char>(c) == std::to_integer<unsigned char>(b); });
    };
    return has(16, "CMYK") && has(36, "acsp");
}

/// Null, with the reason, where it cannot be used.
std::unique_ptr<modules::InkConversion> conversion_by(std::span<const std::byte> profile, std::string& problem) {
    try {
        return colour_management().inks(profile, problem);
    } catch (const Error& error) { // no such library here
        problem = error.what();
        return nullptr;
    }
}

} // namespace

std::shared_ptr<const InkColours> InkColours::of(const Source& source, Metadata& metadata) {
    const std::vector<std::byte> profile = std::exchange(metadata.icc, {});
    if (!is_of_ink(profile)) {
        note(source, "CMYK becomes RGB by a plain formula; its ICC profile, if any, is left out");
        return nullptr;
    }
    std::string problem;
    auto conversion = conversion_by(profile, problem);
    if (conversion == nullptr) {
        note(source, fmt::format("CMYK becomes RGB by a plain formula, as its ICC profile cannot be used: {}", problem));
        return nullptr;
    }
    note(source, "CMYK becomes sRGB by its ICC profile");
    return std::make_shared<const InkColours>(std::move(conversion));
}

void InkColours::convert(std::span<const std::uint8_t> inks, std::uint8_t* rgb) const {
    std::vector<std::uint16_t> wide(inks.size());
    std::transform(inks.begin(), inks.end(), wide.begin(), [](std::uint8_t v) { return static_cast<std::uint16_t>(v * 257); });
    std::vector<std::uint16_t> colours(inks.size() / 4 * 3);
    convert(wide, colours.data());
    std::transform(colours.begin(), colours.end(), rgb, [](std::uint16_t v) { return static_cast<std::uint8_t>((v + 128U) / 257U); });
}

void InkColours::convert(std::span<const std::uint16_t> inks, std::uint16_t* rgb) const {
    conversion_->convert(inks.data(), rgb, inks.size() / 4);
}

} // namespace glproc::codecs
