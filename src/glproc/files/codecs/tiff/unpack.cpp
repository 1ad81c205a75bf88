#include "glproc/files/codecs/tiff/unpack.hpp"

#include "glproc/files/codecs/tiff/lab.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace glproc::codecs {
namespace {

class Unpacker {
  public:
    Unpacker(const TiffLayout& layout, const Form& form) : layout_(layout), form_(form) {}

    void row(const std::byte* from, std::byte* to, int count, int plane) const {
        const std::size_t value = bytes_of(form_.depth);
        if (layout_.by_rgba)
            return rgba(from, to, count);
        if (layout_.photometric == PHOTOMETRIC_SEPARATED) {
            return layout_.bits == 8 ? ink<std::uint8_t>(from, to, count, plane)
                                     : ink<std::uint16_t>(from, to, count, plane);
        }
        if (layout_.photometric == PHOTOMETRIC_PALETTE)
            return places(from, to, count, plane);
        if (layout_.as_floats() && (layout_.format != SAMPLEFORMAT_IEEEFP || layout_.bits != 32))
            return floats(from, to, count, plane);
        if (layout_.bits != 32 && layout_.bits % 8 != 0)
            return packed(from, to, count, plane);
        if (layout_.planar == PLANARCONFIG_CONTIG) {
            std::memcpy(to, from, static_cast<std::size_t>(count) * form_.pixel_bytes());
            return;
        }
        to += static_cast<std::size_t>(plane) * value;
        for (int i = 0; i < count; ++i, from += value, to += form_.pixel_bytes())
            std::memcpy(to, from, value);
    }

  private:
    bool together() const { return layout_.planar == PLANARCONFIG_CONTIG; }

    /// How many values a row of a plane has, and where each of them goes.
    std::size_t values_of(int count) const {
        return static_cast<std::size_t>(count) * (together() ? static_cast<std::size_t>(form_.channels) : 1);
    }
    std::byte* place_of(std::byte* to, std::size_t i, int plane) const {
        const auto channels = static_cast<std::size_t>(form_.channels);
        const std::size_t place = together() ? i : i * channels + static_cast<std::size_t>(plane);
        return to + place * bytes_of(form_.depth);
    }

    /// Places in the palette, of 1 to 16 bits, which alpha may follow.
    void places(const std::byte* from, std::byte* to, int count, int plane) const {
        const auto bits = static_cast<std::size_t>(layout_.bits);
        const std::size_t most = (std::size_t{1} << bits) - 1;
        const std::size_t step = together() ? layout_.samples * bits : bits;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i, to += form_.pixel_bytes()) {
            const std::byte* at = from + i * step / 8;
            if (bits == 16) {
                std::uint16_t code = 0;
                std::memcpy(&code, at, sizeof code);
                for (std::size_t c = 0; c < 3; ++c) { // whose values have 16 bits
                    const auto value = static_cast<std::uint16_t>(layout_.palette.at(c)[code] *
                                                                  (layout_.palette_shift == 0 ? 257U : 1U));
                    std::memcpy(to + 2 * c, &value, sizeof value);
                }
                continue;
            }
            const std::size_t shift = 8 - bits - i * step % 8;
            const std::size_t code = std::to_integer<std::size_t>(*at) >> shift & most;
            for (std::size_t c = 0; c < 3 && plane == 0; ++c)
                to[c] = static_cast<std::byte>(layout_.palette.at(c)[code] >> layout_.palette_shift);
            if (layout_.samples == 2 && (together() || plane == 1))
                to[3] = together() ? at[1] : *at;
        }
    }

    /// Values of 1 to 15 bits, one after the other without gaps.
    void packed(const std::byte* from, std::byte* to, int count, int plane) const {
        const auto bits = static_cast<std::size_t>(layout_.bits);
        const std::size_t most = (std::size_t{1} << bits) - 1;
        const std::size_t full = bits < 8 ? 255 : 65535;
        for (std::size_t i = 0; i < values_of(count); ++i) {
            std::size_t code = 0;
            for (std::size_t bit = i * bits; bit < (i + 1) * bits; ++bit)
                code = code << 1U | (std::to_integer<std::size_t>(from[bit / 8]) >> (7 - bit % 8) & 1U);
            const auto scaled = static_cast<std::uint16_t>((code * full + most / 2) / most);
            if (bits < 8) {
                *place_of(to, i, plane) = static_cast<std::byte>(scaled);
            } else {
                std::memcpy(place_of(to, i, plane), &scaled, sizeof scaled);
            }
        }
    }

    template <class T>
    static T value_at(const std::byte* from, std::size_t i) {
        T value{};
        std::memcpy(&value, from + i * sizeof value, sizeof value);
        return value;
    }

    /// A float of 16 bits: 5 of them an exponent.
    static float half_of(std::uint16_t code) {
        const int exponent = code >> 10U & 31U;
        const auto mantissa = static_cast<float>(code & 1023U);
        const float size = exponent == 0    ? std::ldexp(mantissa, -24)
                           : exponent == 31 ? mantissa == 0 ? std::numeric_limits<float>::infinity()
                                                            : std::numeric_limits<float>::quiet_NaN()
                                            : std::ldexp(mantissa + 1024, exponent - 25);
        return (code & 0x8000U) != 0 ? -size : size;
    }

    float float_at(const std::byte* from, std::size_t i) const {
        const bool is_signed = layout_.format == SAMPLEFORMAT_INT;
        if (layout_.format == SAMPLEFORMAT_IEEEFP) {
            return layout_.bits == 64 ? static_cast<float>(value_at<double>(from, i))
                                      : half_of(value_at<std::uint16_t>(from, i));
        }
        if (layout_.bits == 8)
            return value_at<std::int8_t>(from, i);
        if (layout_.bits == 16)
            return value_at<std::int16_t>(from, i);
        return is_signed ? static_cast<float>(value_at<std::int32_t>(from, i))
                         : static_cast<float>(value_at<std::uint32_t>(from, i));
    }

    /// Values as they are, which take another number of bits.
    void floats(const std::byte* from, std::byte* to, int count, int plane) const {
        for (std::size_t i = 0; i < values_of(count); ++i) {
            const float value = float_at(from, i);
            std::memcpy(place_of(to, i, plane), &value, sizeof value);
        }
    }

    /// Cyan, magenta, yellow, black by their profile, or as R = (1 − C)(1 − K), and so on. Where each has a plane of its own,
    /// black comes last.
    template <class T>
    void ink(const std::byte* from, std::byte* to, int count, int plane) const {
        constexpr std::uint32_t full = std::numeric_limits<T>::max();
        const auto times = [](std::uint32_t a, std::uint32_t b) {
            return static_cast<T>((a * b + full / 2) / full);
        };
        const auto* inks = reinterpret_cast<const T*>(from);
        auto* colours = reinterpret_cast<T*>(to);
        if (layout_.inks && together())
            return layout_.inks->convert(std::span(inks, static_cast<std::size_t>(count) * 4), colours);
        for (int i = 0; i < count; ++i, inks += together() ? 4 : 1, colours += 3) {
            if (!together() && plane < 3) {
                colours[plane] = static_cast<T>(full - *inks);
                continue;
            }
            const std::uint32_t light = full - (together() ? inks[3] : *inks);
            for (int c = 0; c < 3; ++c)
                colours[c] = times(together() ? full - inks[c] : colours[c], light);
        }
    }

    static void rgba(const std::byte* from, std::byte* to, int count) {
        for (int i = 0; i < count; ++i, from += 4) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, from, sizeof pixel);
            for (const std::uint32_t value : {TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel)})
                *to++ = static_cast<std::byte>(value);
        }
    }

    const TiffLayout& layout_;
    const Form& form_;
};

template <class T>
void change_values(const TiffLayout& layout, const Form& form, std::span<std::byte> rows) {
    const std::span<T> values(reinterpret_cast<T*>(rows.data()), rows.size() / sizeof(T));
    const auto full = static_cast<T>(max_code(form.depth));
    const auto channels = static_cast<std::size_t>(form.channels);
    const std::size_t colours = form.has_alpha() ? channels - 1 : channels;
    for (std::size_t i = 0; i < values.size(); i += channels) {
        for (std::size_t c = i; c < i + colours; ++c) {
            const double alpha = layout.premultiplied ? values[i + colours] / double(full) : 1;
            double value = layout.photometric == PHOTOMETRIC_MINISWHITE ? full - values[c] : values[c];
            if (alpha != 1 && alpha > 0)
                value /= alpha;
            if constexpr (std::is_same_v<T, float>) {
                values[c] = static_cast<float>(value);
            } else {
                values[c] = static_cast<T>(std::nearbyint(std::min<double>(value, full)));
            }
        }
    }
}

} // namespace

void unpack_row(const TiffLayout& layout, const Form& form, const std::byte* from, std::byte* to, int count,
                int plane) {
    Unpacker(layout, form).row(from, to, count, plane);
}

void normalise(const TiffLayout& layout, const Form& form, std::span<std::byte> rows) {
    if (layout.photometric == PHOTOMETRIC_CIELAB)
        lab_to_rgb(form, rows);
    if (layout.photometric != PHOTOMETRIC_MINISWHITE && !layout.premultiplied)
        return;
    switch (form.depth) {
    case Depth::u8:
        return change_values<std::uint8_t>(layout, form, rows);
    case Depth::u16:
        return change_values<std::uint16_t>(layout, form, rows);
    case Depth::f32:
        return change_values<float>(layout, form, rows);
    }
}

} // namespace glproc::codecs
