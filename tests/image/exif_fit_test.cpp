// What EXIF says of a picture that was cropped, and what a profile says of itself.
#include "glproc/image/exif.hpp"
#include "glproc/image/profile.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

using namespace glproc;

namespace {

using Bytes = std::vector<std::byte>;

/// A TIFF structure in either byte order.
class Block {
  public:
    explicit Block(bool big) : big_(big) {
        text(big ? "MM" : "II");
        number(42, 2);
        number(8, 4);
    }
    void text(std::string_view text) {
        for (const char c : text) {
            bytes.push_back(static_cast<std::byte>(c));
        }
    }
    void number(std::size_t value, int size) {
        for (int i = 0; i < size; ++i) {
            bytes.push_back(static_cast<std::byte>(value >> (8 * (big_ ? size - 1 - i : i))));
        }
    }
    void entry(std::size_t tag, std::size_t type, std::size_t value) {
        number(tag, 2);
        number(type, 2);
        number(1, 4);
        number(value, type == 3 ? 2 : 4);
        number(0, type == 3 ? 2 : 0);
    }

    Bytes bytes;

  private:
    bool big_;
};

constexpr std::string_view small_picture = "a small picture of the whole";

/// With sizes in two directories, and a small picture in a third.
Bytes block_of(bool big, std::size_t width, std::size_t height, bool has_small = true) {
    constexpr std::size_t first = 8;
    constexpr std::size_t details = first + 2 + 2 * 12 + 4;
    constexpr std::size_t second = details + 2 + 2 * 12 + 4;
    constexpr std::size_t data = second + 2 + 2 * 12 + 4;
    Block block(big);
    block.number(2, 2);
    block.entry(0x0100, 4, width);
    block.entry(0x8769, 4, details);
    block.number(has_small ? second : 0, 4);
    block.number(2, 2);
    block.entry(0xa002, 3, width);
    block.entry(0xa003, 4, height);
    block.number(0, 4);
    if (!has_small) {
        block.bytes.resize(second);
        return block.bytes;
    }
    block.number(2, 2);
    block.entry(0x0201, 4, data);
    block.entry(0x0202, 4, small_picture.size());
    block.number(0, 4);
    block.text(small_picture);
    return block.bytes;
}

bool holds(const Bytes& bytes, std::string_view text) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return all.find(text) != std::string_view::npos;
}

} // namespace

TEST_CASE("EXIF of other pixels: their size, and no small picture of the old ones") {
    for (const bool big : {false, true}) {
        Bytes exif = block_of(big, 4000, 3000);
        fit_exif(exif, 50, 60);
        CHECK_FALSE(holds(exif, "small"));
        Bytes expected = block_of(big, 50, 60, false);
        REQUIRE(exif.size() >= expected.size());
        CHECK(std::equal(expected.begin(), expected.end(), exif.begin()));
        CHECK(std::all_of(exif.begin() + static_cast<std::ptrdiff_t>(expected.size()), exif.end(),
                          [](std::byte byte) { return byte == std::byte{}; }));
    }
}

TEST_CASE("EXIF that fits, that is empty, or that is cut anywhere") {
    Bytes fitting = block_of(false, 50, 60, false);
    fit_exif(fitting, 50, 60);
    CHECK(fitting == block_of(false, 50, 60, false));
    const Bytes whole = block_of(true, 4000, 3000);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        fit_exif(cut, 50, 60);
        CHECK(cut.size() <= size);
    }
    for (std::size_t at = 8; at < whole.size();
         ++at) { // directories that point to themselves, parts beyond the end
        for (const int value : {0, 8, 255}) {
            Bytes broken = whole;
            broken[at] = static_cast<std::byte>(value);
            fit_exif(broken, 50, 60);
            CHECK(broken.size() <= whole.size());
        }
    }
}

TEST_CASE("profiles: what they are for, and sRGB by name") {
    Bytes icc(140);
    const auto put = [&](std::size_t at, std::string_view text) {
        std::transform(text.begin(), text.end(), icc.begin() + static_cast<std::ptrdiff_t>(at),
                       [](char c) { return static_cast<std::byte>(c); });
    };
    put(16, "RGB ");
    CHECK(fits_channels(icc, 3));
    CHECK(fits_channels(icc, 4));
    CHECK_FALSE(fits_channels(icc, 1));
    CHECK_FALSE(fits_channels(icc, 2));
    CHECK_FALSE(names_srgb(icc));
    put(16, "GRAY");
    CHECK(fits_channels(icc, 2));
    CHECK_FALSE(fits_channels(icc, 3));
    put(130, "sRGB");
    CHECK(names_srgb(icc));
    put(130, std::string_view("s\0R\0G\0B", 7));
    CHECK(names_srgb(icc));
    CHECK(fits_channels(std::span(icc).first(10), 1));
}
