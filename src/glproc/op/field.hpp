// How an operation describes its parameters: a member pointer, a name, a range and a sentence each.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/transfer_curve.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/image/interval.hpp"
#include "glproc/op/op.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace glproc {

/// A pair of values, one for each axis. A single value stands for both.
template <class T>
struct PerAxis {
    T x{};
    T y{};
    constexpr PerAxis() = default;
    constexpr PerAxis(T both) : x(both), y(both) {} // implicit, so that Blur{.sigma = 2} reads as it should
    constexpr PerAxis(T x_, T y_) : x(x_), y(y_) {}
    bool operator==(const PerAxis&) const = default;
};

/// A width and a height in pixels.
struct PixelSize {
    int width = 0;
    int height = 0;
    bool operator==(const PixelSize&) const = default;
};

/// The file for a report's picture; empty if none is wanted.
struct PictureFile {
    std::string path;

    /// Whether the name asks for SVG instead of pixels.
    bool is_drawing() const { return path.ends_with(".svg") || path.ends_with(".SVG"); }
};

/// An array that an operation makes beside its result: the name of its file, and where the bytes of the .npy file
/// go while it runs. Without a writer the array is not made. Whoever opened the writer calls finish().
struct ArrayFile {
    std::string path = {};
    RowWriter* to = nullptr;
};

/// A second picture that an operation reads: its name, and the picture once it was read.
struct PictureInput {
    std::string path = {};
    std::shared_ptr<const Image> image = {};
    /// The image in the profile and light of the picture that it meets, which steps of a chain change. Adds to the notes of that.
    /// May be empty.
    std::function<std::shared_ptr<const Image>(PictureFacts& facts)> fitted = {};
    bool holds_numbers = false; ///< such as places, labels or weights: neither a curve of light nor a profile applies to them
};

/// One value of an enum: how people type it, and when to use it.
template <class E>
struct EnumRow {
    E value;
    std::string_view name;
    std::string_view when;
};

template <class E>
EnumRow(E, std::string_view, std::string_view) -> EnumRow<E>; // clang 14 does not find it by itself

/// Every enum that is a parameter specialises this with a std::array<EnumRow<E>, N>.
template <class E>
inline constexpr std::array<EnumRow<E>, 0> enum_rows{};

template <>
inline constexpr std::array<EnumRow<ArrayType>, 3> enum_rows<ArrayType>{
    EnumRow{ArrayType::u32, "u32", "unsigned integers of 32 bits"},
    EnumRow{ArrayType::i32, "i32", "integers of 32 bits in two's complement"},
    EnumRow{ArrayType::f32, "f32", "floats of 32 bits"},
};

/// The name people type for `value`.
template <class E>
requires std::is_enum_v<E>
constexpr std::string_view name_of(E value) {
    for (const auto& row : enum_rows<E>) {
        if (row.value == value) {
            return row.name;
        }
    }
    return "?";
}

/// The facts that a parser needs to write a good error.
struct FieldContext {
    std::string_view name;
    std::string_view unit;
    Limit limit;
};

/// One number in `context.limit`; 50% or 1/2, too, unless it has a unit. Throws Error(usage).
double parse_number(const FieldContext& context, std::string_view text);
int parse_integer(const FieldContext& context, std::string_view text);
/// "A" or "A,B" cut at the comma. Throws Error(usage) for more than two parts.
std::vector<std::string_view> split_pair(const FieldContext& context, std::string_view text);
/// The numbers of a text, with commas, semicolons or blanks between them: at least one, each in
/// `context.limit`. Throws Error(usage).
std::vector<double> parse_numbers(const FieldContext& context, std::string_view text);
/// The same numbers as texts: at least one. Throws Error(usage).
std::vector<std::string_view> split_numbers(const FieldContext& context, std::string_view text);
/// "A,B,C" cut at the commas: at least one part.
std::vector<std::string_view> split_list(std::string_view text);
/// The index of `text` in `choices`. Throws Error(usage) with the nearest choice.
std::size_t parse_choice(std::string_view field, std::string_view text,
                         const std::vector<std::string>& choices);
std::string print_limit(const Limit& limit);
std::string print_number(double value);
std::string print_numbers(const std::vector<double>& values);
/// "a|b|c" for '|'.
std::string join(const std::vector<std::string>& names, char separator);
/// Throws Error(usage).
[[noreturn]] void refuse_twice(const FieldContext& context, std::string_view text, std::string_view part);
/// For values that came from C++, not from text. Throws Error(usage).
void check_limit(std::string_view name, double value, const Limit& limit);

/// Reads a type from text and writes it as text. Types of an operation's own specialise it, with the same
/// three functions. Those with colours have in_light(), too: the value for a picture of linear light.
template <class T>
struct FieldText;

template <class T>
concept HasColour = requires(const T& value) { FieldText<T>::in_light(value); };

template <>
struct FieldText<double> {
    static double parse(const FieldContext& c, std::string_view text) { return parse_number(c, text); }
    static std::string print(double value) { return print_number(value); }
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

template <>
struct FieldText<int> {
    static int parse(const FieldContext& c, std::string_view text) { return parse_integer(c, text); }
    static std::string print(int value) { return std::to_string(value); }
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

/// "A,B,C": see parse_numbers().
template <>
struct FieldText<std::vector<double>> {
    static std::vector<double> parse(const FieldContext& c, std::string_view text) {
        return parse_numbers(c, text);
    }
    static std::string print(const std::vector<double>& values) { return print_numbers(values); }
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

template <class T>
struct FieldText<PerAxis<T>> {
    static PerAxis<T> parse(const FieldContext& c, std::string_view text) {
        const auto parts = split_pair(c, text);
        const T x = FieldText<T>::parse(c, parts.front());
        return {x, FieldText<T>::parse(c, parts.back())};
    }
    static std::string print(const PerAxis<T>& value) {
        return value.x == value.y ? FieldText<T>::print(value.x)
                                  : FieldText<T>::print(value.x) + "," + FieldText<T>::print(value.y);
    }
    static std::string range(const Limit& limit) { return FieldText<T>::range(limit); }
};

/// The named values of a type that has them.
template <class T>
std::vector<Choice> choices_of();

template <class T>
struct FieldText<std::optional<T>> {
    static std::optional<T> parse(const FieldContext& c, std::string_view text) {
        return FieldText<T>::parse(c, text);
    }
    static std::string print(const std::optional<T>& value) {
        return value ? FieldText<T>::print(*value) : std::string{};
    }
    static std::vector<Choice> choices() { return choices_of<T>(); }
    static std::string range(const Limit& limit) { return FieldText<T>::range(limit); }
    static std::optional<T> in_light(const std::optional<T>& value) requires HasColour<T> {
        return value ? std::optional(FieldText<T>::in_light(*value)) : value;
    }
};

template <class E>
requires std::is_enum_v<E>
struct FieldText<E> {
    static std::vector<std::string> names() {
        std::vector<std::string> result(enum_rows<E>.size());
        std::transform(enum_rows<E>.begin(), enum_rows<E>.end(), result.begin(),
                       [](const EnumRow<E>& row) { return std::string(row.name); });
        return result;
    }
    static std::vector<Choice> choices() {
        std::vector<Choice> result(enum_rows<E>.size());
        std::transform(enum_rows<E>.begin(), enum_rows<E>.end(), result.begin(), [](const EnumRow<E>& row) {
            return Choice{std::string(row.name), std::string(row.when)};
        });
        return result;
    }
    static E parse(const FieldContext& c, std::string_view text) {
        return enum_rows<E>[parse_choice(c.name, text, names())].value;
    }
    static std::string print(E value) { return std::string(name_of(value)); }
    static std::string range(const Limit&) { return join(names(), '|'); }
};

/// "LO,HI". Throws Error(usage) unless LO < HI.
template <>
struct FieldText<Interval> {
    static Interval parse(const FieldContext& c, std::string_view text);
    static std::string print(const Interval& value) {
        return print_number(value.low) + "," + print_number(value.high);
    }
    static std::string range(const Limit&) { return "LO below HI"; }
};

/// As colour_from(). Throws Error(usage), with the nearest name.
template <>
struct FieldText<Colour> {
    static Colour parse(const FieldContext& c, std::string_view text);
    static std::string print(const Colour& value) { return hex_of(value); }
    static Colour in_light(const Colour& value) { return light_of(value); }
    static std::string range(const Limit&) { return "a CSS name, #rrggbb, or R,G,B from 0 to 1"; }
};

/// "WxH". Throws Error(usage).
template <>
struct FieldText<PixelSize> {
    static PixelSize parse(const FieldContext& c, std::string_view text);
    static std::string print(const PixelSize& value) {
        return std::to_string(value.width) + "x" + std::to_string(value.height);
    }
    static std::string range(const Limit& limit) { return print_limit(limit); }
};

/// Throws Error(usage) for "-": the report itself goes to stdout.
template <>
struct FieldText<PictureFile> {
    static PictureFile parse(const FieldContext& c, std::string_view text);
    static std::string print(const PictureFile& value) { return value.path; }
    static std::string range(const Limit&) { return "a file"; }
};

/// Throws Error(usage) unless the name ends in .npy.
template <>
struct FieldText<ArrayFile> {
    static ArrayFile parse(const FieldContext& c, std::string_view text);
    static std::string print(const ArrayFile& value) { return value.path; }
    static std::string range(const Limit&) { return "a .npy file"; }
};

template <>
struct FieldText<PictureInput> {
    static PictureInput parse(const FieldContext&, std::string_view text) { return {std::string(text)}; }
    static std::string print(const PictureInput& value) { return value.path; }
    static std::string range(const Limit&) { return "an image"; }
};

/// "a,b,c": some of an enum's values, each at most once, in the order given.
template <class E>
requires std::is_enum_v<E>
struct FieldText<std::vector<E>> {
    static std::vector<E> parse(const FieldContext& c, std::string_view text) {
        std::vector<E> values;
        for (const std::string_view part : split_list(text)) {
            const E value = FieldText<E>::parse(c, part);
            if (std::find(values.begin(), values.end(), value) != values.end()) {
                refuse_twice(c, text, part);
            }
            values.push_back(value);
        }
        return values;
    }
    static std::string print(const std::vector<E>& values) {
        std::string text;
        for (const E value : values) {
            text += text.empty() ? "" : ",";
            text += name_of(value);
        }
        return text;
    }
    static std::string range(const Limit&) { return "any of " + join(FieldText<E>::names(), ','); }
    static std::vector<Choice> choices() { return FieldText<E>::choices(); }
};

template <class T>
std::vector<Choice> choices_of() {
    if constexpr (requires { FieldText<T>::choices(); }) {
        return FieldText<T>::choices();
    } else {
        return {};
    }
}

/// The parts of a field's description that cannot be derived.
struct FieldSpec {
    std::string_view value;
    std::string_view unit = {};
    Limit limit = {};
    Slider slider = {}; ///< where that is not `limit` itself
    std::string_view help;
    bool required = false;
    std::string_view needs = {};       ///< another field, without which this one has no effect
    std::string_view contradicts = {}; ///< another field that excludes this one, and names it in turn
    std::string_view alias = {};       ///< another name that is understood
    std::string_view standard = {};    ///< what happens without it, if that is not one of its values
    bool place = false;           ///< the value may also stand after the files, without the name
    std::string_view implied = {};     ///< the value that the name alone stands for
    bool holds_numbers = false;        ///< PictureInput::holds_numbers
    bool holds_places = false;         ///< as FieldInfo has it
    SizePowers size_powers = {};       ///< likewise
};

/// How front ends treat a value of type T.
template <class T>
struct ValueKind {
    static constexpr FieldKind kind = std::is_enum_v<T> ? FieldKind::choice : FieldKind::text;
    static constexpr int values = 1;
};
template <>
struct ValueKind<double> {
    static constexpr FieldKind kind = FieldKind::number;
    static constexpr int values = 1;
};
template <>
struct ValueKind<int> {
    static constexpr FieldKind kind = FieldKind::whole;
    static constexpr int values = 1;
};
template <class T>
struct ValueKind<PerAxis<T>> {
    static constexpr FieldKind kind = ValueKind<T>::kind;
    static constexpr int values = 2;
};
template <class T>
struct ValueKind<std::optional<T>> : ValueKind<T> {};
template <>
struct ValueKind<PictureInput> {
    static constexpr FieldKind kind = FieldKind::picture;
    static constexpr int values = 1;
};
template <>
struct ValueKind<PictureFile> {
    static constexpr FieldKind kind = FieldKind::file;
    static constexpr int values = 1;
};
template <>
struct ValueKind<ArrayFile> {
    static constexpr FieldKind kind = FieldKind::file;
    static constexpr int values = 1;
};
template <class E>
requires std::is_enum_v<E>
struct ValueKind<std::vector<E>> {
    static constexpr FieldKind kind = FieldKind::choices;
    static constexpr int values = 1;
};

/// The slider of a number: the one in its description, else its whole range, unless that is enormous.
Slider slider_of(const FieldSpec& spec, FieldKind kind);

/// Defaults that a field of this type uses where its description leaves them out.
template <class T>
struct FieldWords {
    static FieldSpec spec() { return {}; }
};

} // namespace glproc
