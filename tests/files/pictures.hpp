// Pictures and bytes for the tests of the codecs.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/image/image.hpp"
#include "support/catch.hpp"

#include <functional>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc::test {

using Bytes = std::vector<std::byte>;

/// A well mixed number for each n: the noise of the test pictures.
inline std::uint32_t hash(std::uint32_t n) {
    n = (n ^ 61U ^ (n >> 16U)) * 9U;
    n = (n ^ (n >> 4U)) * 0x27d4eb2dU;
    return n ^ (n >> 15U);
}

/// A ramp with noise on it, which uses all bits of a value and differs between channels and between rows.
/// Integer pictures have the extreme values in their first pixels; float ones lie in 0 … 1 and fit the RGBE
/// format exactly.
inline Image picture(int width, int height, int channels, Depth depth) {
    Image image(width, height, channels, depth);
    std::uint32_t i = 0;
    const auto next = [&](std::uint32_t full) {
        const std::uint32_t noise = hash(i) % 32;
        const std::uint32_t value = i < 2 ? i * full : hash(i / 7) + noise;
        ++i;
        return value % (full + 1);
    };
    if (depth == Depth::u8) {
        for (auto& v : image.values<std::uint8_t>())
            v = static_cast<std::uint8_t>(next(255));
    } else if (depth == Depth::u16) {
        for (auto& v : image.values<std::uint16_t>())
            v = static_cast<std::uint16_t>(next(65535));
    } else {
        for (auto& v : image.values<float>())
            v = static_cast<float>(128 + next(127)) / 256.0F; // the mantissas of one exponent
    }
    return image;
}

/// A picture without noise, as JPEG likes them.
inline Image smooth_picture(int width, int height, int channels) {
    Image image(width, height, channels, Depth::u8);
    auto values = image.values<std::uint8_t>();
    std::size_t i = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c) {
                values[i++] =
                    static_cast<std::uint8_t>(128 + 100 * std::sin(x * 0.05 + c) * std::cos(y * 0.04 - c));
            }
        }
    }
    return image;
}

inline bool same(const Image& a, const Image& b) {
    return a.width() == b.width() && a.height() == b.height() && a.channels() == b.channels() &&
           a.depth() == b.depth() && std::ranges::equal(a.bytes(), b.bytes());
}

/// Sizes where row padding, filters, run lengths and bit packing change.
inline constexpr std::array<std::pair<int, int>, 9> packing_sizes{
    {{1, 1}, {1, 7}, {7, 1}, {17, 3}, {8, 8}, {127, 5}, {255, 4}, {256, 33}, {257, 70}}};

inline Bytes bytes_of(std::string_view text) {
    Bytes bytes(text.size());
    std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

inline Bytes bytes_of(std::initializer_list<int> values) {
    Bytes bytes;
    for (const int value : values)
        bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

inline Bytes operator+(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// Where pixel (x, y) stands in a list of all pixels, row after row.
inline std::size_t index_of(int x, int y, int width) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
}

/// Where `what` stands in `bytes`, which must have it: its first place and its last.
inline std::ptrdiff_t first_place(const Bytes& bytes, const Bytes& what) {
    const auto found = std::search(bytes.begin(), bytes.end(), what.begin(), what.end());
    REQUIRE(found != bytes.end());
    return found - bytes.begin();
}
inline std::ptrdiff_t last_place(const Bytes& bytes, const Bytes& what) {
    const auto found = std::find_end(bytes.begin(), bytes.end(), what.begin(), what.end());
    REQUIRE(found != bytes.end());
    return found - bytes.begin();
}

/// The error that `action` ends with, or nothing.
template <class Action>
std::optional<Error> error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

/// What it says, or an empty text.
inline std::string message_of(const std::function<void()>& work) {
    const auto error = error_of(work);
    return error ? error->what() : "";
}

/// Checks that `action` ends with Error(`code`) and exactly this text.
template <class Action>
void check_error(ErrorCode code, const std::string& what, Action action) {
    const std::optional<Error> error = error_of(action);
    REQUIRE(error.has_value());
    CHECK(error->code() == code);
    CHECK(std::string(error->what()) == what);
}

} // namespace glproc::test
