#include "glproc/ops/profile/conversion.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/files/colour_management.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace glproc {

namespace {

using modules::ColourConversion;

constexpr std::size_t pixels_at_once = 4096; // whose floats stay in the cache

/// Colours of pixels, without alpha, as floats that are full at 1; and back.
struct Colours {
    std::vector<float> from;
    std::vector<float> to;
};

/// A pixel with a NaN has no colour: all its channels become NaN, which libraries do not promise.
void spread_nans(Colours& colours, std::size_t per_pixel, std::size_t pixels) {
    for (std::size_t i = 0; i < pixels * per_pixel; i += per_pixel) {
        const auto begin = colours.from.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = begin + static_cast<std::ptrdiff_t>(per_pixel);
        if (std::any_of(begin, end, [](float value) { return std::isnan(value); })) {
            std::fill_n(colours.to.begin() + static_cast<std::ptrdiff_t>(i), per_pixel,
                        std::numeric_limits<float>::quiet_NaN());
        }
    }
}

template <class T>
T code_of(float value) {
    if constexpr (std::is_same_v<T, float>) {
        return value;
    } else {
        constexpr double full = std::numeric_limits<T>::max();
        const double code = static_cast<double>(value) * full;
        return static_cast<T>(code >= full ? full : code > 0 ? std::nearbyint(code) : 0);
    }
}

template <class T>
void convert_some(const ColourConversion& conversion, Colours& colours, T* values, std::size_t pixels, const Form& form) {
    const auto channels = static_cast<std::size_t>(form.channels);
    const std::size_t per_pixel = channels < 3 ? 1 : 3;
    const auto full = static_cast<float>(max_code(form.depth));
    for (std::size_t i = 0; i < pixels; ++i) {
        for (std::size_t c = 0; c < per_pixel; ++c) {
            colours.from[i * per_pixel + c] = static_cast<float>(values[i * channels + c]) / full;
        }
    }
    conversion.convert(colours.from.data(), colours.to.data(), pixels);
    if constexpr (std::is_same_v<T, float>) {
        spread_nans(colours, per_pixel, pixels);
    }
    for (std::size_t i = 0; i < pixels; ++i) {
        for (std::size_t c = 0; c < per_pixel; ++c) {
            values[i * channels + c] = code_of<T>(colours.to[i * per_pixel + c]);
        }
    }
}

template <class T>
void convert_all(const ColourConversion& conversion, std::span<std::byte> rows, const Form& form) {
    const std::size_t pixels = rows.size() / form.pixel_bytes();
    auto* values = reinterpret_cast<T*>(rows.data());
    const auto make = [] { return Colours{std::vector<float>(3 * pixels_at_once), std::vector<float>(3 * pixels_at_once)}; };
    parallel_for(covering(pixels, pixels_at_once), make, [&](Colours& colours, std::size_t i) {
        const std::size_t first = i * pixels_at_once;
        convert_some(conversion, colours, values + first * static_cast<std::size_t>(form.channels),
                     std::min(pixels_at_once, pixels - first), form);
    });
}

} // namespace

const ColourConversion& ProfileConversion::colours() const {
    const std::lock_guard lock(mutex_);
    if (!made_) {
        std::string problem;
        made_ = colour_management().begin(
            {between_.from, between_.to, form_.channels < 3, between_.intent, between_.black_points}, problem);
        if (!made_) {
            throw Error(ErrorCode::operation, "no conversion leads from one ICC profile to the other: " + problem,
                        "another --intent may do, or --from srgb in place of the profile of the image");
        }
    }
    return *made_;
}

void ProfileConversion::convert(std::span<std::byte> rows) const {
    switch (form_.depth) {
    case Depth::u8:
        return convert_all<std::uint8_t>(colours(), rows, form_);
    case Depth::u16:
        return convert_all<std::uint16_t>(colours(), rows, form_);
    case Depth::f32:
        return convert_all<float>(colours(), rows, form_);
    }
}

void convert_rows(const ProfileConversion* conversion, const Form& form, RowReader& source, RowWriter& to) {
    constexpr std::size_t band_bytes = std::size_t{8} << 20U;
    const std::size_t most_rows = std::max<std::size_t>(band_bytes / form.row_bytes(), 1);
    const auto height = static_cast<std::size_t>(form.height);
    std::vector<std::byte> rows(std::min(most_rows, height) * form.row_bytes());
    for (std::size_t y = 0; y < height; y += most_rows) {
        const auto band = std::span(rows).first(std::min(most_rows, height - y) * form.row_bytes());
        source.read(band);
        if (conversion != nullptr) {
            conversion->convert(band);
        }
        to.write(band);
    }
}

} // namespace glproc
