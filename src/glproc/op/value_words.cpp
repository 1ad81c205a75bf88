#include "glproc/op/value_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace glproc {

namespace {

/// A value's name, and what other tools call it.
struct ValueWord {
    std::string_view said;
    std::string_view meant;
};

constexpr std::array<ValueWord, 75> value_words{{
    {"centre", "center"},
    {"middle", "center"},
    {"n", "north"},
    {"e", "east"},
    {"s", "south"},
    {"w", "west"},
    {"ne", "northeast"},
    {"se", "southeast"},
    {"sw", "southwest"},
    {"nw", "northwest"},
    {"top", "north"},
    {"right", "east"},
    {"bottom", "south"},
    {"left", "west"},
    {"topright", "northeast"},
    {"bottomright", "southeast"},
    {"bottomleft", "southwest"},
    {"topleft", "northwest"},
    {"righttop", "northeast"},
    {"rightbottom", "southeast"},
    {"leftbottom", "southwest"},
    {"lefttop", "northwest"},
    {"horizontal", "x"},
    {"h", "x"},
    {"leftright", "x"},
    {"vertical", "y"},
    {"v", "y"},
    {"topbottom", "y"},
    {"edge", "clamp"},
    {"replicate", "clamp"},
    {"repeat", "wrap"},
    {"tile", "wrap"},
    {"periodic", "wrap"},
    {"reflect101", "mirror"},
    {"area", "box"},
    {"average", "box"},
    {"bilinear", "linear"},
    {"triangle", "linear"},
    {"catrom", "cubic"},
    {"catmullrom", "cubic"},
    {"bicubic", "cubic"},
    {"lanczos", "lanczos3"},
    {"point", "nearest"},
    {"none", "nearest"},
    {"circle", "disk"},
    {"disc", "disk"},
    {"ball", "disk"},
    {"square", "box"},
    {"rectangle", "box"},
    {"plus", "cross"},
    {"opening", "open"},
    {"closing", "close"},
    {"dilation", "dilate"},
    {"erosion", "erode"},
    {"float", "f32"},
    {"float32", "f32"},
    {"uint8", "8"},
    {"u8", "8"},
    {"uint16", "16"},
    {"u16", "16"},
    {"seed", "columns"},
    {"l2", "euclidean"},
    {"l1", "taxicab"},
    {"manhattan", "taxicab"},
    {"cityblock", "taxicab"},
    {"linf", "chessboard"},
    {"chebyshev", "chessboard"},
    {"renyientropy", "renyi"},
    {"maximumentropy", "maxentropy"},
    {"minimumerror", "minerror"},
    {"intermeans", "isodata"},
    {"yes", "on"},
    {"true", "on"},
    {"no", "off"},
    {"false", "off"},
}};

/// "Bottom-Right" is "bottomright".
std::string plain(std::string_view word) {
    std::string text;
    for (const char c : word) {
        if (c != '-' && c != '_') {
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return text;
}

} // namespace

std::string choice_called(std::string_view word, const std::vector<std::string>& choices) {
    const std::string said = plain(word);
    const auto find = [&](std::string_view name) {
        return std::find_if(choices.begin(), choices.end(),
                            [&](const std::string& choice) { return plain(choice) == name; });
    };
    if (const auto same = find(said); same != choices.end()) {
        return *same;
    }
    for (const ValueWord& known : value_words) {
        if (const auto meant = find(known.meant); known.said == said && meant != choices.end()) {
            return *meant;
        }
    }
    return {};
}

} // namespace glproc
