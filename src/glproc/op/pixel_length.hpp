// Lengths on an image: pixels, or a share of its width.
#pragma once

#include "glproc/image/level.hpp"
#include "glproc/op/field.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

namespace glproc {

/// 12, or 5%: int where only whole pixels make sense, else double.
template <class T>
struct PixelLength {
    T pixels{};
    double share = 0; ///< of the width; 0: `pixels` counts

    constexpr PixelLength() = default;
    constexpr PixelLength(T count) : pixels(count) {} // implicit: Blend{.margin = 10}
    constexpr operator T() const {
        return pixels;
    } // NOLINT(google-explicit-constructor): once in() was called

    /// In pixels of an image of this width.
    PixelLength in(int width) const {
        const double exact = share * width;
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
        length.share = parse_number({c.name, "%", {0, 1000}}, text) / 100;
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

} // namespace glproc
