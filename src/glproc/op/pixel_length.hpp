// Lengths and sizes on an image: pixels, or a share of its own.
#pragma once

#include "glproc/image/level_text.hpp"
#include "glproc/op/field.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

namespace glproc {

/// 12, or 5%: int where only whole pixels make sense, else double. A position may have any sign, a length has the limit's.
template <class T>
struct PixelLength {
    T pixels{};
    double share = 0; ///< of the width, of a position down the image of its height; 0: `pixels` counts

    constexpr PixelLength() = default;
    constexpr PixelLength(T count) : pixels(count) {} // implicit: Blend{.margin = 10}
    constexpr PixelLength(T count, double part) : pixels(count), share(part) {}
    constexpr operator T() const {
        return pixels;
    } // NOLINT(google-explicit-constructor): once in() was called

    /// In pixels of an image of this width, or height.
    PixelLength in(int side) const {
        const double exact = share * side;
        return share == 0 ? *this
                          : PixelLength(static_cast<T>(std::is_integral_v<T> ? std::round(exact) : exact));
    }
    bool operator==(const PixelLength&) const = default;
};

template <class T>
struct FieldText<PixelLength<T>> {
    /// Throws Error(usage).
    static PixelLength<T> parse(const FieldContext& c, std::string_view text) {
        if (!text.ends_with('%')) {
            return FieldText<T>::parse(c, text);
        }
        PixelLength<T> length;
        length.share = parse_number({c.name, "%", {c.limit.low < 0 ? -1000.0 : 0.0, 1000}}, text) / 100;
        return length;
    }
    static std::string print(const PixelLength<T>& length) {
        return length.share == 0 ? FieldText<T>::print(length.pixels)
                                 : print_number(length.share * 100) + "%";
    }
    static std::string range(const Limit& limit) { return FieldText<T>::range(limit); }
};

template <class T>
struct ValueKind<PixelLength<T>> : ValueKind<T> {};

/// 640x480, or shares of the image's own width and height.
struct SizeOrShare : PixelSize {
    constexpr SizeOrShare() = default;
    constexpr SizeOrShare(PixelSize size) : PixelSize(size) {} // implicit: Pad{.size = PixelSize{640, 480}}
    double share_x = 0; ///< of the image's width, instead of pixels
    double share_y = 0; ///< of its height, likewise

    /// In pixels of such an image.
    PixelSize in(int image_width, int image_height) const {
        const auto whole = [](double side) { return std::max(static_cast<int>(std::lround(side)), 1); };
        return share_x > 0 ? PixelSize{whole(share_x * image_width), whole(share_y * image_height)} : PixelSize(*this);
    }
};

/// "WxH"; "50%x25%", also "50x25%", or "50%" for both.
template <>
struct FieldText<SizeOrShare> {
    /// Throws Error(usage).
    static SizeOrShare parse(const FieldContext& c, std::string_view text) {
        if (!text.ends_with('%')) {
            return FieldText<PixelSize>::parse(c, text);
        }
        const FieldContext percent{c.name, "%", {1e-3, 1000}};
        const std::size_t cross = std::min(text.find('x'), text.size());
        SizeOrShare size;
        size.share_x = parse_number(percent, text.substr(0, cross)) / 100;
        size.share_y = cross == text.size() ? size.share_x : parse_number(percent, text.substr(cross + 1)) / 100;
        return size;
    }
    static std::string print(const SizeOrShare& size) {
        return size.share_x > 0 ? print_number(size.share_x * 100) + "%x" + print_number(size.share_y * 100) + "%"
                                : FieldText<PixelSize>::print(size);
    }
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

} // namespace glproc
